import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiKeyState } from '#schemas/api-keys.ts'
import { fetchJson } from '#web/lib/api.ts'
import { apiKeysPath } from '#web/lib/queries/api-keys.ts'

const path = `${apiKeysPath}/states`

/** Cooldowns last for seconds. */
const refetchMs = 10_000

export const apiKeyStatesQuery = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => fetchJson(z.array(ApiKeyState), 'GET', path, { signal }),
  refetchInterval: refetchMs,
})
