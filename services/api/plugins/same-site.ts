import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Calls that change something are answered to our own pages and to programs, never to pages of other sites.
 * Browsers say where a call comes from; a program says nothing and has no cookie that it did not ask for.
 */
export const sameSite = fp(
  async (app) => {
    app.addHook('onRequest', async (request) => {
      if (safeMethods.has(request.method)) return
      const site = request.headers['sec-fetch-site']
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Problem('cross-site')
      const { origin } = request.headers
      if (origin !== undefined && hostOf(origin) !== request.host) throw new Problem('cross-site')
    })
  },
  { name: 'same-site', dependencies: ['error-handler'] },
)

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined)
