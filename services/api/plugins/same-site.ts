import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Pages of other sites can't change anything. Browsers say where a call comes from; programs don't, and they have no
 * cookie that they did not ask for.
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
