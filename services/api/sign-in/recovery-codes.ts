import { hash, randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'

const count = 10
const bytes = 10

/** New codes, 80 random bits each, in groups that can be typed. */
export const mintRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(bytes)).buffer })
    return base32.replaceAll(/.{4}(?=.)/g, '$&-')
  })

/** The hash that is stored of a code. Case, spaces and dashes do not matter. */
export const hashRecoveryCode = (accountId: string, code: string): Buffer =>
  hash('sha256', `${accountId} ${code.replaceAll(/[\s-]/g, '').toUpperCase()}`, 'buffer')
