import type { FastifyRequest } from 'fastify'
import { accountHeader, accountParameter } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'

/**
 * The browser's cookie may meanwhile belong to another account. So pages name their account in a header, and links in a
 * query parameter, which is removed before routes see the query. Requests that name no account are not checked.
 */
export function requireNamedAccount(request: FastifyRequest, accountId: string): void {
  const sent: Record<string, unknown> = typeof request.query === 'object' ? { ...request.query } : {}
  const { [accountParameter]: linked, ...query } = sent
  request.query = query
  const named = request.headers[accountHeader] ?? linked
  if (named !== undefined && named !== accountId) throw new Problem('other_account')
}
