import { z } from 'zod'
import { parseCutJson } from './parse-cut-json.ts'

const index = z.number()
const text = z.string().optional()

const Event = z.union([
  z.object({ type: z.literal('message_start') }),
  z.object({ type: z.literal('content_block_start'), index, content_block: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal('content_block_delta'),
    index,
    delta: z.object({ text, thinking: text, partial_json: text }),
  }),
  z.object({ type: z.literal('message_delta'), delta: z.object({ stop_reason: z.string().nullish() }) }),
])

interface Block {
  start: object
  text: string
  thinking: string
  input: string
}

export function assembleAnthropic(events: readonly unknown[]): object | undefined {
  const blocks = new Map<number, Block>()
  let hasBegun = false
  let reason: string | null | undefined
  for (const each of events) {
    const event = Event.safeParse(each).data
    if (event?.type === 'message_start') hasBegun = true
    if (event?.type === 'message_delta') reason = event.delta.stop_reason
    if (event?.type === 'content_block_start') {
      blocks.set(event.index, { start: event.content_block, text: '', thinking: '', input: '' })
    }
    const block = event?.type === 'content_block_delta' ? blocks.get(event.index) : undefined
    if (!block || event?.type !== 'content_block_delta') continue
    block.text += event.delta.text ?? ''
    block.thinking += event.delta.thinking ?? ''
    block.input += event.delta.partial_json ?? ''
  }
  return hasBegun ? { role: 'assistant', content: [...blocks.values()].map(whole), stop_reason: reason } : undefined
}

const whole = ({ start, text: said, thinking, input }: Block): object => ({
  ...start,
  ...(said !== '' && { text: said }),
  ...(thinking !== '' && { thinking }),
  ...(input !== '' && { input: parseCutJson(input) ?? input }),
})
