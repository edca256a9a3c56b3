import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request as send } from 'undici'

/** One request as seen by its client, to compare with the logs. */
export interface LedgerEntry {
  /** Sent as the user agent, so that its log can be found even without a response. */
  mark: string
  /** The status and the whole body arrived. */
  completed: boolean
  status: number | undefined
  id: string | undefined
  ms: number
  at: number
}

interface LoadOptions {
  url: string
  token: string
  /** Requests per second. */
  rate: number
  /** Prefix of the marks. */
  name: string
  /** One in this many requests is a slow stream. */
  streamEvery?: number
  /** Uses a new connection for each request, which an edge may pass to any proxy. */
  newConnections?: boolean
  connections?: number
}

/** Sends at a constant rate, regardless of responses, and keeps a ledger. */
export class Load {
  readonly ledger: LedgerEntry[] = []
  readonly #options: LoadOptions
  readonly #agent: Agent
  readonly #pending = new Set<Promise<void>>()
  #running = true
  #loop: Promise<void>
  #count = 0

  constructor(options: LoadOptions) {
    this.#options = options
    const { connections = 128 } = options
    this.#agent = new Agent({ connections, headersTimeout: 20_000, bodyTimeout: 20_000 })
    this.#loop = this.#run()
  }

  /** Stops sending and aborts open requests. */
  async abandon(): Promise<void> {
    this.#running = false
    await this.#agent.destroy()
    await this.stop()
  }

  /** Stops sending and waits for open requests. */
  async stop(): Promise<readonly LedgerEntry[]> {
    this.#running = false
    await this.#loop
    await Promise.all(this.#pending)
    if (!this.#agent.destroyed) await this.#agent.destroy()
    return this.ledger
  }

  async #run(): Promise<void> {
    const startedAt = performance.now()
    while (this.#running) {
      const due = ((performance.now() - startedAt) / 1_000) * this.#options.rate
      while (this.#running && this.#count < due) {
        this.#count += 1
        const sending: Promise<void> = this.#send(this.#count).finally(() => this.#pending.delete(sending))
        this.#pending.add(sending)
      }
      await sleep(5)
    }
  }

  async #send(count: number): Promise<void> {
    const { url, token, name, streamEvery = 10 } = this.#options
    const isStream = count % streamEvery === 0
    const mark = `${name}-${count}`
    const entry: LedgerEntry = { mark, completed: false, status: undefined, id: undefined, ms: 0, at: Date.now() }
    this.ledger.push(entry)
    const startedAt = performance.now()
    try {
      const { statusCode, headers, body } = await send(`${url}/api/proxy/v1/chat/completions`, {
        method: 'POST',
        dispatcher: this.#agent,
        reset: this.#options.newConnections ?? false,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'user-agent': mark },
        body: JSON.stringify({
          model: 'gpt-4o-mini',
          stream: isStream,
          messages: [{ role: 'user', content: `Question ${count}` }],
        }),
      })
      entry.status = statusCode
      entry.id = headers['x-request-id']?.toString()
      await body.text()
      entry.completed = true
    } catch {
      // The entry stays incomplete.
    }
    entry.ms = performance.now() - startedAt
  }
}
