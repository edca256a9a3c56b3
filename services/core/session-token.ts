import { hash, randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

const algorithm = 'HS256'
const type = 'sallyport-session+jwt'
const audience = 'sallyport'

/** A new session: what the store keeps of it, and what the cookie carries. */
export interface IssuedSession {
  idHash: Buffer
  token: string
}

export interface SessionTokens {
  cookieName: string
  issue(lifetimeSeconds: number): Promise<IssuedSession>
  /** @returns SHA-256 of the session's id; undefined for anything that we did not sign, or that is over */
  verify(token: string | undefined): Promise<Buffer | undefined>
}

interface SessionTokenOptions {
  secret: string
  /** Whether people reach the site by HTTPS: then the cookie is bound to this host. */
  secure: boolean
}

/** What the session cookie holds: a signed token around an opaque id, and nothing else. The row in Postgres decides. */
export function createSessionTokens({ secret, secure }: SessionTokenOptions): SessionTokens {
  const key = new TextEncoder().encode(secret)
  return {
    cookieName: secure ? '__Host-sallyport' : 'sallyport',
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
