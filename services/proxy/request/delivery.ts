import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { endAtReset, heedFailedWrites, readDespiteFailedWrites } from './early-response.ts'

/** Connections that have carried a request. */
const used = new WeakSet<Socket>()
let starting: Delivery | undefined

/** The only way to learn which connection undici uses. Published between `onRequestStart` and the first byte. */
subscribe('undici:client:sendHeaders', (message) => {
  starting?.startOn((message as { socket: Socket }).socket)
  starting = undefined
})

function expectConnectionFor(delivery: Delivery): void {
  starting = delivery
}

/** How far a request got, which decides whether it may be sent again. When in doubt, it counts as sent. */
export class Delivery {
  readonly #isUpload: boolean
  #isStarted = false
  #isUnwritten = false
  #isReused = false
  #socket: Socket | undefined
  #bytesReadBefore: number | undefined

  /** @param isUpload whether the body is sent while the client sends it */
  constructor(isUpload = false) {
    this.#isUpload = isUpload
  }

  /** For `onRequestStart`. */
  start(): void {
    this.#isStarted = true
    expectConnectionFor(this)
  }

  startOn(socket: Socket): void {
    this.#socket = socket
    this.#bytesReadBefore = socket.bytesRead
    this.#isReused = used.has(socket)
    if (!this.#isReused) used.add(socket)
    if (this.#isUpload) readDespiteFailedWrites(socket)
    else if (this.#isReused) heedFailedWrites(socket)
  }

  /** For `onRequestSent`. A connection that has failed by then failed at the first write, so nothing was sent. */
  written(): void {
    this.#isUnwritten = Boolean(this.#socket?.errored)
  }

  /** For an error response that ends with its connection. */
  endAtReset(): void {
    if (this.#socket) endAtReset(this.#socket)
  }

  get wasSent(): boolean {
    return this.#isStarted && !this.#isUnwritten
  }

  /** Whether part of a response arrived. */
  get hasReceived(): boolean {
    return this.#socket?.bytesRead !== this.#bytesReadBefore
  }

  /** Whether a reused connection ended without a byte for this request. */
  get isStale(): boolean {
    return this.#isReused && !this.hasReceived
  }
}
