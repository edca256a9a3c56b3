import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiKey } from '#schemas/api-keys.ts'
import { fetchJson } from '../api.ts'

export const apiKeysPath = '/api/keys'

export const apiKeysQuery = queryOptions({
  queryKey: [apiKeysPath],
  queryFn: ({ signal }) => fetchJson(z.array(ApiKey), 'GET', apiKeysPath, { signal }),
})
