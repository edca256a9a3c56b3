import { mutationOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { type OwnModelPrice, StoredModelPrice } from '#schemas/own-model-prices.ts'
import { send } from '#web/lib/api.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'

const path = '/api/model-prices'

export const modelPricesQuery = jsonQuery(z.array(StoredModelPrice), path)

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
  mutationFn: ({ id, price }: { id: string; price: OwnModelPrice }) => send('PUT', `${path}/${id}`, { body: price }),
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
