import type { IncomingMessage } from 'node:http'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { CircuitBreaker } from '#core/redis/circuit-breaker.ts'
import { kib } from '#core/units.ts'
import type { ObjectKeyStore } from '#store/redis/object-keys.ts'
import type { Account } from '../auth/account.ts'
import type { RequestBody } from '../request/body.ts'
import type { Target } from '../request/target.ts'
import { findMadeObjects, madeObjectsPattern, objectIdsOf } from './object-ids.ts'

/** Providers put ids at the beginning of a response. */
const readBytes = 16 * kib

interface ObjectRequest {
  account: Account
  request: IncomingMessage
  target: Target
  body: RequestBody
}

/** Remembers which key made an object at the provider, because other keys may not find it. Source: product.md 3.8. */
export class ObjectKeys {
  readonly #store: ObjectKeyStore
  readonly #breaker = new CircuitBreaker()

  constructor(store: ObjectKeyStore) {
    this.#store = store
  }

  /** @returns the key that made an object of the request; always undefined for an account with one key */
  makerOf({ account, request, target, body }: ObjectRequest): Promise<string | undefined> | undefined {
    if (account.keys.length < 2 || this.#breaker.isOpen) return undefined
    const ids = objectIdsOf(target.endpoint, body, request.headers['content-type'])
    if (ids.length === 0) return undefined
    const keyIds = account.keys.map(({ id }) => id)
    return this.#find(account.accountId, keyIds, ids)
  }

  /** @returns what reads the response of a request that may make objects */
  readerOf({ account, request, target }: ObjectRequest, keyId: string): MadeObjectsReader | undefined {
    if (account.keys.length < 2 || request.method === 'DELETE') return undefined
    const pattern = madeObjectsPattern(target.endpoint)
    return pattern && new MadeObjectsReader(pattern, (ids) => this.#remember(account.accountId, keyId, ids))
  }

  /** @returns whether the usage of a job was not counted before; undefined while that can't be told */
  async isFirstUsage(accountId: string, jobId: string): Promise<boolean | undefined> {
    if (this.#breaker.isOpen) return undefined
    try {
      return await this.#store.addUsage(accountId, jobId)
    } catch {
      this.#breaker.open()
      return undefined
    }
  }

  async #find(accountId: string, keyIds: string[], ids: string[]): Promise<string | undefined> {
    try {
      return await this.#store.find(accountId, keyIds, ids)
    } catch {
      this.#breaker.open()
      return undefined
    }
  }

  #remember(accountId: string, keyId: string, ids: string[]): void {
    if (this.#breaker.isOpen) return
    this.#store.remember(accountId, keyId, ids).catch(() => this.#breaker.open())
  }
}

/** Reads the ids at the beginning of a response: of a stream as soon as one is there, else when the rest is too. */
export class MadeObjectsReader {
  readonly #pattern: RegExp
  readonly #found: (ids: string[]) => void
  readonly #head = new GrowingBuffer()
  #isDone = false

  constructor(pattern: RegExp, found: (ids: string[]) => void) {
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
    const ids = findMadeObjects(this.#head.bytes().toString('latin1'), this.#pattern)
    this.#isDone = isLast || ids.length > 0
    if (ids.length > 0) this.#found(ids)
  }
}
