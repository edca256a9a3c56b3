import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'
import { day } from '#core/units.ts'
import { sendProblem } from './plugins/errors.ts'

const builtWebApp = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * Serves the built web app. Its files carry a hash in their name and are kept for a year; the page itself is asked for
 * anew each time. Every path that is not the API's leads to the page, which knows what to show there. Without a build
 * (an api process of its own, behind a file server) unknown paths do not exist.
 */
export const webApp = fp(
  async (app) => {
    const isBuilt = existsSync(builtWebApp)
    if (isBuilt)
      await app.register(fastifyStatic, { root: builtWebApp, wildcard: false, index: false, cacheControl: false })
    app.addHook('onSend', async (request, reply) => {
      if (request.url.startsWith('/assets/') && reply.statusCode === 200) {
        reply.header('cache-control', `public, max-age=${(365 * day) / 1_000}, immutable`)
      }
    })
    app.setNotFoundHandler((request, reply) => {
      const isPage =
        isBuilt && (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|assets)\//.test(request.url)
      if (!isPage) return sendProblem(request, reply, new Problem('not-found'))
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    })
  },
  { name: 'web-app', dependencies: ['error-handler', 'browser-safety'] },
)
