import type { FastifyRequest } from 'fastify'
import { Problem } from '#core/problem.ts'
import type { AccountStore } from '#store/postgres/accounts.ts'
import { verifyPassword } from '#shared/passwords.ts'
import type { Throttle } from './throttle.ts'

export type ConfirmPassword = ReturnType<typeof createConfirmPassword>

/**
 * The returned function throws Problem `wrong-password`, naming the field, or `too-many-requests`. A management key has
 * attempts of its own: guesses with a stolen one must not keep the owner from confirming the password.
 */
export const createConfirmPassword =
  (accounts: AccountStore, throttle: Throttle) =>
  async (accountId: string, password: string, attemptsOf = accountId): Promise<void> => {
    await throttle.count('passwordCheck', attemptsOf)
    const passwordHash = await accounts.getPasswordHash(accountId)
    if (!(await verifyPassword(password, passwordHash, { isKnown: true }))) {
      const message = 'Current password is wrong'
      throw new Problem('wrong-password', { errors: [{ field: 'currentPassword', message }] })
    }
    await throttle.clear('passwordCheck', attemptsOf)
  }

/** Description, in the OpenAPI document, of routes that require a recent confirmation. */
export const recentConfirmationText =
  'A session must have confirmed the password in the last 15 minutes (`POST /api/user/confirm`), or the call fails with ' +
  '403 `confirm_password`.'

/**
 * Guards requests that could be used to take over the account.
 * @throws Problem `confirm_password` unless the session confirmed the password recently
 */
export async function requireRecentConfirmation({ isConfirmed }: FastifyRequest): Promise<void> {
  if (!isConfirmed) throw new Problem('confirm_password')
}
