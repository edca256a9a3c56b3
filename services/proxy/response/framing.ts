import { remember } from '#core/remember.ts'

/** How a response is divided: one JSON document, server-sent events, one JSON document per line, or unknown. */
type Framing = 'json' | 'events' | 'lines' | 'none'

const framings: readonly (readonly [RegExp, Framing])[] = [
  [/^text\/event-stream$/, 'events'],
  [/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq|stream\+json|[\w.-]+\+json-seq)$/, 'lines'],
  // Connect's messages have binary envelopes.
  [/^(?:application|text)\/(?:json|(?!connect\+)[\w.-]+\+json)$/, 'json'],
]

export const framingOf = (contentType: string | undefined): Framing =>
  contentType === undefined ? 'none' : framingOfType(contentType)

const framingOfType = remember((contentType) => {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return framings.find(([pattern]) => pattern.test(type))?.[1] ?? 'none'
})

export const isStreamed = (framing: Framing): boolean => framing === 'events' || framing === 'lines'
