import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { AuditEntry } from '#schemas/audit.ts'
import { Session } from '#schemas/sessions.ts'
import { fetchJson } from '#web/lib/api.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'

export const auditPath = '/api/user/audit'
export const sessionsPath = '/api/user/sessions'

const auditPage = 10

export const auditQuery = infiniteQueryOptions({
  queryKey: [auditPath],
  queryFn: ({ signal, pageParam }) =>
    fetchJson(z.array(AuditEntry), 'GET', `${auditPath}?limit=${auditPage}${pageParam && `&before=${pageParam}`}`, {
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: (page) => (page.length < auditPage ? undefined : page.at(-1)?.id),
  gcTime: 15_000,
  // Changes on other screens add entries.
  staleTime: 0,
})

export const sessionsQuery = queryOptions({
  ...jsonQuery(z.array(Session), sessionsPath),
  gcTime: 15_000,
})
