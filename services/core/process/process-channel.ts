import pTimeout from 'p-timeout'
import { z } from 'zod'

/** Members respond to the first two, the primary to the third one; the others are notices of members. */
const Name = z.enum(['metrics', 'health', 'groupHealth', 'joined', 'started', 'taken', 'lost', 'ended', 'leaving'])
type Name = z.infer<typeof Name>

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id: z.number(), name: Name }),
  z.object({ kind: z.literal('response'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('notice'), name: Name }),
])
type Message = z.infer<typeof Message>

interface ChannelEnd {
  send?(message: Message, onSent: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** Requests, responses and notices between two processes. Ignores other messages on the same channel. */
export class ProcessChannel {
  readonly #end: ChannelEnd
  readonly #pending = new Map<number, (value: unknown) => void>()
  #lastId = 0

  constructor(end: ChannelEnd, handlers: Readonly<Partial<Record<Name, () => unknown>>>) {
    this.#end = end
    end.on('message', (received) => {
      const message = Message.safeParse(received).data
      if (message?.kind === 'response') this.#pending.get(message.id)?.(message.value)
      if (message?.kind === 'request') void this.#respond(message.id, handlers[message.name])
      if (message?.kind === 'notice') handlers[message.name]?.()
    })
  }

  /** @returns undefined if no response arrives in time */
  async request(name: Name, timeoutMs: number): Promise<unknown> {
    const id = (this.#lastId += 1)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#pending.set(id, resolve)
    this.#send({ kind: 'request', id, name })
    try {
      return await pTimeout(promise, { milliseconds: timeoutMs, fallback: () => undefined })
    } finally {
      this.#pending.delete(id)
    }
  }

  notify(name: Name): void {
    this.#send({ kind: 'notice', name })
  }

  async #respond(id: number, handler: (() => unknown) | undefined): Promise<void> {
    // If the handler fails, the other process gets no value.
    const value = await Promise.resolve()
      .then(handler)
      .catch(() => undefined)
    this.#send({ kind: 'response', id, value })
  }

  /** Ignores errors: a process that has ended awaits no response. */
  #send(message: Message): void {
    this.#end.send?.(message, () => undefined)
  }
}
