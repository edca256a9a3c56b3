import { networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { rejectField } from '#core/problem.ts'
import { isForbiddenHost } from '#shared/address-guard.ts'
import { createOutgoingRules } from '#shared/outgoing-rules.ts'

interface CheckedUrl {
  url: URL
  field: string
  label: string
  /** Message for a URL that leads to this gateway itself. */
  ownMessage: string
}

export type UrlCheck = ReturnType<typeof createUrlCheck>

/** Rejects users' URLs that lead to forbidden addresses or to this gateway. */
export function createUrlCheck(config: Config, lookups: SharedLimit) {
  const rules = createOutgoingRules(config, lookups)
  const { isAllowed, resolve } = rules
  return {
    rules,
    /** @throws Problem `invalid-request` */
    async check(request: FastifyRequest, { url, field, label, ownMessage }: CheckedUrl): Promise<void> {
      if (await isForbiddenHost(url.hostname, isAllowed, (name) => resolve(request.user.id, name))) {
        throw rejectField(field, `${label} must not lead to a private or reserved address`)
      }
      if (isOwn(url, request, config)) throw rejectField(field, ownMessage)
    },
  }
}

/** Recognizes this gateway without resolving names. */
function isOwn(url: URL, request: FastifyRequest, { publicUrl, host, port }: Config): boolean {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl)
  const requested = new URL(`${request.protocol}://${request.host}`)
  if ([published, requested].some((own) => own?.host === url.host)) return true
  const ports = [String(port), portOf(requested)]
  return ports.includes(portOf(url)) && (url.hostname === host || isThisMachine(url.hostname))
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')

function isThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1?)$/.test(name)) return true
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === name))
}
