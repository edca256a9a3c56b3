import type { FastifyRequest } from 'fastify'
import { accountHeader, accountParameter } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'

/**
 * A page names the account that it shows, because the browser's cookie may have become another one's meanwhile: its
 * calls do so in a header, its links by a query parameter, which no route sees. A call that names none is not checked.
 */
export function requireNamedAccount(request: FastifyRequest, accountId: string): void {
  const { [accountParameter]: linked, ...query } = request.query as Record<string, unknown>
  request.query = query
  const named = request.headers[accountHeader] ?? linked
  if (named !== undefined && named !== accountId) throw new Problem('other_account')
}
