import type { Login } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import type { AccountStore } from '#store/postgres/accounts.ts'
import type { AuditSource } from '#store/postgres/audit.ts'
import type { DeviceCookieStore } from '#store/postgres/sign-in/device-cookies.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { rateLimitPrefix } from './client-address.ts'
import { hashPassword, needsRehash, verifyPassword } from '#shared/passwords.ts'
import type { Throttle } from './throttle.ts'
import type { TwoFactor } from './two-factor.ts'

interface SignInOptions {
  accounts: AccountStore
  devices: DeviceCookieStore
  twoFactor: TwoFactor
  throttle: Throttle
}

export interface CheckedPassword {
  accountId: string
  passwordHash: string
}

export type SignIn = ReturnType<typeof createSignIn>

/**
 * Attempts are counted before the password is checked, so that parallel guesses gain nothing; a correct password
 * reverts the count. Browsers that have signed in before have separate counters and a separate hashing queue, so that
 * guesses from elsewhere can't lock the owner out.
 */
export const createSignIn =
  ({ accounts, devices, twoFactor, throttle }: SignInOptions) =>
  /**
   * @param deviceHash from the browser's device cookie
   * @returns the account, and the hash of the checked password
   * @throws Problem `invalid-credentials` | `account-disabled` | `two-factor-required` | `two-factor-invalid` |
   * `too-many-requests` | `conflict` if the password was changed meanwhile
   */
  async (
    { username, password, code }: Login,
    by: AuditSource,
    deviceHash: Buffer | undefined,
  ): Promise<CheckedPassword> => {
    const name = foldName(username)
    const knownDevice = deviceHash && (await devices.isKnown(name, deviceHash)) ? deviceHash : undefined
    const counters = knownDevice ? deviceCounters(knownDevice, name) : addressCounters(by, name)
    for (const [limit, key] of counters) await throttle.count(limit, key)
    const credentials = await accounts.findCredentials(username)
    const isRight = await verifyPassword(password, credentials?.passwordHash, { isKnown: knownDevice !== undefined })
    if (!isRight || !credentials) throw new Problem('invalid-credentials')
    await Promise.all(counters.map(([limit, key]) => throttle.forgive(limit, key)))
    const { accountId, passwordHash, isDisabled } = credentials
    if (isDisabled) throw new Problem('account-disabled')
    await twoFactor.check(accountId, code, by, knownDevice)
    if (!needsRehash(passwordHash)) return { accountId, passwordHash }
    const renewed = await hashPassword(password)
    if (await accounts.rehash(accountId, passwordHash, renewed)) return { accountId, passwordHash: renewed }
    // Another sign-in may have renewed it at the same time.
    const current = await accounts.getPasswordHash(accountId)
    if (!current || !(await verifyPassword(password, current, { isKnown: true }))) throw new Problem('conflict')
    return { accountId, passwordHash: current }
  }

const deviceCounters = (deviceHash: Buffer, name: string) =>
  [['signInByDevice', `${deviceHash.toString('base64url')} ${name}`]] as const

/** The address comes first: once it exceeds its limit, made-up names no longer add counters. */
function addressCounters({ clientAddress }: AuditSource, name: string) {
  const prefix = rateLimitPrefix(clientAddress ?? '')
  return [
    ['signInByAddress', prefix],
    ['signInByPair', `${prefix} ${name}`],
    ['signInByAccount', name],
  ] as const
}
