import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request as send } from 'undici'
import { z } from 'zod'

/** What the client knows of one request: the oracle of the suite. */
export interface LedgerEntry {
  /** Sent as the user agent, so that the log can be found whatever came back. */
  mark: string
  /** Status and the whole body arrived. */
  answered: boolean
  status: number | undefined
  id: string | undefined
  ms: number
  at: number
}

export interface LoadOptions {
  url: string
  token: string
  /** Requests a second. */
  rate: number
  /** Prefix of the marks. */
  name: string
  /** Of so many requests one is a slow stream. */
  streamEvery?: number
  /** Each request on a connection of its own, as an edge gives them to whichever proxy is there. */
  newConnections?: boolean
  connections?: number
}

const Answer = z.object({ id: z.string().optional() })

/** Sends at a constant rate, whatever comes back, and keeps a ledger. */
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

  /** Stops sending, and waits for nothing. */
  async abandon(): Promise<void> {
    this.#running = false
    await this.#agent.destroy()
    await this.stop()
  }

  /** Stops sending and waits for what is under way. */
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
    const entry: LedgerEntry = {
      mark: `${name}-${count}`,
      answered: false,
      status: undefined,
      id: undefined,
      ms: 0,
      at: Date.now(),
    }
    this.ledger.push(entry)
    const startedAt = performance.now()
    try {
      const answer = await send(`${url}/api/proxy/v1/chat/completions`, {
        method: 'POST',
        dispatcher: this.#agent,
        reset: this.#options.newConnections ?? false,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'user-agent': entry.mark,
        },
        body: JSON.stringify({
          model: 'gpt-4o-mini',
          stream: isStream,
          messages: [{ role: 'user', content: `Question ${count}` }],
        }),
      })
      entry.status = answer.statusCode
      entry.id = Answer.parse({ id: answer.headers['x-request-id'] }).id
      await answer.body.text()
      entry.answered = true
    } catch {
      // The ledger says that no whole answer came.
    }
    entry.ms = performance.now() - startedAt
  }
}
