import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { mib, second } from '#core/units.ts'
import { CircuitBreaker } from '#core/redis/circuit-breaker.ts'
import type { Redis } from '#core/resources.ts'
import { findEndpoint } from '#schemas/endpoints.ts'
import { cachedAnswerPrefix } from '#store/redis/cached-answers.ts'
import type { StoredResponse } from '../response/response.ts'
import type { Account } from '../auth/account.ts'
import type { RequestBody } from '../request/body.ts'
import type { Target } from '../request/target.ts'

export const cachedBytes = mib

const nothing = Buffer.alloc(0)

/** Request headers that may change the provider's response. */
const varyHeaders = ['accept', 'content-type', 'openai-beta', 'openai-organization', 'openai-project']

interface CacheTerms {
  key: string
  reads: boolean
  maxAgeSeconds: number
}

/** @returns undefined when the account, the endpoint or the request's `Cache-Control` does not allow caching */
export function cacheTerms(
  account: Account,
  request: IncomingMessage,
  target: Target,
  body: RequestBody,
): CacheTerms | undefined {
  if (account.cacheSeconds === 0) return undefined
  const endpoint = findEndpoint(target.endpoint)
  if (!endpoint?.isCacheable || endpoint.method !== request.method) return undefined
  // A body that is not in memory can't be compared.
  const bytes = body && 'bytes' in body ? body.bytes : undefined
  if (!bytes && request.method !== 'GET') return undefined
  const control = request.headers['cache-control']?.toLowerCase() ?? ''
  const requested = /\bmax-age=(\d{1,9})\b/.exec(control)?.[1]
  const maxAgeSeconds = requested === undefined ? account.cacheSeconds : Math.min(Number(requested), 86_400)
  if (maxAgeSeconds === 0 || control.includes('no-store')) return undefined
  return {
    key: cacheKey(account, request, target, bytes ?? nothing),
    reads: !control.includes('no-cache'),
    maxAgeSeconds,
  }
}

/** The account is part of the key: responses are never shared between accounts. */
function cacheKey(account: Account, request: IncomingMessage, target: Target, body: Buffer): string {
  const { accountId, origin, basePath } = account
  const values = varyHeaders.map((name) => request.headers[name] ?? null)
  const head = JSON.stringify([accountId, origin, basePath, request.method, target.pathAndQuery, values])
  return `${cachedAnswerPrefix(accountId)}${hash('sha256', `${hash('sha256', head)}${hash('sha256', body)}`)}`
}

interface CacheLookup {
  response: StoredResponse | undefined
  /** Must be called when there is no response: equal requests may wait for it. Without an argument, they go on alone. */
  complete(response: StoredResponse | undefined): void
}

/** Caches complete responses in Redis. While Redis does not respond, nothing is cached. */
export class ResponseCache {
  readonly #redis: Redis
  readonly #breaker = new CircuitBreaker()
  readonly #pending = new Map<string, Promise<StoredResponse | undefined>>()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** Of equal concurrent requests, only the first goes to the provider, and the others wait for its response. */
  async acquire(terms: CacheTerms): Promise<CacheLookup> {
    if (!terms.reads) return { response: undefined, complete: (response) => this.#store(terms, response) }
    const stored = await this.#read(terms)
    if (stored) return { response: stored, complete: () => undefined }
    const pending = this.#pending.get(terms.key)
    if (pending) return { response: await pending, complete: () => undefined }
    const { promise, resolve } = Promise.withResolvers<StoredResponse | undefined>()
    this.#pending.set(terms.key, promise)
    return {
      response: undefined,
      complete: (response) => {
        this.#pending.delete(terms.key)
        this.#store(terms, response)
        resolve(response)
      },
    }
  }

  async #read({ key, maxAgeSeconds }: CacheTerms): Promise<StoredResponse | undefined> {
    if (this.#breaker.isOpen) return undefined
    const packed = await this.#redis.getBuffer(key).catch(() => this.#breaker.open())
    const stored = packed ? unpack(packed) : undefined
    return stored && Date.now() - stored.storedAtMs <= maxAgeSeconds * second ? stored : undefined
  }

  #store({ key, maxAgeSeconds }: CacheTerms, response: StoredResponse | undefined): void {
    if (response) void this.#redis.set(key, pack(response), 'EX', maxAgeSeconds).catch(() => undefined)
  }
}

/** Layout: length of the head (4 bytes), head as JSON, body. */
function pack({ status, headers, body }: StoredResponse): Buffer {
  const head = Buffer.from(JSON.stringify({ status, headers, storedAtMs: Date.now() }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, body])
}

function unpack(packed: Buffer): StoredResponse & { storedAtMs: number } {
  const bodyAt = 4 + packed.readUInt32BE(0)
  const { status, headers, storedAtMs } = JSON.parse(packed.toString('utf8', 4, bodyAt))
  return { status, headers, storedAtMs, body: packed.subarray(bodyAt) }
}
