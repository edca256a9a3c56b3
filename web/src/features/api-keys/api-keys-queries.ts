import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiKeyState, CreatedApiKey, type CreateApiKey, type RenameApiKey } from '#schemas/api-keys.ts'
import { ProxyTestResult } from '#schemas/proxy-config.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { apiKeysPath as path, apiKeyStatesPath } from '#web/lib/queries/api-keys.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'
import { toast } from '#web/lib/toast.ts'

/** Cooldowns last only seconds. */
const refetchMs = 10_000

export const apiKeyStatesQuery = queryOptions({
  ...jsonQuery(z.array(ApiKeyState), apiKeyStatesPath),
  refetchInterval: refetchMs,
})

export const addKeyMutation = mutationOptions({
  mutationFn: (key: CreateApiKey) => fetchJson(CreatedApiKey, 'POST', path, { body: key }),
  // The key is stored, whatever the provider says about it.
  onSuccess: ({ warning }) =>
    toast({ title: 'API key added successfully', ...(warning !== null && { description: warning }) }),
  meta: { refreshes: [path], failure: 'Failed to add API key' },
})

export const setPrimaryMutation = mutationOptions({
  mutationFn: (id: string) => send('PUT', `${path}/${id}/primary`),
  meta: { refreshes: [path], success: 'Primary key updated', failure: 'Failed to update primary key' },
})

export const renameKeyMutation = mutationOptions({
  mutationFn: ({ id, name }: RenameApiKey & { id: string }) => send('PATCH', `${path}/${id}`, { body: { name } }),
  meta: { refreshes: [path], success: 'API key renamed', failure: 'Failed to rename API key' },
})

export const testKeyMutation = mutationOptions({
  mutationFn: (id: string) => fetchJson(ProxyTestResult, 'POST', `${path}/${id}/test`),
  onSuccess: ({ success, message }) =>
    toast({ title: success ? 'Success' : 'Failed', description: message, destructive: !success }),
  meta: { refreshes: [path], failure: 'Failed to test API key' },
})

export const deleteKeyMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${path}/${id}`),
  meta: { refreshes: [path], success: 'API key deleted', failure: 'Failed to delete API key' },
})
