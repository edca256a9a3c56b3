import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'
import { product } from '#schemas/product.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const testerDetail = `The request tester calls paths of the provider, below ${product.proxyPath}/v1/.`

/**
 * Pages of other sites can't change anything, because browsers send the origin of a request. Requests of the request
 * tester arrive here if the browser resolved dots in their path, so they are rejected.
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
