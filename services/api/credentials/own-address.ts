import { networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'

export type IsOwnAddress = ReturnType<typeof createIsOwnAddress>

/** Recognizes base URLs that lead to this gateway itself, without resolving names. */
export function createIsOwnAddress({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>) {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl)
  return (baseUrl: URL, request: FastifyRequest): boolean => {
    const requested = new URL(`${request.protocol}://${request.host}`)
    if ([published, requested].some((own) => own?.host === baseUrl.host)) return true
    const ports = [String(port), portOf(requested)]
    return ports.includes(portOf(baseUrl)) && (baseUrl.hostname === host || isOfThisMachine(baseUrl.hostname))
  }
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')

function isOfThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1?)$/.test(name)) return true
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === name))
}
