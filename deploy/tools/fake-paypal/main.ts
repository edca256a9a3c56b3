import { z } from 'zod'
import { createFakePayPal } from './server.ts'

const Environment = z.object({
  PAYPAL_HOST: z.string().min(1).default('127.0.0.1'),
  PAYPAL_PORT: z.coerce.number().int().min(0).max(65_535).default(4020),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  /** Sallyport's `/api/paypal/webhook`. */
  PAYPAL_WEBHOOK_URL: z.url().optional(),
})

const env = Environment.parse(process.env)
const { app } = createFakePayPal({
  clientId: env.PAYPAL_CLIENT_ID,
  clientSecret: env.PAYPAL_CLIENT_SECRET,
  webhookId: env.PAYPAL_WEBHOOK_ID,
  webhookUrl: env.PAYPAL_WEBHOOK_URL,
})
console.log(`Fake PayPal: ${await app.listen({ host: env.PAYPAL_HOST, port: env.PAYPAL_PORT })}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close())
