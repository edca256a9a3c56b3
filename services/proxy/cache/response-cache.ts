import pTimeout from 'p-timeout'
import { mib, second } from '#core/units.ts'
import { NodeCircuitBreakers } from '#core/redis/circuit-breaker.ts'
import type { Redis } from '#core/redis/redis.ts'
import { findEndpoint } from '#schemas/endpoints.ts'
import { createResponseWriter } from '#store/redis/cached-responses.ts'
import { headerOf } from '../response/headers.ts'
import type { ResponseHead, StoredResponse } from '../response/response.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { cacheKey, isCoveredByKey } from './cache-key.ts'
import { isStatefulRequest, searchesByItself } from './stateful-request.ts'

export const cachedBytes = mib

const nothing = Buffer.alloc(0)

interface CacheTerms {
  key: string
  reads: boolean
  maxAgeSeconds: number
  /** How long to wait for the response to an identical request, ms. */
  patienceMs: number
}

/** @returns undefined when the endpoint, the request or its `Cache-Control` does not allow caching */
export async function cacheTerms({
  account,
  request,
  target,
  body,
  metadata: { model },
}: ReceivedRequest): Promise<CacheTerms | undefined> {
  const endpoint = findEndpoint(target.endpoint)
  if (!endpoint?.isCacheable || endpoint.method !== request.method) return undefined
  // A body that is not in memory can't be compared.
  const bytes = body && 'bytes' in body ? body.bytes : undefined
  if (!bytes && request.method !== 'GET') return undefined
  const control = request.headers['cache-control']?.toLowerCase() ?? ''
  const requested = /\bmax-age=(\d{1,9})\b/.exec(control)?.[1]
  const maxAgeSeconds = requested === undefined ? account.cacheSeconds : Math.min(Number(requested), 86_400)
  if (maxAgeSeconds === 0 || control.includes('no-store')) return undefined
  // A compressed body can't be read.
  if (request.headers['content-encoding'] !== undefined) return undefined
  if (bytes && (searchesByItself(model) || (await isStatefulRequest(target.endpoint, bytes)))) return undefined
  return {
    key: cacheKey(account, request, target, bytes ?? nothing),
    reads: !control.includes('no-cache'),
    maxAgeSeconds,
    patienceMs: account.timeout,
  }
}

/** Whether the provider allows a response to be stored. The account's setting decides for how long. */
export function isStorable({ status, headers }: ResponseHead): boolean {
  if (status !== 200) return false
  const control = headerOf(headers, 'cache-control') ?? ''
  return !/\b(?:no-store|private)\b/i.test(control) && isCoveredByKey(headerOf(headers, 'vary') ?? '')
}

/** Seconds since the provider generated a response, as RFC 9111 defines `Age`. */
export function ageOf({ headers, storedAtMs }: StoredResponse): number {
  const providerAge = /^\d{1,9}$/.exec(headerOf(headers, 'age') ?? '')?.[0] ?? 0
  return Number(providerAge) + Math.max(0, Math.floor((Date.now() - storedAtMs) / second))
}

/** `abandoned`: the leader's client disconnected before there was a response. */
export type LeaderResult = StoredResponse | 'abandoned' | undefined

interface CacheLookup {
  response: StoredResponse | undefined
  /**
   * Must be called if there is no response: equal requests may be waiting. They proceed alone if it is called without
   * one.
   */
  complete(result: LeaderResult): void
}

/** Caches complete responses in Redis. While Redis does not respond, nothing is cached. */
export class ResponseCache {
  readonly #redis: Redis
  readonly #write: ReturnType<typeof createResponseWriter>
  readonly #breakers: NodeCircuitBreakers
  readonly #pending = new Map<string, Promise<LeaderResult>>()

  constructor(redis: Redis) {
    this.#redis = redis
    this.#write = createResponseWriter(redis)
    this.#breakers = new NodeCircuitBreakers(redis)
  }

  /**
   * Of equal concurrent requests, only the first goes to the provider; the others wait for its response, which may take
   * too long. If its client disconnects, one of the others takes over.
   */
  async acquire(terms: CacheTerms): Promise<CacheLookup> {
    if (!terms.reads) return { response: undefined, complete: (result) => this.#store(terms, result) }
    const stored = await this.#read(terms)
    if (stored) return { response: stored, complete: () => undefined }
    const { key, patienceMs } = terms
    const endsAt = performance.now() + patienceMs
    for (let pending = this.#pending.get(key); pending; pending = this.#pending.get(key)) {
      const milliseconds = Math.max(1, endsAt - performance.now())
      const result = await pTimeout(pending, { milliseconds, fallback: () => undefined })
      if (result !== 'abandoned') return { response: result, complete: () => undefined }
    }
    const { promise, resolve } = Promise.withResolvers<LeaderResult>()
    this.#pending.set(key, promise)
    return {
      response: undefined,
      complete: (result) => {
        this.#pending.delete(key)
        this.#store(terms, result)
        resolve(result)
      },
    }
  }

  async #read({ key, maxAgeSeconds }: CacheTerms): Promise<StoredResponse | undefined> {
    const breaker = this.#breakers.of(key)
    if (breaker.isOpen) return undefined
    const packed = await this.#redis.getBuffer(key).catch(() => breaker.open())
    const stored = packed ? unpack(packed) : undefined
    return stored && Date.now() - stored.storedAtMs <= maxAgeSeconds * second ? stored : undefined
  }

  #store({ key, maxAgeSeconds }: CacheTerms, result: LeaderResult): void {
    if (!result || result === 'abandoned') return
    void this.#write(key, pack(result), maxAgeSeconds).catch(() => undefined)
  }
}

/** Layout: length of the head (4 bytes), head as JSON, body. */
function pack({ body, ...rest }: StoredResponse): Buffer {
  const head = Buffer.from(JSON.stringify(rest))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, body])
}

function unpack(packed: Buffer): StoredResponse {
  const bodyAt = 4 + packed.readUInt32BE(0)
  const { status, headers, storedAtMs } = JSON.parse(packed.toString('utf8', 4, bodyAt))
  return { status, headers, storedAtMs, body: packed.subarray(bodyAt) }
}
