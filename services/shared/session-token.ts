import { hash, randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

const algorithm = 'HS256'
const audience = 'sallyport'

/** A new id: what the store keeps of it, and what the cookie carries. */
export interface IssuedToken {
  idHash: Buffer
  token: string
}

export interface CookieTokens {
  cookieName: string
  issue(lifetimeSeconds: number): Promise<IssuedToken>
  /** @returns SHA-256 of the id; undefined for anything that we did not sign, or that is over */
  verify(token: string | undefined): Promise<Buffer | undefined>
}
export type SessionTokens = CookieTokens

interface CookieTokenOptions {
  secret: string
  /** Whether people reach the site by HTTPS: then the cookie is bound to this host. */
  secure: boolean
}

/** The value of the session cookie: a signed token around an opaque id. The row in Postgres decides. */
export const createSessionTokens = (options: CookieTokenOptions): SessionTokens =>
  createCookieTokens('sallyport', 'sallyport-session+jwt', options)

/** The cookie by which a browser is known again. It opens nothing, and outlives sessions. */
export const createDeviceTokens = (options: CookieTokenOptions): CookieTokens =>
  createCookieTokens('sallyport-device', 'sallyport-device+jwt', options)

function createCookieTokens(name: string, type: string, { secret, secure }: CookieTokenOptions): CookieTokens {
  const key = new TextEncoder().encode(secret)
  return {
    cookieName: secure ? `__Host-${name}` : name,
    async issue(lifetimeSeconds) {
      const id = randomBytes(32).toString('base64url')
      const token = await new SignJWT({ jti: id })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setAudience(audience)
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(key)
      return { idHash: hashOf(id), token }
    },
    async verify(token) {
      if (!token) return undefined
      const options = { algorithms: [algorithm], audience, typ: type, requiredClaims: ['exp'] }
      try {
        const { payload } = await jwtVerify(token, key, options)
        return payload.jti ? hashOf(payload.jti) : undefined
      } catch {
        return undefined
      }
    },
  }
}

const hashOf = (id: string): Buffer => hash('sha256', id, 'buffer')
