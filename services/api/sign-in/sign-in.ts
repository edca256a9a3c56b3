import type { Login } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import type { AccountStore } from '#store/postgres/accounts.ts'
import type { AuditSource } from '#store/postgres/audit.ts'
import type { DeviceCookieStore } from '#store/postgres/sign-in/device-cookies.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { rateLimitPrefix } from './network.ts'
import { hashPassword, needsRehash, verifyPassword } from '#shared/passwords.ts'
import type { Throttle } from './throttle.ts'
import type { TwoFactor } from './two-factor.ts'

/**
 * @param deviceHash of the browser's cookie, if it has one
 * @returns the account's id
 * @throws Problem `invalid-credentials` | `account-disabled` | `two-factor-required` | `two-factor-invalid` | `too-many-requests`
 */
export type SignIn = (login: Login, by: AuditSource, deviceHash: Buffer | undefined) => Promise<string>

interface SignInOptions {
  accounts: AccountStore
  devices: DeviceCookieStore
  twoFactor: TwoFactor
  throttle: Throttle
}

/**
 * Every attempt counts from its start, so that many at once gain nothing; a rightful one is taken back. A browser that
 * the account has signed in from before is counted apart, and has its password checked apart: whatever strangers do,
 * the owner gets in.
 */
export const createSignIn =
  ({ accounts, devices, twoFactor, throttle }: SignInOptions): SignIn =>
  async ({ username, password, code }, by, deviceHash) => {
    const name = foldName(username)
    const knownDevice = deviceHash && (await devices.isKnown(name, deviceHash)) ? deviceHash : undefined
    const counters = knownDevice ? ownCounters(knownDevice, name) : strangersCounters(by, name)
    for (const [limit, key] of counters) await throttle.count(limit, key)
    const credentials = await accounts.findCredentials(username)
    const isRight = await verifyPassword(password, credentials?.passwordHash, { isKnown: knownDevice !== undefined })
    if (!isRight || !credentials) throw new Problem('invalid-credentials')
    await Promise.all(counters.map(([limit, key]) => throttle.forgive(limit, key)))
    const { accountId, passwordHash, isDisabled } = credentials
    if (isDisabled) throw new Problem('account-disabled')
    await twoFactor.check(accountId, code, by, knownDevice)
    if (needsRehash(passwordHash)) await accounts.rehash(accountId, passwordHash, await hashPassword(password))
    return accountId
  }

const ownCounters = (deviceHash: Buffer, name: string) =>
  [['signInByDevice', `${deviceHash.toString('base64url')} ${name}`]] as const

/** The address comes first: once it has to wait, nothing is counted by the names that it makes up. */
function strangersCounters({ clientAddress }: AuditSource, name: string) {
  const line = rateLimitPrefix(clientAddress ?? '')
  return [
    ['signInByAddress', line],
    ['signInByPair', `${line} ${name}`],
    ['signInByAccount', name],
  ] as const
}
