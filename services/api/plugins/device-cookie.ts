import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieTokens } from '#shared/session-token.ts'

const lifetimeSeconds = 365 * 24 * 3_600

/** Recognizes browsers that signed in before. Unlike a user agent or an address, a signed random id can't be forged. */
export function createDeviceCookie(tokens: CookieTokens, attributes: CookieSerializeOptions) {
  /** @returns SHA-256 of the browser's id; undefined without a valid cookie */
  const read = (request: FastifyRequest) => tokens.verify(request.cookies[tokens.cookieName])
  return {
    read,

    /** The browser's id, or a new one. Call `setCookie` once its hash is stored. */
    async prepare(request: FastifyRequest): Promise<{ idHash: Buffer; setCookie(reply: FastifyReply): void }> {
      const known = await read(request)
      if (known) return { idHash: known, setCookie: () => undefined }
      const { idHash, token } = await tokens.issue(lifetimeSeconds)
      const cookie = { ...attributes, maxAge: lifetimeSeconds }
      return { idHash, setCookie: (reply) => void reply.setCookie(tokens.cookieName, token, cookie) }
    },
  }
}
