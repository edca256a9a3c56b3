import { toFile } from 'openai'
import { expect, test } from 'vitest'
import { collect, startProvider } from '#tools/sample-provider/test-provider.ts'

const upload = (content: string, name = 'input.jsonl') => toFile(Buffer.from(content), name)

const line = (id: string, model: string) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: id }] },
  })

test('keeps, lists, hands out and deletes files', async () => {
  const { client } = await startProvider()
  const file = await client.files.create({ file: await upload('hello', 'a.txt'), purpose: 'user_data' })
  expect(file).toMatchObject({ object: 'file', bytes: 5, filename: 'a.txt', purpose: 'user_data' })
  await client.files.create({ file: await upload('{}'), purpose: 'batch' })

  expect(await client.files.retrieve(file.id)).toEqual(file)
  expect(await (await client.files.content(file.id)).text()).toBe('hello')
  expect(await collect(client.files.list({ limit: 1 }))).toHaveLength(2)
  expect(await collect(client.files.list({ purpose: 'user_data' }))).toEqual([file])

  expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
  await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, param: 'id' })
})

test('holds no more than its limit', async () => {
  const { client } = await startProvider({ fileLimitBytes: 1_000 })
  const create = async (size: number) =>
    client.files.create({ file: await upload('x'.repeat(size)), purpose: 'user_data' })
  await expect(create(1_001)).rejects.toMatchObject({ status: 413 })
  const { id } = await create(600)
  await expect(create(600)).rejects.toMatchObject({ status: 400 })
  await client.files.delete(id)
  await expect(create(600)).resolves.toMatchObject({ bytes: 600 })
})

test('runs a batch and keeps its output and its errors', async () => {
  let time = Date.parse('2026-03-01')
  const { client } = await startProvider({ now: () => time })
  const input = await client.files.create({
    file: await upload([line('one', 'gpt-4o'), line('two', 'llama')].join('\n')),
    purpose: 'batch',
  })
  const request = {
    input_file_id: input.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  } as const
  const { id } = await client.batches.create(request)
  expect((await client.batches.retrieve(id)).status).toBe('validating')

  time += 1_000
  const done = await client.batches.retrieve(id)
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 2, completed: 1, failed: 1 } })
  const output = await (await client.files.content(done.output_file_id ?? '')).text()
  expect(JSON.parse(output)).toMatchObject({
    custom_id: 'one',
    response: { status_code: 200, body: { object: 'chat.completion' } },
  })
  const failed = await (await client.files.content(done.error_file_id ?? '')).text()
  expect(JSON.parse(failed)).toMatchObject({ custom_id: 'two', response: { status_code: 404 } })
  await expect(client.batches.cancel(id)).rejects.toMatchObject({ status: 400 })
  expect(await collect(client.batches.list())).toHaveLength(1)
})

test('cancels a batch and fails one that it cannot read', async () => {
  let time = Date.parse('2026-03-01')
  const { client } = await startProvider({ now: () => time })
  const { id: input_file_id } = await client.files.create({ file: await upload('no json'), purpose: 'batch' })
  const request = { input_file_id, endpoint: '/v1/embeddings', completion_window: '24h' } as const
  const cancelled = await client.batches.create(request)
  const failing = await client.batches.create(request)
  expect((await client.batches.cancel(cancelled.id)).status).toBe('cancelling')
  time += 1_000
  expect((await client.batches.retrieve(cancelled.id)).status).toBe('cancelled')
  expect(await client.batches.retrieve(failing.id)).toMatchObject({ status: 'failed', errors: { data: [{ line: 1 }] } })
  await expect(client.batches.create({ ...request, input_file_id: 'file-none' })).rejects.toMatchObject({ status: 404 })
})
