import { z } from 'zod'
import { count } from './numbers.ts'
import { requiredName } from './plain-text.ts'

/** A provider key with its secret masked. Source: product.md 3.1. */
export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  key: z
    .string()
    .meta({ example: 'sk-••••••••wxyz' })
    .describe('First 3 and last 4 characters of the secret, the rest as dots.'),
  isActive: z
    .boolean()
    .describe(
      '`false`: not used, because it was entered for another origin than that of the base URL, or can no longer be read.',
    ),
  isPrimary: z.boolean().describe('Whether requests try it first.'),
  usageCount: count.describe('Number of requests.'),
  lastUsed: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type ApiKey = z.infer<typeof ApiKey>

const requiredMessage = 'Please provide both name and API key'

/** Source: product.md 3.2. The key is sent in a header, so it must be visible ASCII. */
export const CreateApiKey = z.object({
  name: requiredName('Name', 200, requiredMessage),
  key: z
    .string(requiredMessage)
    .trim()
    .min(1, requiredMessage)
    .max(512, 'API key must be at most 512 characters')
    .regex(/^[\x21-\x7e]*$/, 'API key must not contain spaces or special characters')
    .meta({ example: 'sk-example' }),
  isPrimary: ApiKey.shape.isPrimary.default(false),
})
export type CreateApiKey = z.infer<typeof CreateApiKey>

export const CreatedApiKey = ApiKey.extend({
  warning: z.string().nullable().describe('Why the provider check of the new key failed; the key is stored anyway.'),
})

export const RenameApiKey = z.object({ name: requiredName('Name', 200, 'Please enter a name for your API key') })
export type RenameApiKey = z.infer<typeof RenameApiKey>

const RemainingLimit = z
  .object({ left: z.number(), limit: z.number().nullable() })
  .nullable()
  .describe('`null`: the provider does not report it.')

/** Whether and how a key is used, as known to the proxies. Source: product.md 3.9. */
export const ApiKeyState = z.object({
  id: z.uuid(),
  cooldown: z
    .object({
      until: z.iso.datetime(),
      status: z.number().int().describe('Status of the response that caused it.'),
      endpoint: z.string().nullable().describe('`null`: for all endpoints.'),
    })
    .nullable()
    .describe('While it lasts, the key is used only if no other is left; `null`: not in cooldown.'),
  limits: z
    .object({ requests: RemainingLimit, tokens: RemainingLimit, at: z.iso.datetime() })
    .nullable()
    .describe("From the provider's last response to this key."),
  lastError: z
    .object({ status: z.number().int(), message: z.string().nullable(), at: z.iso.datetime() })
    .nullable()
    .describe("`message`: the provider's own, without secrets."),
  otherOrigin: z
    .string()
    .nullable()
    .describe("The origin for which the key was entered, if that is not the base URL's: the key is not used."),
})
export type ApiKeyState = z.infer<typeof ApiKeyState>
