import type { Passage } from './text.ts'

interface Message {
  id: string
  content: { text: string }[]
}

/** The events of one response with one message, in the order in which OpenAI sends them. */
export function* responseEvents(
  opened: object,
  message: Message,
  { pieces, text }: Passage,
  closed: { status: string },
): Generator<string> {
  let sequence = 0
  const event = (type: string, fields: object): string => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...fields })
    sequence += 1
    return `event: ${type}\ndata: ${data}\n\n`
  }
  const place = { item_id: message.id, output_index: 0, content_index: 0 }
  const [part] = message.content

  yield event('response.created', { response: opened })
  yield event('response.in_progress', { response: opened })
  yield event('response.output_item.added', {
    output_index: 0,
    item: { ...message, status: 'in_progress', content: [] },
  })
  yield event('response.content_part.added', { ...place, part: { ...part, text: '' } })
  for (const delta of pieces) yield event('response.output_text.delta', { ...place, delta, logprobs: [] })
  yield event('response.output_text.done', { ...place, text, logprobs: [] })
  yield event('response.content_part.done', { ...place, part })
  yield event('response.output_item.done', { output_index: 0, item: message })
  yield event(`response.${closed.status}`, { response: closed })
}
