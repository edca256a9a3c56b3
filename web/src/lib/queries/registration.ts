import { queryOptions } from '@tanstack/react-query'
import { Registration } from '#schemas/registration.ts'
import { fetchJson } from '../api.ts'

/** Whether this server allows registrations, and whether it sends mails. */
export const registrationQuery = queryOptions({
  queryKey: ['/api/registration'],
  queryFn: ({ signal }) => fetchJson(Registration, 'GET', '/api/registration', { signal }),
})
