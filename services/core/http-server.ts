import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from './config.ts'
import type { Logger } from './logger.ts'
import { kib, mib, second } from './units.ts'

/** What a part of the process needs, by name; resolves when it is there. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>

const readinessTimeoutMs = 2 * second

/**
 * The one HTTP server of a process. Every request has a UUIDv7 as its id: it is the id of the log, the
 * `x-request-id` of the answer and the `requestId` of the service's own log.
 */
export function createHttpServer({ trustedProxies }: Pick<Config, 'trustedProxies'>, logger: Logger): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => uuidv7(),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: mib,
    requestTimeout: 300 * second,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    http: { maxHeaderSize: 16 * kib },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  return app.withTypeProvider<ZodTypeProvider>()
}

/** `/healthz`: the process answers. `/readyz`: each thing that it needs, by name, and 503 while one of them is away. */
export function addHealthRoutes(app: FastifyInstance, checks: ReadinessChecks): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const names = Object.keys(checks)
    const results = await Promise.allSettled(names.map((name) => withTimeout(checks[name]!())))
    const ready = results.every((result) => result.status === 'fulfilled')
    const states = results.map((result, at) => [names[at], result.status === 'fulfilled' ? 'ok' : 'unavailable'])
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', needs: Object.fromEntries(states) })
  })
}

function withTimeout(check: Promise<unknown>): Promise<unknown> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('no answer')), readinessTimeoutMs)
  return Promise.race([check, timeout.promise]).finally(() => clearTimeout(timer))
}
