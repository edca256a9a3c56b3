import { expect, test } from 'vitest'
import { framingOf } from './framing.ts'

test.each([
  ['application/json', 'json'],
  ['Application/JSON ; charset=utf-8', 'json'],
  ['application/problem+json', 'json'],
  ['text/event-stream', 'events'],
  ['Text/Event-Stream; charset=utf-8', 'events'],
  ['application/stream+json', 'lines'],
  ['application/json-seq', 'lines'],
  ['application/geo+json-seq', 'lines'],
  ['application/x-ndjson', 'lines'],
  ['application/ndjson; charset=utf-8', 'lines'],
  ['application/jsonl', 'lines'],
  ['application/x-jsonlines', 'lines'],
  ['application/connect+json', 'none'],
  ['application/vnd.amazon.eventstream', 'none'],
  ['audio/mpeg', 'none'],
  [undefined, 'none'],
])('%s has the framing %s', (type, framing) => {
  expect(framingOf(type)).toBe(framing)
})
