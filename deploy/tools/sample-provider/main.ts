import { z } from 'zod'
import { createProvider } from './provider.ts'

const Environment = z.object({
  PROVIDER_HOST: z.string().min(1).default('127.0.0.1'),
  PROVIDER_PORT: z.coerce.number().int().min(0).max(65_535).default(4010),
  PROVIDER_KEYS: z
    .string()
    .transform((keys) => keys.split(',').flatMap((key) => key.trim() || []))
    .optional(),
})

const { data, error } = Environment.safeParse(process.env)
if (!data) {
  console.error(`Sample provider: ${z.prettifyError(error)}`)
  process.exit(1)
}
const { PROVIDER_HOST: host, PROVIDER_PORT: port, PROVIDER_KEYS: keys } = data
const provider = createProvider({ recordLimit: 0, apiKeys: keys?.length ? keys : undefined })
try {
  console.log(`Sample provider: ${await provider.listen({ host, port })}`)
} catch (cause) {
  const isTaken = String(cause).includes('EADDRINUSE')
  const reason = isTaken ? `port ${port} is taken. Set PROVIDER_PORT to another one.` : String(cause)
  console.error(`Sample provider: ${reason}`)
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close())
