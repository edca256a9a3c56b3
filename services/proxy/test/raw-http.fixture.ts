import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Long enough for a busy machine. */
const patienceMs = 20_000

/** A connection that sends exactly the given bytes, including ones that no HTTP client would send. */
export class RawConnection {
  readonly socket: Socket
  #received = Buffer.alloc(0)
  isClosed = false

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' })
    this.socket.on('error', () => undefined)
    this.socket.on('data', (bytes) => (this.#received = Buffer.concat([this.#received, bytes])))
    this.socket.on('close', () => (this.isClosed = true))
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes)
    return this
  }

  /** Everything received so far. */
  get text(): string {
    return this.#received.toString('latin1')
  }

  /** Status codes of the responses so far, interim ones included. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
  }

  async until(condition: () => boolean, what: string): Promise<this> {
    for (const deadline = Date.now() + patienceMs; !condition(); await setTimeout(5)) {
      if (Date.now() > deadline) throw new Error(`${what} did not come; received: ${this.text.slice(0, 500)}`)
    }
    return this
  }

  responses(count: number): Promise<this> {
    return this.until(() => this.statuses.length >= count || this.isClosed, `response ${count}`)
  }

  end(): Promise<this> {
    return this.until(() => this.isClosed, 'the end of the connection')
  }

  close(): void {
    this.socket.destroy()
  }
}

/** The lines of a request head, and the empty line after them. */
export const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`

/** A request head with a token. @param request for example `GET /api/proxy/v1/models` */
export const authorizedHead = (request: string, secret: string, ...lines: string[]): string =>
  head(`${request} HTTP/1.1`, 'Host: gateway', `Authorization: Bearer ${secret}`, ...lines)

/** The error code in the text of a response. */
export const codeIn = (text: string): string | undefined => /"(?:code|reason)":"(\w+)"/.exec(text)?.[1]?.toLowerCase()
