import type { Config } from '#core/config.ts'

/** @returns the URL of the proxy for requests to a host, as the URL parser spells it; undefined: none */
export type EgressProxyOf = (hostname: string) => string | undefined

/** @param config `upstreamNoProxy`: addresses and names that are reached directly, with all of their subdomains */
export function createEgressProxyOf({
  upstreamProxyUrl,
  upstreamNoProxy,
}: Pick<Config, 'upstreamProxyUrl' | 'upstreamNoProxy'>): EgressProxyOf {
  const direct = upstreamNoProxy.map((name) => `.${bare(name)}`)
  return (hostname) => (direct.some((end) => `.${bare(hostname)}`.endsWith(end)) ? undefined : upstreamProxyUrl)
}

const bare = (host: string) => host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
