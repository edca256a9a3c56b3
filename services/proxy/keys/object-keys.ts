import type { IncomingMessage } from 'node:http'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import type { NodeCircuitBreakers } from '#core/redis/circuit-breaker.ts'
import { kib } from '#core/units.ts'
import type { ObjectKeyStore } from '#store/redis/object-keys.ts'
import { type CompletionWindow, completionWindows } from '#schemas/price-rates.ts'
import type { Account } from '../auth/account.ts'
import type { RequestBody } from '../request/body.ts'
import type { RequestMetadata } from '../request/metadata.ts'
import type { Target } from '../request/target.ts'
import { GatewayError } from '../request/gateway-error.ts'
import { completionWindowOf } from '../usage/completion-window.ts'
import { findMadeObjects, type MadeObjects, madeObjectsPattern, objectIdInPath, objectIdsOf } from './object-ids.ts'

/** Ids are at the beginning of a response. */
const readBytes = 16 * kib

interface ObjectRequest {
  account: Account
  request: IncomingMessage
  target: Target
  body: RequestBody
}

interface MakingRequest extends ObjectRequest {
  metadata: RequestMetadata
}

/** A job whose usage a response reported. */
export interface JobClaim {
  /** Whether no earlier request counted it. */
  isFirst: boolean
  /** The window within which it may be completed, if that lowers its price. */
  window: CompletionWindow | undefined
}

/**
 * Remembers which key created an object at the provider, because other keys may not find it, which token, because a
 * model-restricted token may use only its own objects, and the window of a job. Source: product.md 3.8, 4.6.
 */
export class ObjectKeys {
  readonly #store: ObjectKeyStore
  readonly #breakers: NodeCircuitBreakers

  constructor(store: ObjectKeyStore, breakers: NodeCircuitBreakers) {
    this.#store = store
    this.#breakers = breakers
  }

  /** @returns the key that created an object of the request; always undefined for an account with one key */
  makerOf({ account, request, target, body }: ObjectRequest): Promise<string | undefined> | undefined {
    if (account.keys.length < 2) return undefined
    const breaker = this.#breakers.of(account.accountId)
    if (breaker.isOpen) return undefined
    const ids = objectIdsOf(target.endpoint, body, request.headers['content-type'])
    if (ids.length === 0) return undefined
    const keyIds = account.keys.map(({ id }) => id)
    return this.#store.find(account.accountId, keyIds, ids).catch(() => void breaker.open())
  }

  /**
   * Whether the token created the object that the request's path names.
   * @throws GatewayError when that can't be looked up
   */
  async isOwn({ account, target }: Pick<ObjectRequest, 'account' | 'target'>): Promise<boolean> {
    const id = objectIdInPath(target.endpoint)
    if (!id || !account.tokenId) return false
    const breaker = this.#breakers.of(account.accountId)
    if (breaker.isOpen) throw new GatewayError('unavailable')
    try {
      return (await this.#store.find(account.accountId, [account.tokenId], [id])) !== undefined
    } catch (error) {
      breaker.open()
      throw new GatewayError('unavailable', { cause: error })
    }
  }

  /** @returns a reader for the response of a request that may create objects */
  readerOf(received: MakingRequest, keyId: string): MadeObjectsReader | undefined {
    const { account, request, target, body } = received
    const keyIds = account.keys.length > 1 ? [keyId] : []
    const tokenIds = account.models && account.tokenId && request.method === 'POST' ? [account.tokenId] : []
    const window = completionWindowOf(received)
    if ((keyIds.length + tokenIds.length === 0 && window === undefined) || request.method === 'DELETE') return undefined
    const pattern = madeObjectsPattern(target.endpoint, body)
    const makerIds = [...keyIds, ...tokenIds, ...(window === undefined ? [] : [window])]
    return pattern && new MadeObjectsReader(pattern, (ids) => this.#remember(account.accountId, ids, makerIds, keyIds))
  }

  /** A job's usage is counted once, however often it is read. @returns undefined if it is unknown */
  async claimJobUsage(accountId: string, jobId: string): Promise<JobClaim | undefined> {
    const breaker = this.#breakers.of(accountId)
    if (breaker.isOpen) return undefined
    try {
      // First, because a job whose usage is claimed is not counted again.
      const found = await this.#store.find(accountId, completionWindows, [jobId])
      const isFirst = await this.#store.addUsage(accountId, jobId)
      return { isFirst, window: completionWindows.find((each) => each === found) }
    } catch {
      breaker.open()
      return undefined
    }
  }

  /** Only the first id certainly comes from the provider; others may echo text of the request. */
  #remember(accountId: string, { ownId, otherIds }: MadeObjects, makerIds: string[], keyIds: string[]): void {
    const breaker = this.#breakers.of(accountId)
    if (breaker.isOpen) return
    const own = ownId === undefined ? [] : makerIds.map((makerId) => ({ objectId: ownId, makerId }))
    const others = otherIds.flatMap((objectId) => keyIds.map((makerId) => ({ objectId, makerId })))
    if (own.length + others.length === 0) return
    this.#store.remember(accountId, [...own, ...others]).catch(() => void breaker.open())
  }
}

/** Reads the ids at the beginning of a response: for a stream as soon as one arrives, otherwise at the end. */
export class MadeObjectsReader {
  readonly #pattern: RegExp
  readonly #found: (made: MadeObjects) => void
  readonly #head = new GrowingBuffer()
  #isDone = false

  constructor(pattern: RegExp, found: (made: MadeObjects) => void) {
    this.#pattern = pattern
    this.#found = found
  }

  push(chunk: Buffer, isStream: boolean): void {
    if (this.#isDone) return
    this.#head.append(chunk.subarray(0, readBytes - this.#head.length))
    if (isStream || this.#head.length >= readBytes) this.#read(this.#head.length >= readBytes)
  }

  end(): void {
    if (!this.#isDone) this.#read(true)
  }

  #read(isLast: boolean): void {
    const made = findMadeObjects(this.#head.bytes().toString('latin1'), this.#pattern)
    this.#isDone = isLast || made.ownId !== undefined
    if (this.#isDone) this.#found(made)
  }
}
