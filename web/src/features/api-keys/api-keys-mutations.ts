import { mutationOptions } from '@tanstack/react-query'
import { CreatedApiKey, type CreateApiKey } from '#schemas/api-keys.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { apiKeysPath as path } from '#web/lib/queries/api-keys.ts'
import { toast } from '#web/lib/toast.ts'

export const addKeyMutation = mutationOptions({
  mutationFn: (key: CreateApiKey) => fetchJson(CreatedApiKey, 'POST', path, { body: key }),
  // The key is stored, whatever the provider says about it.
  onSuccess: ({ warning }) =>
    toast({ title: 'API key added successfully', ...(warning !== null && { description: warning }) }),
  meta: {
    refreshes: [path],
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
