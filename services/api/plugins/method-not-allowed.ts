import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'
import { sendProblem } from '#core/http/send-problem.ts'

declare module 'fastify' {
  interface FastifyInstance {
    methodsByUrl: Map<string, Set<string>>
  }
}

/** Collects the methods of every URL. Register it before the routes. */
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

/** Other methods of a known URL get 405 with `Allow`. Register it after the routes. */
export const methodNotAllowed = fp(
  async (app) => {
    // Iterates over a copy, because the routes added here are collected as well.
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
