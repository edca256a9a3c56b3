import { z } from 'zod'

/** The headers that sign a webhook. */
export const WebhookHeaders = z.object({
  'paypal-auth-algo': z.string().max(100),
  'paypal-cert-url': z.url().max(500),
  'paypal-transmission-id': z.string().max(100),
  'paypal-transmission-sig': z.string().max(2_000),
  'paypal-transmission-time': z.string().max(100),
})
export type WebhookHeaders = z.infer<typeof WebhookHeaders>
