import type { FastifyInstance } from 'fastify'
import { Problem } from '#core/problem.ts'
import { sendProblem } from './errors.ts'

/**
 * Call it before the routes are added; call what it returns after the last one. From then on a known address answers
 * 405 with `Allow` to every other method, rather than pretend that it does not exist.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsByUrl.set(url, methods)
  })
  return () => {
    // A copy: every route added here is reported to the hook above as well.
    for (const [url, methods] of Array.from(methodsByUrl)) {
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
  }
}
