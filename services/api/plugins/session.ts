import { hash, randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import type { User } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import type { SessionStore } from '#store/sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; set on every route behind `requireSession`. */
    user: User
  }
}

const algorithm = 'HS256'
const type = 'sallyport-session+jwt'
const audience = 'sallyport'

export interface SessionOptions {
  sessions: SessionStore
  secret: string
  /** Whether people reach the site by HTTPS: then the cookie is `Secure` and bound to this host. */
  secure: boolean
}

export interface Sessions {
  /** Signs in: always a new session, never one that was there before. */
  start(accountId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** @returns undefined when nobody is signed in */
  resolve(request: FastifyRequest): Promise<User | undefined>
}

/** The cookie is a signed token that holds nothing but an opaque id; the row in Postgres decides. */
export async function createSessions(
  app: FastifyInstance,
  { sessions, secret, secure }: SessionOptions,
): Promise<Sessions> {
  await app.register(cookie)
  app.decorateRequest('user', null as unknown as User)
  const key = new TextEncoder().encode(secret)
  const name = secure ? '__Host-sallyport' : 'sallyport'
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const

  async function sessionHash(request: FastifyRequest): Promise<Buffer | undefined> {
    const sent = request.cookies[name]
    if (!sent) return undefined
    try {
      const { payload } = await jwtVerify(sent, key, { algorithms: [algorithm], audience, typ: type })
      return payload.jti ? hashOf(payload.jti) : undefined
    } catch {
      return undefined
    }
  }

  return {
    async start(accountId, request, reply) {
      const id = randomBytes(32).toString('base64url')
      await sessions.create(accountId, {
        idHash: hashOf(id),
        clientAddress: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
      })
      const token = await new SignJWT({ jti: id })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setAudience(audience)
        .sign(key)
      reply.setCookie(name, token, { ...attributes, maxAge: sessions.absoluteSeconds })
    },
    async end(request, reply) {
      const idHash = await sessionHash(request)
      const user = idHash && (await sessions.resolve(idHash))
      if (idHash && user) await sessions.end(user.id, idHash)
      reply.clearCookie(name, attributes)
    },
    async resolve(request) {
      const idHash = await sessionHash(request)
      return idHash && sessions.resolve(idHash)
    },
  }
}

/** Everything in this context is answered to the signed-in only. */
export function requireSession(app: FastifyInstance, sessions: Sessions): void {
  app.addHook('onRequest', async (request) => {
    const user = await sessions.resolve(request)
    if (!user) throw new Problem('unauthorized')
    request.user = user
  })
}

const hashOf = (id: string): Buffer => hash('sha256', id, 'buffer')
