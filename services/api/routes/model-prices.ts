import { z } from 'zod'
import { requireFound } from '#core/problem.ts'
import { OwnModelPrice, StoredModelPrice } from '#schemas/own-model-prices.ts'
import type { ModelPriceRow, ModelPriceStore } from '#store/postgres/model-prices.ts'
import { signedInRoutes } from '../plugins/session.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { addDeleteRoute } from './add-delete-route.ts'
import { IdParams } from './id-params.ts'

/** Source: product.md 8.13. */
export const modelPriceRoutes = signedInRoutes<{ prices: ModelPriceStore }>(async (app, { prices }) => {
  app.get(
    '/api/model-prices',
    { schema: { summary: 'List the account’s own model prices', response: { 200: z.array(StoredModelPrice) } } },
    async ({ user }) => (await prices.list(user.id)).map(toModelPrice),
  )

  app.post(
    '/api/model-prices',
    { schema: { summary: 'Add a model price', body: OwnModelPrice, response: { 201: StoredModelPrice } } },
    async (request, reply) => {
      const row = await prices.create(request.user.id, request.body, auditSourceOf(request))
      return reply.code(201).send(toModelPrice(row))
    },
  )

  app.put(
    '/api/model-prices/:id',
    {
      schema: {
        summary: 'Change a model price',
        params: IdParams,
        body: OwnModelPrice,
        response: { 200: StoredModelPrice },
      },
    },
    async (request) => {
      const { user, params, body } = request
      const row = requireFound(await prices.change(user.id, params.id, body, auditSourceOf(request)))
      return toModelPrice(row)
    },
  )

  addDeleteRoute(app, '/api/model-prices/:id', 'Delete a model price', prices.remove)
})

const toModelPrice = ({ validFrom, ...row }: ModelPriceRow): StoredModelPrice => ({
  ...row,
  validFrom: validFrom.toISOString(),
})
