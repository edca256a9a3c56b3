import type { Login } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import { type AccountStore, foldName } from '#store/accounts.ts'
import { hashPassword, needsRehash, verifyPassword } from './passwords.ts'
import type { Throttle } from './throttle.ts'

/** @returns the account's id; throws Problem `invalid-credentials` | `too-many-requests` */
export type SignIn = (login: Login, address: string) => Promise<string>

/** Every attempt counts from its start, so that many at once gain nothing; a rightful one is taken back. */
export const createSignIn =
  (accounts: AccountStore, throttle: Throttle): SignIn =>
  async ({ username, password }, address) => {
    const name = foldName(username)
    const pair = `${address} ${name}`
    await Promise.all([
      throttle.count('signInByAddress', address),
      throttle.count('signInByAccount', name),
      throttle.count('signInByPair', pair),
    ])
    const credentials = await accounts.findCredentials(username)
    if (!(await verifyPassword(password, credentials?.passwordHash)) || !credentials) {
      throw new Problem('invalid-credentials')
    }
    await Promise.all([
      throttle.forgive('signInByAddress', address),
      throttle.forgive('signInByAccount', name),
      throttle.clear('signInByPair', pair),
    ])
    const { accountId, passwordHash } = credentials
    if (needsRehash(passwordHash)) await accounts.rehash(accountId, passwordHash, await hashPassword(password))
    return accountId
  }
