import { z } from 'zod'

const Event = z.object({
  candidates: z.array(
    z.object({
      index: z.number().default(0),
      content: z.object({ parts: z.array(z.record(z.string(), z.unknown())).default([]) }).optional(),
      finishReason: z.string().nullish(),
    }),
  ),
})
type Part = Record<string, unknown>

/** Assembles a stream of Google's API, whose events continue the text of the part before. */
export function assembleGoogle(events: readonly unknown[]): object | undefined {
  const candidates = new Map<number, { content: { parts: Part[] }; finishReason?: string | null | undefined }>()
  for (const event of events) {
    for (const { index, content, finishReason } of Event.safeParse(event).data?.candidates ?? []) {
      const candidate = candidates.get(index) ?? { content: { parts: [] } }
      candidates.set(index, candidate)
      for (const part of content?.parts ?? []) addPart(candidate.content.parts, part)
      candidate.finishReason = finishReason ?? candidate.finishReason
    }
  }
  return candidates.size > 0 ? { candidates: [...candidates.values()] } : undefined
}

function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1)
  const isContinued = typeof last?.['text'] === 'string' && typeof part['text'] === 'string'
  if (!last || !isContinued || last['thought'] !== part['thought']) parts.push({ ...part })
  else last['text'] = `${String(last['text'])}${String(part['text'])}`
}
