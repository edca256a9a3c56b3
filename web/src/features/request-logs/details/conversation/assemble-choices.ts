import { z } from 'zod'

const text = z.string().nullish().catch(null)

const Call = z.object({ name: text, arguments: text })
const Chunk = z.object({
  choices: z.array(
    z.object({
      index: z.number().default(0),
      text,
      delta: z
        .object({
          role: text,
          content: text,
          refusal: text,
          reasoning: text,
          reasoning_content: text,
          function_call: Call.nullish(),
          tool_calls: z.array(z.object({ index: z.number().default(0), function: Call.nullish() })).nullish(),
        })
        .nullish(),
      finish_reason: text,
    }),
  ),
})
type Delta = z.infer<typeof Chunk>['choices'][number]

const texts = ['content', 'refusal', 'reasoning', 'reasoning_content'] as const

class Choice {
  readonly #message: Partial<Record<(typeof texts)[number] | 'role', string>> = {}
  readonly #calls = new Map<number, { name: string; arguments: string }>()
  #text: string | undefined
  #reason: string | undefined

  add({ text: completion, delta, finish_reason: reason }: Delta): void {
    if (completion) this.#text = (this.#text ?? '') + completion
    if (delta?.role) this.#message.role = delta.role
    for (const name of texts) if (delta?.[name]) this.#message[name] = (this.#message[name] ?? '') + delta[name]
    if (delta?.function_call) this.#addCall(0, delta.function_call)
    for (const { index, function: called } of delta?.tool_calls ?? []) this.#addCall(index, called)
    this.#reason = reason ?? this.#reason
  }

  #addCall(index: number, part: z.infer<typeof Call> | null | undefined): void {
    const call = this.#calls.get(index) ?? { name: '', arguments: '' }
    this.#calls.set(index, call)
    call.name += part?.name ?? ''
    call.arguments += part?.arguments ?? ''
  }

  whole(): object {
    const calls = [...this.#calls.values()].map((call) => ({ function: call }))
    const message = { role: 'assistant', ...this.#message, tool_calls: calls }
    return { ...(this.#text === undefined ? { message } : { text: this.#text }), finish_reason: this.#reason }
  }
}

/** Assembles a stream of chat completions or completions. */
export function assembleChoices(events: readonly unknown[]): object | undefined {
  const choices = new Map<number, Choice>()
  for (const event of events) {
    for (const delta of Chunk.safeParse(event).data?.choices ?? []) {
      const choice = choices.get(delta.index) ?? new Choice()
      choices.set(delta.index, choice)
      choice.add(delta)
    }
  }
  if (choices.size === 0) return undefined
  return { choices: [...choices].toSorted(([a], [b]) => a - b).map(([, choice]) => choice.whole()) }
}
