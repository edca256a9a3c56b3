import { mutationOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { CreatedManagementKey, ManagementKey, type NewManagementKey } from '#schemas/management-keys.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'
import { auditPath } from '../profile-queries.ts'

const path = '/api/user/management-keys'

export const managementKeysQuery = jsonQuery(z.array(ManagementKey), path)

/** Only this response contains the key. */
export const createManagementKeyMutation = mutationOptions({
  mutationFn: (key: z.input<typeof NewManagementKey>) => fetchJson(CreatedManagementKey, 'POST', path, { body: key }),
  meta: { refreshes: [path, auditPath], success: 'Management key created', failure: 'Failed to create management key' },
})

export const deleteManagementKeyMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${path}/${id}`),
  meta: { refreshes: [path, auditPath], success: 'Management key deleted', failure: 'Failed to delete management key' },
})
