import { queryOptions } from '@tanstack/react-query'
import { Preferences } from '#schemas/preferences.ts'
import { fetchJson } from '../api.ts'

export const preferencesPath = '/api/user/preferences'

export const preferencesQuery = queryOptions({
  queryKey: [preferencesPath],
  queryFn: ({ signal }) => fetchJson(Preferences, 'GET', preferencesPath, { signal }),
})
