import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyPluginOptions, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { LRUCache } from 'lru-cache'
import { atMost } from '#core/limits/at-most.ts'
import type { User } from '#schemas/account.ts'
import type { ManagementArea } from '#schemas/management-keys.ts'
import { Problem } from '#core/problem.ts'
import { day, second } from '#core/units.ts'
import { createCredentialLookUps } from '#shared/credential-look-ups.ts'
import type { CookieTokens } from '#shared/session-token.ts'
import type { ManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import type { SessionStore } from '#store/postgres/sign-in/sessions.ts'
import type { IsLive, SignedIn } from '#store/postgres/sign-in/signed-in.ts'
import { auditSourceOf, networkOf } from '../sign-in/client-address.ts'
import { deviceOf } from '../sign-in/device.ts'
import type { CheckedPassword } from '../sign-in/sign-in.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { managementKeyOf, signInByKey } from './management-key.ts'
import { requireNamedAccount } from './named-account.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sessions: ReturnType<typeof createSessions>
  }
  interface FastifyRequest {
    /** Set by `requireSession`; otherwise, the properties below throw Problem `unauthorized`. */
    signedIn: SignedIn | undefined
    readonly user: User
    /** Throws Problem `key-scope` for a management key. */
    readonly sessionId: string
    /** True if this session confirmed the password recently, or if the management key needs no confirmation. */
    readonly isConfirmed: boolean
  }
}

interface SessionOptions {
  sessions: SessionStore
  keys: ManagementKeyStore
  tokens: CookieTokens
  deviceTokens: CookieTokens
  /** True if users reach the site by HTTPS. */
  secure: boolean
}

/** The session cookie is a signed token that contains only an opaque id of a row in Postgres. */
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
        const { credential } = requireSignedIn(this)
        if (credential.kind !== 'session') throw new Problem('key-scope')
        return credential.id
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

interface RequireSessionOptions {
  area: ManagementArea | undefined
  throttle: Pick<Throttle, 'count'>
  isLive: IsLive
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Every route in this context requires a session, or a management key for its area. Changes are limited. */
export const requireSession = fp<RequireSessionOptions>(
  async (app, { area, throttle, isLive }) => {
    const byKey = area ? [{ managementKey: [] }] : []
    app.addHook('onRoute', (route) => {
      route.schema = { security: [{ session: [] }, ...byKey], ...route.schema }
    })
    app.addHook('onRequest', async (request) => {
      const key = managementKeyOf(request)
      request.signedIn = key ? await app.sessions.resolveKey(key, request, area) : await app.sessions.resolve(request)
      const { user, credential } = requireSignedIn(request)
      if (isRead(request)) return
      // A key has a limit of its own, and so has a session where other sessions and keys are ended: a stolen one must not
      // keep its owner from ending it.
      await throttle.count('change', credential.kind === 'session' && area ? user.id : credential.id)
    })
    // Its owner may have ended a stolen credential while the body arrived slowly, or while the request waited for its turn.
    app.addHook('preHandler', async (request) => {
      const { user, credential } = requireSignedIn(request)
      if (!isRead(request) && !(await isLive(user.id, credential))) throw new Problem('unauthorized')
    })
  },
  { name: 'require-session', dependencies: ['session'] },
)

/** Routes that can only be registered after `requireSession`. */
export const signedInRoutes = <Options extends FastifyPluginOptions>(routes: FastifyPluginAsyncZod<Options>) =>
  fp(routes, { dependencies: ['require-session'], encapsulate: true })

/** @throws Problem `unauthorized` */
export function requireSignedIn({ signedIn }: FastifyRequest): SignedIn {
  if (!signedIn) throw new Problem('unauthorized')
  return signedIn
}

function createSessions({ sessions, keys, tokens, deviceTokens, secure }: SessionOptions) {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  const device = createDeviceCookie(deviceTokens, attributes)
  /** In turn by account, by session until its account is known, or by client address for management keys. */
  const lookUps = createCredentialLookUps()
  const accountIds = new LRUCache<string, string>(atMost(10_000))

  /** Prepares a session: the row to store, and a function that sets the cookies once the row is stored. */
  async function prepare(request: FastifyRequest) {
    const source = auditSourceOf(request)
    const { idHash, token } = await tokens.issue(sessions.absoluteSeconds)
    const { idHash: deviceHash, setCookie } = await device.prepare(request)
    return {
      row: { ...source, idHash, device: deviceOf(source.userAgent), network: networkOf(request.ip), deviceHash },
      setCookies(reply: FastifyReply): void {
        reply.setCookie(tokens.cookieName, token, { ...attributes, maxAge: sessions.absoluteSeconds })
        setCookie(reply)
      },
    }
  }

  /** @throws Problem `other_account` if the request names another account than the signed-in one */
  async function resolve(request: FastifyRequest): Promise<SignedIn | undefined> {
    const idHash = await tokens.verify(request.cookies[tokens.cookieName])
    if (!idHash) return undefined
    const key = idHash.toString('hex')
    const signedIn = await lookUps.run(accountIds.get(key) ?? key, () => sessions.resolve(idHash))
    if (!signedIn) return undefined
    accountIds.set(key, signedIn.user.id)
    requireNamedAccount(request, signedIn.user.id)
    return signedIn
  }

  const clearCookie = (reply: FastifyReply) => void reply.clearCookie(tokens.cookieName, attributes)

  return {
    device,
    prepare,
    resolve,
    resolveKey: (key: string, request: FastifyRequest, area: ManagementArea | undefined) =>
      signInByKey(keys, lookUps, key, request, area),
    clearCookie,
    async start(
      { accountId, passwordHash }: CheckedPassword,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<void> {
      const { row, setCookies } = await prepare(request)
      await sessions.create(accountId, passwordHash, row)
      setCookies(reply)
    },
    async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const signedIn = await resolve(request)
      if (signedIn) await sessions.end(signedIn.user.id, signedIn.credential.id, 'signed-out', auditSourceOf(request))
      clearCookie(reply)
    },
  }
}

const deviceLifetimeSeconds = (365 * day) / second

/** Recognizes browsers that signed in before. Unlike a user agent or an address, a signed random id can't be forged. */
function createDeviceCookie(tokens: CookieTokens, attributes: CookieSerializeOptions) {
  /** @returns SHA-256 of the browser's id; undefined without a valid cookie */
  const read = (request: FastifyRequest) => tokens.verify(request.cookies[tokens.cookieName])
  return {
    read,

    /** The browser's id, or a new one. Call `setCookie` once its hash is stored. */
    async prepare(request: FastifyRequest): Promise<{ idHash: Buffer; setCookie(reply: FastifyReply): void }> {
      const known = await read(request)
      if (known) return { idHash: known, setCookie: () => undefined }
      const { idHash, token } = await tokens.issue(deviceLifetimeSeconds)
      const kept = { ...attributes, maxAge: deviceLifetimeSeconds }
      return { idHash, setCookie: (reply) => void reply.setCookie(tokens.cookieName, token, kept) }
    },
  }
}
