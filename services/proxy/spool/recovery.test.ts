import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { Recovery } from './recovery.ts'
import { Spool } from './spool.ts'

test('a beginning stays on disk while the end exists only in memory', async () => {
  const folder = temporaryFolder()
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const begun = spool.begin(requestEvent({ outcome: 'interrupted' }))
  await spool.end(requestEvent())
  const [first] = spool.next({ force: true })
  if (first) spool.markShipped(first)
  renameSync(folder, `${folder}-away`)
  await spool.end({ ...begun.event, outcome: 'completed' }, begun)
  await spool.removeShipped(spool.accepted)
  expect(readdirSync(`${folder}-away`)).toHaveLength(1)
  const shipping = spool.next()
  // There may be more such ends all the time, and only a removal makes room on the disk.
  await spool.end(requestEvent())
  renameSync(`${folder}-away`, folder)
  for (const segment of shipping) spool.markShipped(segment)
  await spool.removeShipped(spool.accepted)
  expect(readdirSync(folder)).toEqual([])
})

test('a record that the disk has damaged is shipped as it is, and holds nothing back', async () => {
  const folder = temporaryFolder()
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const [damaged, whole] = [requestEvent(), requestEvent()]
  for (const event of [damaged, whole]) spool.confirm(spool.begin(event))
  const [path = ''] = readdirSync(folder).map((file) => join(folder, file))
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"id":"${damaged.id}"`, '\0'.repeat(43)))

  const recovery = new Recovery({ proxyId: 'p', path: folder })
  await recovery.prepare()
  const lines: string[] = []
  await recovery.publishAll(async ({ text }) => {
    lines.push(...Buffer.concat(text).toString().trimEnd().split('\n'))
  })
  expect(recovery.accepted).toBe(2)
  expect(lines).toEqual([expect.stringContaining('\0'), expect.stringContaining(`"id":"${whole.id}"`)])
})

test('recovery writes nothing, and repeats the batches of requests without an end', async () => {
  const folder = temporaryFolder()
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const open = Array.from({ length: 100 }, () => requestEvent({ requestBody: 'x'.repeat(100_000) }))
  for (const event of open) spool.confirm(spool.begin(event))
  await spool.end(requestEvent())
  const before = readdirSync(folder)

  const recover = async () => {
    const recovery = new Recovery({ proxyId: 'p', path: folder })
    await recovery.prepare()
    const batches: { id: string; count: number; text: string }[] = []
    const full = recovery.publishAll(async ({ id, count, text }) => {
      if (batches.length === 3) throw new Error('the queue is full')
      batches.push({ id, count, text: String(text) })
    })
    await expect(full).rejects.toThrow('the queue is full')
    return batches
  }
  const batches = await recover()
  expect(await recover()).toEqual(batches)
  expect(readdirSync(folder)).toEqual(before)
  expect(batches.map(({ count }) => count)).toEqual([42, 42, 16])
  expect(new Set(batches.map(({ id }) => id)).size).toBe(3)
})

test('requests without an end are shipped once, although the batches after them have to wait', async () => {
  const folder = temporaryFolder()
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const open = requestEvent()
  spool.confirm(spool.begin(open))
  await spool.end(requestEvent())

  const recovery = new Recovery({ proxyId: 'p', path: folder })
  await recovery.prepare()
  const texts: string[] = []
  const publish = () =>
    recovery.publishAll(async ({ text }) => {
      texts.push(String(text))
      if (texts.length === 2) throw new Error('the shard of this batch is unavailable')
    })
  await expect(publish()).rejects.toThrow('unavailable')
  await publish()
  expect(texts.map((text) => text.includes(open.id))).toEqual([true, false, false])
})
