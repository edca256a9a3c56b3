import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieTokens } from '#shared/session-token.ts'

/** Seconds after which a browser is given a new cookie. */
const lifetimeSeconds = 365 * 24 * 3_600

export interface DeviceCookie {
  /** @returns SHA-256 of the browser's id; undefined when it has no cookie of ours */
  read(request: FastifyRequest): Promise<Buffer | undefined>
  /** The browser's id, a new one if it has none. Call `setCookie` once its hash is stored. */
  prepare(request: FastifyRequest): Promise<{ idHash: Buffer; setCookie(reply: FastifyReply): void }>
}

/** Makes a browser known again. A user agent and an address can be copied; a signed random id can not be guessed. */
export function createDeviceCookie(tokens: CookieTokens, attributes: CookieSerializeOptions): DeviceCookie {
  const read = (request: FastifyRequest) => tokens.verify(request.cookies[tokens.cookieName])
  return {
    read,
    async prepare(request) {
      const known = await read(request)
      if (known) return { idHash: known, setCookie: () => undefined }
      const { idHash, token } = await tokens.issue(lifetimeSeconds)
      return {
        idHash,
        setCookie: (reply) =>
          void reply.setCookie(tokens.cookieName, token, { ...attributes, maxAge: lifetimeSeconds }),
      }
    },
  }
}
