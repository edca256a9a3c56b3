import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { mib, second } from '#core/units.ts'
import type { CircuitBreaker } from '#core/redis/circuit-breaker.ts'
import type { Redis } from '#core/resources.ts'
import { findEndpoint } from '#schemas/endpoints.ts'
import { cachedAnswerPrefix } from '#store/redis/cached-answers.ts'
import type { StoredResponse } from '../response/response.ts'
import type { Account } from '../auth/account.ts'
import type { RequestBody } from '../request/body.ts'
import type { Target } from '../request/target.ts'

/** Larger responses are not kept. */
export const cachedBytes = mib

/** Headers that may change what the provider responds. */
const varyHeaders = ['accept', 'content-type', 'openai-beta', 'openai-organization', 'openai-project']

export interface CacheTerms {
  key: string
  /** Whether a kept response may serve, how old it may be and for how long a new one is kept, seconds. */
  reads: boolean
  maxAgeSeconds: number
  keepsSeconds: number
}

/**
 * What an account's configuration and the request's own `Cache-Control` want; the request wins where the account has
 * the cache on.
 * @returns undefined when nothing is cached: the account has it off, or only part of the body is at hand
 */
export function cacheTerms(
  account: Account,
  request: IncomingMessage,
  target: Target,
  body: RequestBody,
): CacheTerms | undefined {
  if (account.cacheSeconds === 0 || !isCacheable(request, target, body)) return undefined
  const control = request.headers['cache-control']?.toLowerCase() ?? ''
  const asked = /\bmax-age=(\d{1,9})\b/.exec(control)?.[1]
  const keepsSeconds = asked === undefined ? account.cacheSeconds : Math.min(Number(asked), 86_400)
  if (keepsSeconds === 0 || control.includes('no-store')) return undefined
  return {
    key: cacheKey(account, request, target, body && 'bytes' in body ? body.bytes : Buffer.alloc(0)),
    reads: !control.includes('no-cache'),
    maxAgeSeconds: keepsSeconds,
    keepsSeconds,
  }
}

/** A body that is only in part at hand can't be compared. */
const isCacheable = ({ method }: IncomingMessage, { endpoint: path }: Target, body: RequestBody) => {
  const endpoint = findEndpoint(path)
  return endpoint?.isCacheable && endpoint.method === method && (method === 'GET' || (body && 'bytes' in body))
}

/** Everything that makes a request the same as another, the account first: no response ever crosses accounts. */
function cacheKey(
  { accountId, origin, basePath }: Account,
  request: IncomingMessage,
  target: Target,
  body: Buffer,
): string {
  const values = varyHeaders.map((name) => request.headers[name] ?? null)
  const head = JSON.stringify([accountId, origin, basePath, request.method, target.pathAndQuery, values])
  return `${cachedAnswerPrefix(accountId)}${hash('sha256', `${hash('sha256', head)}${hash('sha256', body)}`)}`
}

/** Either a response, or the duty to complete the look-up: equal requests may wait for that. */
export interface CacheLookup {
  response: StoredResponse | undefined
  /** @param response is kept, and given to equal requests; without one they go to the provider */
  complete(response: StoredResponse | undefined): void
}

/** Whole responses to identical requests, in Redis. While Redis does not respond, nothing is cached. */
export class ResponseCache {
  readonly #redis: Redis
  readonly #breaker: CircuitBreaker
  readonly #now: () => number
  readonly #pending = new Map<string, Promise<StoredResponse | undefined>>()

  constructor(redis: Redis, breaker: CircuitBreaker, { now = Date.now }: { now?: () => number } = {}) {
    this.#redis = redis
    this.#breaker = breaker
    this.#now = now
  }

  /** Of equal requests at the same time the first one goes to the provider; the others wait for its response. */
  async acquire(terms: CacheTerms): Promise<CacheLookup> {
    if (!terms.reads) return { response: undefined, complete: (response) => this.#keep(terms, response) }
    const kept = await this.#read(terms)
    if (kept) return { response: kept, complete: () => undefined }
    const leader = this.#pending.get(terms.key)
    if (leader) return { response: await leader, complete: () => undefined }
    const { promise, resolve } = Promise.withResolvers<StoredResponse | undefined>()
    this.#pending.set(terms.key, promise)
    return {
      response: undefined,
      complete: (response) => {
        this.#pending.delete(terms.key)
        this.#keep(terms, response)
        resolve(response)
      },
    }
  }

  async #read({ key, maxAgeSeconds }: CacheTerms): Promise<StoredResponse | undefined> {
    if (this.#breaker.isOpen) return undefined
    const packed = await this.#redis.getBuffer(key).catch(() => this.#breaker.open())
    const kept = packed ? unpack(packed) : undefined
    return kept && this.#now() - kept.storedAtMs <= maxAgeSeconds * second ? kept : undefined
  }

  #keep({ key, keepsSeconds }: CacheTerms, response: StoredResponse | undefined): void {
    if (response) void this.#redis.set(key, pack(response, this.#now()), 'EX', keepsSeconds).catch(() => undefined)
  }
}

/** Layout: length of the head (4 bytes), head as JSON, body as it is. */
function pack({ status, headers, body }: StoredResponse, storedAtMs: number): Buffer {
  const head = Buffer.from(JSON.stringify({ status, headers, storedAtMs }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, body])
}

function unpack(packed: Buffer): StoredResponse & { storedAtMs: number } {
  const bodyAt = 4 + packed.readUInt32BE(0)
  const head = JSON.parse(packed.toString('utf8', 4, bodyAt)) as Omit<ReturnType<typeof unpack>, 'body'>
  return { ...head, body: packed.subarray(bodyAt) }
}
