import fp from 'fastify-plugin'
import { product } from '#schemas/product.ts'
import { Problem } from '#core/problem.ts'

const detail = `The request tester calls paths of the provider, below ${product.proxyPath}/v1/.`

/** Browsers resolve dots in a path before they send it: what the tester then calls here it never meant to. */
export const testerCalls = fp(
  async (app) => {
    app.addHook('onRequest', async ({ headers }) => {
      if (headers[product.testerHeader] !== undefined) throw new Problem('invalid-request', { detail })
    })
  },
  { name: 'tester-calls', dependencies: ['error-handler'] },
)
