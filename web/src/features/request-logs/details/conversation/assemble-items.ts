import { z } from 'zod'

const Event = z.object({
  type: z.string().startsWith('response.'),
  output_index: z.number().default(0),
  delta: z.string().optional().catch(undefined),
  item: z.record(z.string(), z.unknown()).optional().catch(undefined),
  response: z
    .object({ output: z.array(z.unknown()).min(1), status: z.string().nullish() })
    .optional()
    .catch(undefined),
})

interface OpenItem {
  item: object
  deltas: Partial<Record<string, string>>
}

/** Assembles a stream of the Responses API. Its last event has everything, unless the stream broke or was cut. */
export function assembleItems(events: readonly unknown[]): object | undefined {
  const items = new Map<number, OpenItem>()
  for (const each of events) {
    const event = Event.safeParse(each).data
    if (!event) continue
    const { type, output_index: index, delta, item, response } = event
    if (response && /^response\.(?:completed|incomplete|failed)$/.test(type)) return response
    const open = items.get(index) ?? { item: { type: 'message', role: 'assistant' }, deltas: {} }
    if (type === 'response.output_item.added' && item) items.set(index, { ...open, item })
    if (type === 'response.output_item.done' && item) items.set(index, { item, deltas: {} })
    if (delta === undefined || !type.endsWith('.delta')) continue
    open.deltas[type] = (open.deltas[type] ?? '') + delta
    items.set(index, open)
  }
  if (items.size === 0) return undefined
  return { output: [...items].toSorted(([a], [b]) => a - b).map(([, open]) => whole(open)) }
}

function whole({ item, deltas }: OpenItem): object {
  const of = (name: string) => deltas[`response.${name}.delta`]
  const [said, refused] = [of('output_text'), of('refusal')]
  const input = of('function_call_arguments') ?? of('custom_tool_call_input')
  const thought = of('reasoning_summary_text') ?? of('reasoning_text')
  const content = [
    ...(said ? [{ type: 'output_text', text: said }] : []),
    ...(refused ? [{ type: 'refusal', refusal: refused }] : []),
  ]
  return {
    ...item,
    ...(content.length > 0 && { content }),
    ...(input && { arguments: input }),
    ...(thought && { summary: [{ type: 'summary_text', text: thought }] }),
  }
}
