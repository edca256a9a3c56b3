import cookie from '@fastify/cookie'
import type { FastifyPluginOptions, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { User } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import type { CookieTokens, SessionTokens } from '#shared/session-token.ts'
import type { NewSession, SessionStore, SignedIn } from '#store/postgres/sign-in/sessions.ts'
import { deviceOf } from '../sign-in/device.ts'
import { networkOf } from '../sign-in/network.ts'
import { auditSourceOf } from '../sign-in/audit-source.ts'
import { createDeviceCookie, type DeviceCookie } from './device-cookie.ts'
import { requireNamedAccount } from './named-account.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions
  }
  interface FastifyRequest {
    /** Set by `requireSession`; without it the fields below throw Problem `unauthorized`. */
    signedIn: SignedIn | undefined
    readonly user: User
    readonly sessionId: string
    /** Whether this session confirmed the password a short time ago. */
    readonly isConfirmed: boolean
  }
}

export interface SessionOptions {
  sessions: SessionStore
  tokens: SessionTokens
  deviceTokens: CookieTokens
  /** Whether people reach the site by HTTPS. */
  secure: boolean
}

/** A session that is about to be: a row for the store, and the cookies that name it and the browser. */
export interface PreparedSession {
  row: NewSession
  /** Call it once the row is stored. */
  setCookies(reply: FastifyReply): void
}

export interface Sessions {
  /** Always a new session, never one that was there before. */
  prepare(request: FastifyRequest): Promise<PreparedSession>
  /** Signs in. */
  start(accountId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
  clearCookie(reply: FastifyReply): void
  device: DeviceCookie
  /**
   * @returns undefined when nobody is signed in
   * @throws Problem when the call names another account than the one that is signed in
   */
  resolve(request: FastifyRequest): Promise<SignedIn | undefined>
}

/** The session's cookie is a signed token that holds nothing but an opaque id; the row in Postgres decides. */
export const session = fp<SessionOptions>(
  async (app, options) => {
    await app.register(cookie)
    app.decorate('sessions', createSessions(options))
    app.decorateRequest('signedIn', undefined)
    app.decorateRequest('user', {
      getter(this: FastifyRequest) {
        return requireSignedIn(this).user
      },
    })
    app.decorateRequest('sessionId', {
      getter(this: FastifyRequest) {
        return requireSignedIn(this).sessionId
      },
    })
    app.decorateRequest('isConfirmed', {
      getter(this: FastifyRequest) {
        return requireSignedIn(this).isConfirmed
      },
    })
  },
  { name: 'session', dependencies: ['known-host'] },
)

/** Every route in this context needs a session. */
export const requireSession = fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      route.schema = { security: [{ session: [] }], ...route.schema }
    })
    app.addHook('onRequest', async (request) => {
      request.signedIn = await app.sessions.resolve(request)
      requireSignedIn(request)
    })
  },
  { name: 'require-session', dependencies: ['session'] },
)

/** Routes that can only be registered behind `requireSession`. */
export const signedInRoutes = <Options extends FastifyPluginOptions>(routes: FastifyPluginAsyncZod<Options>) =>
  fp(routes, { dependencies: ['require-session'], encapsulate: true })

function requireSignedIn({ signedIn }: FastifyRequest): SignedIn {
  if (!signedIn) throw new Problem('unauthorized')
  return signedIn
}

function createSessions({ sessions, tokens, deviceTokens, secure }: SessionOptions): Sessions {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  const device = createDeviceCookie(deviceTokens, attributes)

  async function prepare(request: FastifyRequest): Promise<PreparedSession> {
    const source = auditSourceOf(request)
    const { idHash, token } = await tokens.issue(sessions.absoluteSeconds)
    const { idHash: deviceHash, setCookie } = await device.prepare(request)
    return {
      row: { ...source, idHash, device: deviceOf(source.userAgent), network: networkOf(request.ip), deviceHash },
      setCookies(reply) {
        reply.setCookie(tokens.cookieName, token, { ...attributes, maxAge: sessions.absoluteSeconds })
        setCookie(reply)
      },
    }
  }

  async function resolve(request: FastifyRequest): Promise<SignedIn | undefined> {
    const idHash = await tokens.verify(request.cookies[tokens.cookieName])
    const signedIn = idHash && (await sessions.resolve(idHash))
    if (signedIn) requireNamedAccount(request, signedIn.user.id)
    return signedIn
  }

  const clearCookie = (reply: FastifyReply) => void reply.clearCookie(tokens.cookieName, attributes)

  return {
    prepare,
    async start(accountId, request, reply) {
      const { row, setCookies } = await prepare(request)
      await sessions.create(accountId, row)
      setCookies(reply)
    },
    async end(request, reply) {
      const signedIn = await resolve(request)
      if (signedIn) await sessions.end(signedIn.user.id, signedIn.sessionId, 'signed-out', auditSourceOf(request))
      clearCookie(reply)
    },
    clearCookie,
    device,
    resolve,
  }
}
