import { createParser } from 'eventsource-parser'
import { z } from 'zod'

// The pieces of text in the events of chat completions, completions and responses.
const Piece = z.union([
  z
    .object({ choices: z.tuple([z.object({ delta: z.object({ content: z.string() }) })]) })
    .transform((event) => event.choices[0].delta.content),
  z.object({ choices: z.tuple([z.object({ text: z.string() })]) }).transform((event) => event.choices[0].text),
  z.object({ type: z.literal('response.output_text.delta'), delta: z.string() }).transform((event) => event.delta),
])

function pieceOf(data: string): string {
  try {
    return Piece.safeParse(JSON.parse(data)).data ?? ''
  } catch {
    return ''
  }
}

/** Puts the text of a streamed response together from its events, chunk by chunk. */
export function createStreamText() {
  let text = ''
  const parser = createParser({ onEvent: ({ data }) => void (text += pieceOf(data)) })
  return {
    add: (chunk: string) => parser.feed(chunk),
    read: () => text,
  }
}
