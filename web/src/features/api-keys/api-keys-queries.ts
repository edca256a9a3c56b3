import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiKey, type CreateApiKey } from '#schemas/api-keys.ts'
import { fetchJson, send } from '#web/lib/api.ts'

const path = '/api/keys'

export const apiKeysQuery = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => fetchJson(z.array(ApiKey), 'GET', path, { signal }),
})

export const addKeyMutation = mutationOptions({
  mutationFn: (key: CreateApiKey) => send('POST', path, { body: key }),
  meta: {
    refreshes: [path],
    success: { title: 'API key added successfully' },
    failure: { title: 'Failed to add API key' },
  },
})

export const setPrimaryMutation = mutationOptions({
  mutationFn: (id: string) => send('PUT', `${path}/${id}/primary`),
  meta: {
    refreshes: [path],
    success: { title: 'Primary key updated' },
    failure: { title: 'Failed to update primary key' },
  },
})

export const deleteKeyMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${path}/${id}`),
  meta: {
    refreshes: [path],
    success: { title: 'API key deleted' },
    failure: { title: 'Failed to delete API key' },
  },
})
