import { hash, randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'

const count = 10
const bytes = 10

/** Creates codes of 80 random bits each, in groups that are easy to type. */
export const mintRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(bytes)).buffer })
    return base32.replaceAll(/.{4}(?=.)/g, '$&-')
  })

/** Ignores case, spaces and dashes. */
export const hashRecoveryCode = (accountId: string, code: string): Buffer =>
  hash('sha256', `${accountId} ${code.replaceAll(/[\s-]/g, '').toUpperCase()}`, 'buffer')
