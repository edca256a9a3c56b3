import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'
import { sendProblem } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    methodsByUrl: Map<string, Set<string>>
  }
}

/** Notes the methods of every address. Register it before the routes. */
export const knownMethods = fp(
  async (app) => {
    const methodsByUrl = new Map<string, Set<string>>()
    app.decorate('methodsByUrl', methodsByUrl)
    app.addHook('onRoute', ({ url, method }) => {
      const methods = methodsByUrl.get(url) ?? new Set()
      for (const each of [method].flat()) methods.add(each)
      methodsByUrl.set(url, methods)
    })
  },
  { name: 'known-methods' },
)

/**
 * Register it after the routes. A known address answers 405 with `Allow` to every other method, rather than pretend
 * that it does not exist.
 */
export const methodNotAllowed = fp(
  async (app) => {
    // A copy: every route added here is noted as well.
    for (const [url, methods] of Array.from(app.methodsByUrl)) {
      const others = app.supportedMethods.filter((method) => !methods.has(method))
      const allow = [...methods].toSorted().join(', ')
      app.route({
        method: others,
        url,
        schema: { hide: true },
        handler: (request, reply) =>
          sendProblem(request, reply.header('allow', allow), new Problem('method-not-allowed')),
      })
    }
  },
  { name: 'method-not-allowed', dependencies: ['known-methods', 'openapi'] },
)
