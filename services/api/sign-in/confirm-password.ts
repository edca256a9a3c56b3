import { Problem } from '#core/problem.ts'
import type { AccountStore } from '#store/postgres/accounts.ts'
import { verifyPassword } from '#shared/passwords.ts'
import type { Throttle } from './throttle.ts'

/** Checks that the person at the screen is the owner of the account. */
export type ConfirmPassword = (accountId: string, password: string) => Promise<void>

/** The result throws Problem `wrong-password`, naming the field, or `too-many-requests`. */
export const createConfirmPassword =
  (accounts: AccountStore, throttle: Throttle): ConfirmPassword =>
  async (accountId, password) => {
    await throttle.count('passwordCheck', accountId)
    if (!(await verifyPassword(password, await accounts.getPasswordHash(accountId)))) {
      const message = 'Current password is wrong'
      throw new Problem('wrong-password', { errors: [{ field: 'currentPassword', message }] })
    }
    await throttle.clear('passwordCheck', accountId)
  }
