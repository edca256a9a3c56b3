import type { Login } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import type { AccountStore } from '#store/accounts.ts'
import type { Origin } from '#store/audit.ts'
import { foldName } from '#store/fold-name.ts'
import { lineOf } from './network.ts'
import { hashPassword, needsRehash, verifyPassword } from './passwords.ts'
import type { Throttle } from './throttle.ts'
import type { TwoFactor } from './two-factor.ts'

/**
 * @returns the account's id
 * @throws Problem `invalid-credentials` | `account-disabled` | `two-factor-required` | `two-factor-invalid` | `too-many-requests`
 */
export type SignIn = (login: Login, by: Origin) => Promise<string>

/** Every attempt counts from its start, so that many at once gain nothing; a rightful one is taken back. */
export const createSignIn =
  (accounts: AccountStore, twoFactor: TwoFactor, throttle: Throttle): SignIn =>
  async ({ username, password, code }, by) => {
    const line = lineOf(by.clientAddress ?? '')
    const name = foldName(username)
    const pair = `${line} ${name}`
    await Promise.all([
      throttle.count('signInByAddress', line),
      throttle.count('signInByAccount', name),
      throttle.count('signInByPair', pair),
    ])
    const credentials = await accounts.findCredentials(username)
    if (!(await verifyPassword(password, credentials?.passwordHash)) || !credentials) {
      throw new Problem('invalid-credentials')
    }
    await Promise.all([
      throttle.forgive('signInByAddress', line),
      throttle.forgive('signInByAccount', name),
      throttle.clear('signInByPair', pair),
    ])
    const { accountId, passwordHash, isDisabled } = credentials
    if (isDisabled) throw new Problem('account-disabled')
    await twoFactor.check(accountId, code, by)
    if (needsRehash(passwordHash)) await accounts.rehash(accountId, passwordHash, await hashPassword(password))
    return accountId
  }
