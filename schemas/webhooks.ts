import { z } from 'zod'
import { isHttpUrl } from './http-url.ts'
import { requiredName } from './plain-text.ts'

const urlMessage = 'URL must be an http or https address without credentials or fragment'

export const CreateWebhook = z.object({
  name: requiredName('Name', 100, 'Please enter a name'),
  url: z
    .string('URL is required')
    .trim()
    .min(1, { message: 'URL is required', abort: true })
    .max(2_048, { message: 'URL must be at most 2048 characters', abort: true })
    .refine(isHttpUrl, urlMessage)
    .overwrite((text) => (isHttpUrl(text) ? new URL(text).href : text)),
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

/** The delivery of a message. */
export const WebhookDelivery = z.object({
  id: z.uuid(),
  type: z.string().describe('`alert.firing`, `alert.resolved` or `alert.test`; `test`: a test of the webhook.'),
  createdAt: z.iso.datetime(),
  state: z.enum(['waiting', 'delivered', 'failed']).describe('`failed`: no further attempt follows.'),
  attempts: z.number().int().describe('So far.'),
  nextAttemptAt: z.iso.datetime().nullable().describe('`null`: no further attempt follows.'),
  status: z.number().int().nullable().describe("Status of the receiver's last response; `null` without one."),
  error: z.string().nullable().describe('Why the last attempt failed.'),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** A receiver of messages in Standard Webhooks format. */
export const Webhook = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  createdAt: z.iso.datetime(),
  lastDelivery: WebhookDelivery.nullable(),
})
export type Webhook = z.infer<typeof Webhook>

export const NewWebhook = Webhook.extend({ secret: z.string().describe('Signing secret; shown only once.') })
