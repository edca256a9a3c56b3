import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { parseJson } from '#schemas/parse-json.ts'

// The text in an event of chat completions, completions and the Responses API.
const TextDelta = z.union([
  z
    .object({ choices: z.tuple([z.object({ delta: z.object({ content: z.string() }) })]) })
    .transform((event) => event.choices[0].delta.content),
  z.object({ choices: z.tuple([z.object({ text: z.string() })]) }).transform((event) => event.choices[0].text),
  z.object({ type: z.literal('response.output_text.delta'), delta: z.string() }).transform((event) => event.delta),
])

/** Assembles the text of a streamed response from its events, chunk by chunk. */
export function createStreamText() {
  let text = ''
  const parser = createParser({ onEvent: ({ data }) => void (text += TextDelta.safeParse(parseJson(data)).data ?? '') })
  return {
    add: (chunk: string) => parser.feed(chunk),
    read: () => text,
  }
}
