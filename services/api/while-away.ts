import type { FastifyBaseLogger } from 'fastify'

/** Substitutes a value for that of an unavailable store, so that the other parts of a page stay usable. */
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
