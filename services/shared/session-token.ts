import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { hashToken } from './secure-token.ts'

const algorithm = 'HS256'
const audience = 'sallyport'

export type CookieTokens = ReturnType<typeof createCookieTokens>

interface CookieTokenOptions {
  secret: string
  /** True if browsers use HTTPS; the cookie is then bound to this host. */
  secure: boolean
}

/** Session cookies: signed tokens with an opaque id. The row in Postgres decides whether a session is valid. */
export const createSessionTokens = (options: CookieTokenOptions): CookieTokens =>
  createCookieTokens('sallyport', 'sallyport-session+jwt', options)

/** Device cookies recognise a browser. They grant nothing, and outlive sessions. */
export const createDeviceTokens = (options: CookieTokenOptions): CookieTokens =>
  createCookieTokens('sallyport-device', 'sallyport-device+jwt', options)

function createCookieTokens(name: string, type: string, { secret, secure }: CookieTokenOptions) {
  const key = new TextEncoder().encode(secret)
  return {
    cookieName: secure ? `__Host-${name}` : name,
    /** @returns the value of the cookie, and the hash of its id for the store */
    async issue(lifetimeSeconds: number) {
      const id = randomBytes(32).toString('base64url')
      const token = await new SignJWT({ jti: id })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setAudience(audience)
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(key)
      return { idHash: hashToken(id), token }
    },
    /** @returns the hash of the id; undefined if the token is invalid or expired */
    async verify(token: string | undefined): Promise<Buffer | undefined> {
      if (!token) return undefined
      const options = { algorithms: [algorithm], audience, typ: type, requiredClaims: ['exp'] }
      try {
        const { payload } = await jwtVerify(token, key, options)
        return payload.jti ? hashToken(payload.jti) : undefined
      } catch {
        return undefined
      }
    },
  }
}
