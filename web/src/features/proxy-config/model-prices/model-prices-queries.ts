import { mutationOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { type OwnModelPrice, StoredModelPrice } from '#schemas/own-model-prices.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'

const path = '/api/model-prices'

const ModelPrices = z.array(StoredModelPrice)

export const modelPricesQuery = jsonQuery(ModelPrices, path)

export const addPriceMutation = mutationOptions({
  mutationFn: (price: OwnModelPrice) => send('POST', path, { body: price }),
  meta: {
    refreshes: [path],
    success: 'Model price added',
    failure: 'Failed to add model price',
    handles: ['price-exists'],
  },
})

export const changePriceMutation = mutationOptions({
  /** The call carries every field: those that were not edited as they are on the server now. */
  mutationFn: async ({ price, changes }: { price: StoredModelPrice; changes: Partial<OwnModelPrice> }) => {
    const latest = (await fetchJson(ModelPrices, 'GET', path)).find(({ id }) => id === price.id)
    await send('PUT', `${path}/${price.id}`, { body: { ...(latest ?? price), ...changes } })
  },
  meta: {
    refreshes: [path],
    success: 'Model price changed',
    failure: 'Failed to change model price',
    handles: ['price-exists'],
  },
})

export const deletePriceMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${path}/${id}`),
  meta: { refreshes: [path], success: 'Model price deleted', failure: 'Failed to delete model price' },
})
