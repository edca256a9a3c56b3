import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RequestEvent, pendingEvent } from '#schemas/request-event.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { completeEvent, encodeBeginning, mark, readSegment, RecordBuffer } from './records.ts'

const id = '0199a000-0000-7000-8000-000000000001'

test.each([
  ['short', 'a'],
  ['of several bytes a character', '日本語 🛰️ é'],
  ['just within the capacity of the buffer', 'x'.repeat(21_000)],
  ['long, of several bytes a character', '語'.repeat(40_000)],
  ['of megabytes', 'x'.repeat(3_000_000)],
])('a record whose text is %s is read back as it was', async (_name, text) => {
  const path = join(temporaryFolder(), 'segment')
  const json = JSON.stringify({ text })
  const buffer = new RecordBuffer()
  for (const kind of [mark.begin, mark.end]) {
    while (!buffer.add(kind, id, json)) appendFileSync(path, buffer.take())
    expect(buffer.lastJson().toString()).toBe(`${json}\n`)
  }
  appendFileSync(path, buffer.take())
  const { begins, ends, accepted } = await readSegment(path)
  expect(begins.get(id)!.toString()).toBe(`${json}\n`)
  expect(ends.map((end) => [end.id, end.line.toString()])).toEqual([[id, `${json}\n`]])
  expect(accepted).toBe(1)
})

const recorded = requestEvent()
const known = { cacheStatus: 'miss', query: 'beta=true', tags: { customer: 'acme' } } as const
const begun = requestEvent({ ...pendingEvent, ...known, attemptLog: [], responseHeaders: {} })

test.each([
  ['its beginning', begun, encodeBeginning(begun)],
  ['a later state', recorded, JSON.stringify(recorded)],
])('for a request without an end %s becomes a complete event', (_name, event, json) => {
  expect(RequestEvent.parse(JSON.parse(completeEvent(json)))).toEqual(event)
})
