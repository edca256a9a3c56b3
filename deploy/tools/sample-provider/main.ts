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

const parsed = Environment.safeParse(process.env)
if (!parsed.success) {
  console.error(`Sample provider: ${z.prettifyError(parsed.error)}`)
  process.exit(1)
}
const { PROVIDER_HOST: host, PROVIDER_PORT: port, PROVIDER_KEYS: keys } = parsed.data

// Nobody in this process reads the ledger.
const provider = createProvider({ recordLimit: 0, apiKeys: keys?.length ? keys : undefined })

try {
  console.log(`Sample provider: ${await provider.listen({ host, port })}`)
} catch (error) {
  const taken = String(error).includes('EADDRINUSE')
  console.error(
    taken
      ? `Sample provider: port ${port} is taken. Set PROVIDER_PORT to another one.`
      : `Sample provider: ${String(error)}`,
  )
  process.exit(1)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void provider.close()
  })
}
