import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** Connections that have carried a request. */
const used = new WeakSet<Socket>()
let starting: Delivery | undefined

/** Nothing else tells on which connection undici sends a request. Published between `onRequestStart` and the first byte. */
subscribe('undici:client:sendHeaders', (message) => {
  starting?.startOn((message as { socket: Socket }).socket)
  starting = undefined
})

function expectConnectionFor(delivery: Delivery): void {
  starting = delivery
}

/** How far a request has got, which decides whether it may be sent once more. When unsure, it was sent. */
export class Delivery {
  #isStarted = false
  #isUnwritten = false
  #isReused = false
  #socket: Socket | undefined
  #bytesReadBefore: number | undefined

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
  }

  /** For `onRequestSent`. A connection that has failed by then failed at the first write, which sent nothing. */
  written(): void {
    this.#isUnwritten = Boolean(this.#socket?.errored)
  }

  get wasSent(): boolean {
    return this.#isStarted && !this.#isUnwritten
  }

  /** Whether a part of a response came. Unknown over HTTP/2, where others share the connection. */
  get hasReceived(): boolean {
    return !this.#isMultiplexed && this.#socket?.bytesRead !== this.#bytesReadBefore
  }

  /** Whether a connection that had served other requests ended without a byte for this one. */
  get isStale(): boolean {
    return this.#isReused && !this.#isMultiplexed && !this.hasReceived
  }

  get #isMultiplexed(): boolean {
    return this.#socket instanceof TLSSocket && this.#socket.alpnProtocol === 'h2'
  }
}
