import { queryOptions } from '@tanstack/react-query'
import { Preferences } from '#schemas/preferences.ts'
import { fetchJson } from '../api.ts'

export const preferencesQuery = queryOptions({
  queryKey: ['/api/user/preferences'],
  queryFn: ({ signal }) => fetchJson(Preferences, 'GET', '/api/user/preferences', { signal }),
})
