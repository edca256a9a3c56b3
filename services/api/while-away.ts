import type { FastifyBaseLogger } from 'fastify'

/** Replaces the value of a store that is unavailable, so that the other parts of a page stay usable. */
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
