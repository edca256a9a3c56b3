import { expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { ModelListResponse } from './model-list.ts'
import type { ResponseHead, ResponseSink } from './response.ts'

function show(text: string, mayHold = true) {
  let head: ResponseHead | undefined
  let body = ''
  const sink: ResponseSink = {
    reserve: () => mayHold,
    writeHead: (sent) => void (head = sent),
    write: () => true,
    end: (last) => void (body = String(last)),
  }
  const response = new ModelListResponse(sink, { status: 200, headers: ['content-length', '9'] }, ['a'])
  response.push(Buffer.from(text))
  response.end()
  expect(head?.headers).toEqual(['content-length', String(body.length)])
  return JSON.parse(body) as unknown
}

test('a list shows only the models of the token', () => {
  const list = { object: 'list', data: [{ id: 'b' }, { id: 'a', owned_by: 'x' }, null] }
  expect(show(JSON.stringify(list))).toEqual({ object: 'list', data: [{ id: 'a', owned_by: 'x' }] })
})

test.each([
  [[{ id: 'b' }, { id: 'a' }, { id: 'c' }], { has_more: true, first_id: 'a', last_id: 'a' }],
  // A client would ask for the same page for ever.
  [[{ id: 'b' }], { has_more: false, first_id: null, last_id: null }],
])('the next page begins after the last model that is shown', (data, paging) => {
  const list = JSON.stringify({ data, has_more: true, first_id: 'b', last_id: 'c' })
  expect(show(list)).toMatchObject(paging)
})

test("Google's list shows only the models of the token", () => {
  const list = { models: [{ name: 'models/b' }, { name: 'models/a', version: '1' }, null], nextPageToken: 'n' }
  expect(show(JSON.stringify(list))).toEqual({ models: [{ name: 'models/a', version: '1' }], nextPageToken: 'n' })
})

test.each(['', '{"models":{"name":"models/b"}}', 'no json', 'null', '[{"id":"b"}]', '{"data":"b"}'])(
  'a list that cannot be read is empty: %s',
  (text) => {
    expect(show(text)).toEqual({ object: 'list', data: [] })
  },
)

test('a list for which memory is short is empty', () => {
  expect(show('{"data":[{"id":"a"}]}', false)).toEqual({ object: 'list', data: [] })
})

test.each([
  [mib, [{ id: 'a' }]],
  [2 * mib, []],
])('a list of %d bytes, parsed in one turn of the event loop, shows %j', (bytes, data) => {
  expect(show(`{"data":[{"id":"a"}${',[]'.repeat(bytes / 3)}]}`)).toEqual({ object: 'list', data })
})
