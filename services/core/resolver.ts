import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { atMost } from './limits/at-most.ts'
import type { SharedLimit } from './limits/shared-limit.ts'
import { cachedFor } from './cached-for.ts'
import { minute, second } from './units.ts'
import { codeOf, errorWithCode } from './errors.ts'

const lookupTimeoutMs = 5 * second
const queryTimeoutMs = 2 * second

const longestTtlMs = 5 * minute
const shortestTtlMs = second
const failureTtlMs = 5 * second

/** Stale addresses are used for up to `staleTtlMs` if no name server responds within `staleAfterMs` (RFC 8767). */
const staleTtlMs = 60 * minute
const staleAfterMs = second

const filesTtlMs = 5 * second

/** @throws LimitExceededError | Error with a `code` such as `ENOTFOUND` or `ETIMEOUT` */
export type ResolveName = (accountId: string, hostname: string) => Promise<readonly LookupAddress[]>

interface NameResolverOptions {
  limit: SharedLimit
  /** `address` or `address:port`; default: those of the system. */
  servers?: readonly string[]
  hostsFile?: string
  resolverFile?: string
  now?: () => number
}

type Addresses = readonly LookupAddress[]

interface CacheEntry {
  addresses?: Addresses
  error?: unknown
  freshUntil: number
  staleUntil: number
}

/**
 * Resolves names according to /etc/hosts and /etc/resolv.conf, but without `getaddrinfo`, which blocks one of few
 * threads while a name server does not respond.
 */
export function createNameResolver({
  limit,
  servers = [],
  hostsFile = '/etc/hosts',
  resolverFile = '/etc/resolv.conf',
  now = Date.now,
}: NameResolverOptions): ResolveName {
  const cache = new LRUCache<string, CacheEntry>(atMost(2_000))
  const pending = new Map<string, Promise<Addresses>>()
  const readFiles = cachedFor(
    filesTtlMs,
    async () => {
      const [hosts, resolver] = await Promise.all([readText(hostsFile), readText(resolverFile)])
      return { hosts: parseHosts(hosts), search: parseSearchRules(resolver) }
    },
    now,
  )

  async function lookUp(hostname: string): Promise<Addresses> {
    const { hosts, search } = await readFiles()
    const known = hosts.get(hostname)
    if (known) return known
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 })
    if (servers.length > 0) resolver.setServers(servers)
    try {
      const querying = queryFirst(resolver, candidates(hostname, search))
      const { addresses, ttlMs } = await pTimeout(querying, { milliseconds: lookupTimeoutMs, fallback: throwTimeout })
      const freshUntil = now() + Math.min(Math.max(ttlMs, shortestTtlMs), longestTtlMs)
      cache.set(hostname, { addresses, freshUntil, staleUntil: freshUntil + staleTtlMs })
      return addresses
    } catch (error) {
      const { addresses, staleUntil = 0 } = cache.get(hostname) ?? {}
      const stale = isMissing(error) ? {} : { addresses }
      cache.set(hostname, { ...stale, error, freshUntil: now() + failureTtlMs, staleUntil })
      throw error
    } finally {
      resolver.cancel()
    }
  }

  /** @throws LimitExceededError */
  function startLookUp(accountId: string, hostname: string): Promise<Addresses> {
    limit.take(accountId)
    const lookingUp = lookUp(hostname).finally(() => {
      limit.release(accountId)
      pending.delete(hostname)
    })
    pending.set(hostname, lookingUp)
    return lookingUp
  }

  return async (accountId, name) => {
    const hostname = name.toLowerCase()
    const known = cache.get(hostname)
    const stale = known && now() < known.staleUntil ? known.addresses : undefined
    if (known && now() < known.freshUntil) {
      if (known.error !== undefined && !stale) throw known.error
      return stale ?? known.addresses ?? []
    }
    const lookingUp = pending.get(hostname) ?? startLookUp(accountId, hostname)
    if (!stale) return lookingUp
    const waiting = pTimeout(lookingUp, { milliseconds: staleAfterMs, fallback: () => stale })
    return waiting.catch((error: unknown) => {
      if (isMissing(error)) throw error
      return stale
    })
  }
}

/** True if a name server reported that the name has no address. */
const isMissing = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes(codeOf(error) ?? '')

/** The addresses of the first name that has any. @throws the error of the last one */
async function queryFirst(resolver: Resolver, names: readonly string[]) {
  let failure: unknown
  for (const name of names) {
    try {
      return await query(resolver, name)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Queries both families. @throws Error if neither has an address */
async function query(resolver: Resolver, name: string) {
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ])
  const records = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((record) => ({ ...record, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((record) => ({ ...record, family: 6 })),
  ]
  if (records.length === 0) {
    const failures = [v4, v6].map((result) => (result.status === 'rejected' ? result.reason : notFound(name)))
    throw failures.find((failure) => !isMissing(failure)) ?? failures[0]
  }
  return {
    addresses: records.map(({ address, family }) => ({ address, family })),
    ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * second,
  }
}

const notFound = (name: string) => errorWithCode('ENOTFOUND', `${name} has no address`)

function throwTimeout(): never {
  throw errorWithCode('ETIMEOUT', 'the name servers do not respond')
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** `localhost` is this machine even without an entry (RFC 6761). */
function parseHosts(text: string): ReadonlyMap<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (!address || names.length === 0) continue
    const family = address.includes(':') ? 6 : 4
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }])
    }
  }
  if (!hosts.has('localhost')) hosts.set('localhost', [{ address: '127.0.0.1', family: 4 }])
  return hosts
}

interface SearchRules {
  domains: string[]
  /** A name with fewer dots is looked up in the search domains first. */
  dots: number
}

function parseSearchRules(text: string): SearchRules {
  const rules: SearchRules = { domains: [], dots: 1 }
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') rules.domains = values
    if (keyword === 'options') rules.dots = Number(/\sndots:(\d+)/.exec(line)?.[1] ?? rules.dots)
  }
  return rules
}

/** A name that ends with a dot is absolute. */
function candidates(hostname: string, { domains, dots }: SearchRules): string[] {
  if (hostname.endsWith('.')) return [hostname.slice(0, -1)]
  const searched = domains.map((domain) => `${hostname}.${domain}`)
  return hostname.split('.').length > dots ? [hostname, ...searched] : [...searched, hostname]
}
