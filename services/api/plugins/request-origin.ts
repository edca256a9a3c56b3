import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'
import { product } from '#schemas/product.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const testerDetail = `The request tester calls paths of the provider, below ${product.proxyPath}/v1/.`

/**
 * Rejects changes by pages of other sites, which browsers reveal in `Origin` and `Sec-Fetch-Site`. Also rejects
 * requests of the request tester: they arrive here only if the browser has resolved dots in their path.
 */
export const requestOrigin = fp(
  async (app) => {
    app.addHook('onRequest', async ({ method, headers, host }) => {
      const { origin, 'sec-fetch-site': site = 'none' } = headers
      const isSameSite = site === 'same-origin' || site === 'none'
      const isSameOrigin = origin === undefined || URL.parse(origin)?.host === host
      if (!safeMethods.has(method) && !(isSameSite && isSameOrigin)) throw new Problem('cross-site')
      if (headers[product.testerHeader] !== undefined) throw new Problem('invalid-request', { detail: testerDetail })
    })
  },
  { name: 'request-origin', dependencies: ['error-handler'] },
)
