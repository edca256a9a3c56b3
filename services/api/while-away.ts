import type { FastifyBaseLogger } from 'fastify'

/** What is shown of a store that is away, so that everything else of a page can still be used. */
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
