import pTimeout from 'p-timeout'
import { z } from 'zod'

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), id: z.number(), name: z.string() }),
  z.object({ kind: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('note'), name: z.string() }),
])
type Message = z.infer<typeof Message>

/** One end of the IPC channel between a process and the one that forked it. */
interface ChannelEnd {
  send?(message: Message, onSent: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** What the other process may ask or tell, by name. */
export type Answers = Readonly<Record<string, () => unknown>>

/** Asks and tells the other process, and answers it. Other messages on the same channel are left alone. */
export class ProcessChannel {
  readonly #end: ChannelEnd
  readonly #pending = new Map<number, (value: unknown) => void>()
  #lastId = 0

  constructor(end: ChannelEnd, answers: Answers) {
    this.#end = end
    end.on('message', (received) => {
      const message = Message.safeParse(received).data
      if (message?.kind === 'answer') this.#pending.get(message.id)?.(message.value)
      if (message?.kind === 'question') void this.#answer(message.id, answers[message.name])
      if (message?.kind === 'note') answers[message.name]?.()
    })
  }

  /** @returns undefined when no answer comes in time */
  async ask(name: string, timeoutMs: number): Promise<unknown> {
    const id = (this.#lastId += 1)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#pending.set(id, resolve)
    this.#send({ kind: 'question', id, name })
    try {
      return await pTimeout(promise, { milliseconds: timeoutMs, fallback: () => undefined })
    } finally {
      this.#pending.delete(id)
    }
  }

  /** Says something that needs no answer. */
  tell(name: string): void {
    this.#send({ kind: 'note', name })
  }

  async #answer(id: number, answer: (() => unknown) | undefined): Promise<void> {
    let value: unknown
    try {
      value = await answer?.()
    } catch {
      // The other process hears that nothing is known.
    }
    this.#send({ kind: 'answer', id, value })
  }

  /** The other process may be gone: then nobody waits for it. */
  #send(message: Message): void {
    this.#end.send?.(message, () => undefined)
  }
}
