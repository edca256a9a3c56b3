import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#schemas/account.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { Problem } from '#core/problem.ts'
import type { CookieTokens, SessionTokens } from '#shared/session-token.ts'
import type { NewSession, SessionStore, SignedIn } from '#store/postgres/sign-in/sessions.ts'
import { deviceOf } from '../sign-in/device.ts'
import { networkOf } from '../sign-in/network.ts'
import { originOf } from '../sign-in/origin.ts'
import { createDeviceCookie, type DeviceCookie } from './device-cookie.ts'
import { requireNamedAccount } from './named-account.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, and by which session; set on every route behind `requireSession`. */
    user: User
    sessionId: string
    /** Whether this session confirmed the password a short time ago. */
    isConfirmed: boolean
  }
}

export interface SessionOptions {
  sessions: SessionStore
  tokens: SessionTokens
  deviceTokens: CookieTokens
  invalidate: Invalidate
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
export async function createSessions(
  app: FastifyInstance,
  { sessions, tokens, deviceTokens, invalidate, secure }: SessionOptions,
): Promise<Sessions> {
  await app.register(cookie)
  app.decorateRequest('user', null as unknown as User)
  app.decorateRequest('sessionId', '')
  app.decorateRequest('isConfirmed', false)
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  const device = createDeviceCookie(deviceTokens, attributes)

  async function prepare(request: FastifyRequest): Promise<PreparedSession> {
    const origin = originOf(request)
    const { idHash, token } = await tokens.issue(sessions.absoluteSeconds)
    const { idHash: deviceHash, setCookie } = await device.prepare(request)
    return {
      row: { ...origin, idHash, device: deviceOf(origin.userAgent), network: networkOf(request.ip), deviceHash },
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
      if (signedIn) {
        await sessions.end(signedIn.user.id, signedIn.sessionId, 'signed-out', originOf(request))
        await invalidate(signedIn.user.id)
      }
      clearCookie(reply)
    },
    clearCookie,
    device,
    resolve,
  }
}

/** Everything in this context is answered to the signed-in only. */
export function requireSession(app: FastifyInstance, sessions: Sessions): void {
  app.addHook('onRoute', (route) => {
    route.schema = { security: [{ session: [] }], ...route.schema }
  })
  app.addHook('onRequest', async (request) => {
    const signedIn = await sessions.resolve(request)
    if (!signedIn) throw new Problem('unauthorized')
    request.user = signedIn.user
    request.sessionId = signedIn.sessionId
    request.isConfirmed = signedIn.isConfirmed
  })
}
