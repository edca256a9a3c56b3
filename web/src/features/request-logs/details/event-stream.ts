import { createParser } from 'eventsource-parser'
import { z } from 'zod'

const ToolCall = z.object({
  index: z.number().default(0),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})
const Choice = z.object({
  index: z.number().default(0),
  text: z.string().nullish(),
  delta: z
    .object({ content: z.string().nullish(), refusal: z.string().nullish(), tool_calls: z.array(ToolCall).nullish() })
    .nullish(),
})
const Chunk = z.object({
  /** Responses API. */
  type: z.string().optional(),
  delta: z.string().optional().catch(undefined),
  choices: z.array(Choice).optional(),
})

/** Whether a body looks like server-sent events. */
export const isSse = (body: string) => /^\s*(?:data|event|id|retry|:)[^\n]*(?:\n|$)/.test(body) && /^data:/m.test(body)

/** Assembles a streamed response: one text per choice, followed by the tool calls. */
export function assembleSse(body: string) {
  const texts = new Map<number, string>()
  const tools = new Map<string, { name: string; args: string }>()
  let events = 0
  const add = (index: number, text: string | null | undefined) => {
    if (text) texts.set(index, (texts.get(index) ?? '') + text)
  }
  const parser = createParser({
    onEvent: ({ data }) => {
      events += 1
      const chunk = parseChunk(data)
      if (chunk?.type === 'response.output_text.delta') add(0, chunk.delta)
      for (const { index, text, delta } of chunk?.choices ?? []) {
        add(index, text ?? delta?.content ?? delta?.refusal)
        for (const call of delta?.tool_calls ?? []) {
          const key = `${index}/${call.index}`
          const known = tools.get(key) ?? { name: '', args: '' }
          tools.set(key, {
            name: known.name + (call.function?.name ?? ''),
            args: known.args + (call.function?.arguments ?? ''),
          })
        }
      }
    },
  })
  parser.feed(body)
  // A truncated stream lacks the empty line that ends its last event.
  parser.feed('\n\n')
  const choices = [...texts].map(([index, text]) => (texts.size > 1 ? `Choice ${index + 1}:\n${text}` : text))
  const calls = [...tools.values()].map(({ name, args }) => `${name}(${args})`)
  return { events, text: [...choices, ...calls].join('\n\n') }
}

function parseChunk(data: string) {
  try {
    return Chunk.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
