import type { FastifyBaseLogger } from 'fastify'

/** Resolves to `fallback` if the read fails, so that the rest of a page stays usable while a store is unavailable. */
export const withFallback = <Value>(
  reading: Promise<Value>,
  fallback: NoInfer<Value>,
  log: FastifyBaseLogger,
  message: string,
): Promise<Value> =>
  reading.catch((error: unknown) => {
    log.warn({ err: error }, message)
    return fallback
  })
