import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#core/config.ts'
import { Problem } from '#core/problem.ts'
import { sendProblem } from './send-problem.ts'

export type IsKnownHost = (request: IncomingMessage) => boolean

type HostConfig = Pick<Config, 'allowedHosts' | 'host' | 'publicUrl' | 'trustedProxies'>

const loopback = /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/

const wildcards = new Set(['0.0.0.0', '::'])

/**
 * Protects against DNS rebinding: browsers treat a foreign page as same-origin once its host name resolves to this
 * server, so only the host name reveals it. A name that a trusted proxy forwards is checked as well.
 */
export function createKnownHosts({ allowedHosts, host, publicUrl, trustedProxies }: HostConfig): IsKnownHost {
  const known = new Set(allowedHosts.map((name) => hostnameOf(name)))
  if (publicUrl !== undefined) known.add(new URL(publicUrl).hostname)
  if (!wildcards.has(host)) known.add(hostnameOf(isIP(host) === 6 ? `[${host}]` : host))
  const isKnown = (sent: string) => {
    const name = hostnameOf(sent)
    return name !== undefined && (loopback.test(name) || known.has(name))
  }
  return ({ headers }) => {
    const forwarded = trustedProxies.length > 0 ? String(headers['x-forwarded-host'] ?? '') : ''
    return (
      isKnown(headers.host ?? '') && (forwarded === '' || forwarded.split(',').every((sent) => isKnown(sent.trim())))
    )
  }
}

/** Rejects all requests in this context that were sent to another host name. */
export function requireKnownHost(app: FastifyInstance, isKnownHost: IsKnownHost): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isKnownHost(request.raw)) return sendProblem(request, reply, new Problem('unknown-host'))
  })
}

/** Without the port, in the form of URLs. */
const hostnameOf = (host: string) =>
  /[/?#@\\]/.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
