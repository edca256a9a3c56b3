import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import fp from 'fastify-plugin'
import { product } from '#schemas/product.ts'
import { proxyErrors } from '#schemas/proxy-errors.ts'
import { Problem } from '#core/problem.ts'
import { day } from '#core/units.ts'
import { sendProblem } from '#core/http/send-problem.ts'

const builtWebApp = fileURLToPath(new URL('../../web/dist', import.meta.url))

const howToBuild = 'The web app is not built: run "npm run build", then start the api again.'

/** Paths of SDKs whose base URL lacks a part of the proxy's path. Other errors' messages they don't show. */
const sdkPath = RegExp(`^(?:${product.proxyPath}|/v1(?:beta)?)/`)
const code = 'unknown_path'
const { status, type, message } = proxyErrors[code]

/**
 * Serves the built web app, as gzip where the build has it. Assets have hashed names and are cached for a year; the page
 * itself is revalidated. All paths outside the API lead to the page, which has its own router. Without a build (if a file
 * server serves the web app), unknown paths are 404, and both the response and the log say how to build it.
 * @param root the folder of the build
 */
export const webApp = fp<{ root?: string }>(
  async (app, { root = builtWebApp }) => {
    const isBuilt = existsSync(join(root, 'index.html'))
    if (isBuilt) {
      await app.register(fastifyStatic, {
        root,
        wildcard: false,
        globIgnore: ['**/*.gz'],
        preCompressed: true,
        index: false,
        cacheControl: false,
      })
    } else app.log.warn(howToBuild)
    app.addHook('onSend', async (request, reply) => {
      if (request.url.startsWith('/assets/') && reply.statusCode < 400) {
        reply.header('cache-control', `public, max-age=${(365 * day) / 1_000}, immutable`)
      }
    })
    app.setNotFoundHandler((request, reply) => {
      if (sdkPath.test(request.url)) return reply.code(status).send({ error: { message, type, param: null, code } })
      const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|assets)\//.test(request.url)
      if (!isPage) return sendProblem(request, reply, new Problem('not-found'))
      if (!isBuilt) return sendProblem(request, reply, new Problem('not-found', { detail: howToBuild }))
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    })
  },
  { name: 'web-app', dependencies: ['error-handler', 'browser-safety'] },
)
