import type { FastifyBaseLogger } from 'fastify'

/** Resolves to `shown` if the read fails, so that the rest of a page stays usable while a store is unavailable. */
export const whileAway = <Shown>(
  reading: Promise<Shown>,
  shown: NoInfer<Shown>,
  log: FastifyBaseLogger,
  message: string,
): Promise<Shown> =>
  reading.catch((error: unknown) => {
    log.warn({ err: error }, message)
    return shown
  })
