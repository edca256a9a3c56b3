import { expect, test } from 'vitest'
import { findMadeObjects, madeObjectsPattern, objectIdsOf } from './object-ids.ts'

const bodyOf = (value: unknown) => {
  const bytes = Buffer.from(JSON.stringify(value, undefined, 1))
  return { bytes, length: bytes.length }
}
const idsOf = (endpoint: string, value?: unknown) =>
  objectIdsOf(endpoint, value === undefined ? undefined : bodyOf(value), 'application/json')

test.each([
  ['/v1/files/file-1a/content', ['file-1a']],
  ['/v1/threads/thread_1/runs/run_1', ['thread_1']],
  ['/v1/fine_tuning/jobs/ftjob-1/events', ['ftjob-1']],
  ['/v1/files', []],
  ['/v1/threads/runs', []],
  ['/v1/chat/completions', []],
  ['/v1/filesystem/1', []],
])('%s is about %j', (endpoint, ids) => expect(idsOf(endpoint)).toEqual(ids))

test.each([
  [{ previous_response_id: 'resp_1' }, ['resp_1']],
  [{ conversation: { id: 'conv_1' } }, ['conv_1']],
  [{ conversation: 'conv_1' }, ['conv_1']],
  [{ tools: [{ vector_store_ids: ['vs_1', 'vs_2'] }] }, ['vs_1']],
  [{ input: 'x'.repeat(1_000_000), previous_response_id: 'resp_1' }, ['resp_1']],
  [{ input: [1, 2, 3, 4, 5].map((each) => ({ file_id: `file-${each}` })) }, ['file-1', 'file-2', 'file-3', 'file-4']],
  [{ previous_response_id: null }, []],
  [{ input: '"previous_response_id":"resp_1"' }, []],
])('a body is about the objects that it names', (value, ids) => expect(idsOf('/v1/responses', value)).toEqual(ids))

test.each([
  ['/v1/files', { object: 'file', id: 'file-1' }, 'file-1', []],
  ['/v1/batches/batch_1', { id: 'batch_1', output_file_id: 'file-2', error_file_id: null }, 'batch_1', ['file-2']],
  ['/v1/uploads/upload_1/complete', { id: 'upload_1', file: { id: 'file-3' } }, 'upload_1', ['file-3']],
  ['/v1/responses', { id: 'resp_1', output: [{ id: 'msg_1' }] }, 'resp_1', []],
])('a response of %s makes objects', (endpoint, value, ownId, otherIds) => {
  expect(findMadeObjects(JSON.stringify(value), madeObjectsPattern(endpoint, undefined)!)).toEqual({ ownId, otherIds })
})

test('other endpoints make none', () => expect(madeObjectsPattern('/v1/embeddings', undefined)).toBeUndefined())

test.each([
  [{ store: true }, true],
  [{ store: false }, false],
  [{ messages: [{ content: '"store": true' }] }, false],
  [{}, false],
])('a chat completion with %j is kept: %s', (value, isKept) => {
  expect(madeObjectsPattern('/v1/chat/completions', bodyOf(value)) !== undefined).toBe(isKept)
})
