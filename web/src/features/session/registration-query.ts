import { queryOptions } from '@tanstack/react-query'
import { Registration } from '#schemas/registration.ts'
import { fetchJson } from '#web/lib/api.ts'

/** Who may create an account on this server. */
export const registrationQuery = queryOptions({
  queryKey: ['/api/registration'],
  queryFn: ({ signal }) => fetchJson(Registration, 'GET', '/api/registration', { signal }),
})
