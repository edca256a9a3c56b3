import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { product } from '#schemas/product.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const { tokenPrefix, managementKeyPrefix } = product
type Prefix = typeof tokenPrefix | typeof managementKeyPrefix

const shapeOf = (prefix: Prefix) => new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`)
const shapes = { [tokenPrefix]: shapeOf(tokenPrefix), [managementKeyPrefix]: shapeOf(managementKeyPrefix) }

/** Creates a token: prefix, 32 base62 characters from a CSPRNG (190 bits), 6 characters of CRC-32. */
export function mintToken(prefix: Prefix = tokenPrefix): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return prefix + secret + checksum(prefix + secret)
}

/** Rejects typos and guesses by shape and checksum, before any look-up. */
export function isWellFormedToken(token: string, prefix: Prefix = tokenPrefix): boolean {
  return shapes[prefix].test(token) && token.slice(-checksumLength) === checksum(token.slice(0, -checksumLength))
}

/** The stored hash of a token: SHA-256, 32 bytes. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Hashes to base64 directly, which is faster than converting the bytes. */
export const hashTokenText = (token: string): string => hash('sha256', token, 'base64')

function checksum(text: string): string {
  let rest = crc32(text)
  let encoded = ''
  for (let place = 0; place < checksumLength; place += 1) {
    encoded = alphabet[rest % alphabet.length] + encoded
    rest = Math.floor(rest / alphabet.length)
  }
  return encoded
}
