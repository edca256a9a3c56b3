import { networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'

/** Whether a base URL leads to this gateway itself, as far as its address says. */
export type IsOwnAddress = (baseUrl: URL, request: FastifyRequest) => boolean

export function createIsOwnAddress({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): IsOwnAddress {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl)
  return (baseUrl, request) => {
    const asked = new URL(`${request.protocol}://${request.host}`)
    if ([published, asked].some((own) => own?.host === baseUrl.host)) return true
    const ports = [String(port), portOf(asked)]
    return ports.includes(portOf(baseUrl)) && (baseUrl.hostname === host || isOfThisMachine(baseUrl.hostname))
  }
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')

function isOfThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1?)$/.test(name)) return true
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === name))
}
