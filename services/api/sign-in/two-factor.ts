import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { product } from '#schemas/product.ts'
import type { TwoFactorSetup } from '#schemas/two-factor.ts'
import { Problem } from '#core/problem.ts'
import type { Vault } from '#shared/vault.ts'
import type { AuditSource } from '#store/postgres/audit.ts'
import { twoFactorContext, type TwoFactorStore } from '#store/postgres/sign-in/two-factor.ts'
import type { Throttle } from './throttle.ts'

/** Tolerated clock difference, in steps of 30 s. */
const window = 1

const recoveryCodes = 10
const recoveryCodeBytes = 10

export type TwoFactor = ReturnType<typeof createTwoFactor>

export function createTwoFactor(store: TwoFactorStore, vault: Vault, throttle: Throttle) {
  const open = (accountId: string, sealed: Buffer) => vault.open(sealed, twoFactorContext(accountId))

  async function isValid(accountId: string, sealedSecret: Buffer, code: string, by: AuditSource): Promise<boolean> {
    const digits = code.replaceAll(' ', '')
    if (!/^\d{6}$/.test(digits)) return store.useRecoveryCode(accountId, hashRecoveryCode(accountId, code), by)
    if (vault.isLost(sealedSecret)) {
      const detail =
        'Codes of your app can no longer be checked. Use a recovery code, or ask the operator of this server.'
      throw new Problem('secret-lost', { detail })
    }
    const step = stepOf(open(accountId, sealedSecret), digits)
    return step !== undefined && store.useStep(accountId, step)
  }

  return {
    /** Creates a secret, which has no effect before `enable`. */
    async prepare(accountId: string, username: string): Promise<TwoFactorSetup> {
      const secret = new Secret({ size: 20 }).base32
      await store.prepare(accountId, vault.seal(secret, twoFactorContext(accountId)))
      return { secret, uri: totp(secret, username).toString() }
    },

    /**
     * @returns recovery codes
     * @throws Problem `two-factor-invalid` | `two-factor-enabled` | `two-factor-disabled` | `secret-lost` | `conflict`
     */
    async enable(accountId: string, code: string, by: AuditSource): Promise<string[]> {
      await throttle.count('twoFactorCode', accountId)
      const stored = await store.get(accountId)
      if (!stored) throw new Problem('two-factor-disabled')
      if (stored.isEnabled) throw new Problem('two-factor-enabled')
      if (vault.isLost(stored.sealedSecret)) {
        throw new Problem('secret-lost', { detail: 'Codes of this set-up can no longer be checked. Set it up again.' })
      }
      const step = stepOf(open(accountId, stored.sealedSecret), code.replaceAll(' ', ''))
      if (step === undefined) throw wrongCode()
      const codes = mintRecoveryCodes()
      await store.enable(accountId, { sealedSecret: stored.sealedSecret, step }, hashAll(accountId, codes), by)
      await throttle.forgive('twoFactorCode', accountId)
      return codes
    },

    async renewRecoveryCodes(accountId: string, by: AuditSource): Promise<string[]> {
      const codes = mintRecoveryCodes()
      await store.renewCodes(accountId, hashAll(accountId, codes), by)
      return codes
    },

    /**
     * The second step of a sign-in.
     * @param knownDevice hash of a browser that has signed in to the account before; its guesses are counted separately
     * @throws Problem `two-factor-required` | `two-factor-invalid` | `secret-lost` | `too-many-requests`
     */
    async check(accountId: string, code: string | undefined, by: AuditSource, knownDevice: Buffer | undefined) {
      const stored = await store.get(accountId)
      if (!stored?.isEnabled) return
      if (!code) throw new Problem('two-factor-required')
      const key = knownDevice ? `${knownDevice.toString('base64url')} ${accountId}` : accountId
      await throttle.count('twoFactorCode', key)
      if (!(await isValid(accountId, stored.sealedSecret, code, by))) throw wrongCode()
      await throttle.forgive('twoFactorCode', key)
    },
  }
}

const totp = (secret: string, label = '') =>
  new TOTP({ issuer: product.name, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })

/** The time step of a code; undefined if the code is not valid now. */
function stepOf(secret: string, code: string): number | undefined {
  const generator = totp(secret)
  const timestamp = Date.now()
  const delta = generator.validate({ token: code, timestamp, window })
  return delta === null ? undefined : generator.counter({ timestamp }) + delta
}

/** Creates codes of 80 random bits each, in groups that are easy to type. */
const mintRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(recoveryCodeBytes)).buffer })
    return base32.replaceAll(/.{4}(?=.)/g, '$&-')
  })

/** Ignores case, spaces and dashes. */
const hashRecoveryCode = (accountId: string, code: string): Buffer =>
  hash('sha256', `${accountId} ${code.replaceAll(/[\s-]/g, '').toUpperCase()}`, 'buffer')

const hashAll = (accountId: string, codes: readonly string[]) => codes.map((code) => hashRecoveryCode(accountId, code))

const wrongCode = () =>
  new Problem('two-factor-invalid', {
    errors: [{ field: 'code', message: 'That code is wrong, has expired or was used before.' }],
  })
