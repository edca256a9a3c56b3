import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestClickHouse, createTestRedis } from '#tools/test/stores.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { hour, second } from '#core/units.ts'
import type { ProxyReport } from '#schemas/pipeline.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { createProcessReports } from '#store/redis/process-reports.ts'
import { createPipelineCommandLine } from './pipeline-commands.ts'
import { parseHere, runCommand } from './run-command.fixture.ts'

const store = await createTestClickHouse()
const urls = await createTestRedis()
const redis = openQueueConsumer(urls)
const keys = pipelineKeys({ tag: '' })
const pipeline = createPipelineStore(store.clickhouse, [{ redis, tag: '' }])

beforeEach(() => redis.flushdb())
afterAll(async () => {
  redis.disconnect()
  await store.drop()
})

/** Runs the command as an operator does. */
const runProcess = (...args: string[]) =>
  runCommand(new URL('./pipeline.ts', import.meta.url), args, {
    POSTGRES_URL: 'postgres://127.0.0.1:1/none',
    REDIS_STATE_URL: urls.redisStateUrl,
    REDIS_QUEUE_URL: urls.redisQueueUrl,
  })

/** @returns what the command prints; throws its failure */
async function run(...args: string[]): Promise<string> {
  let printed = ''
  const program = createPipelineCommandLine(async (command) => {
    printed = await command(createProcessReports({ redis, tag: '' }))
  })
  await parseHere(program, args)
  return printed
}

/** Adds a proxy that last reported this long ago, having accepted 9 requests and shipped none. */
async function addProxy(agoMs: number): Promise<string> {
  const id = uuidv7()
  const at = new Date(Date.now() - agoMs).toISOString()
  const spool = { accepted: 9, spooledEvents: 9, spooledBytes: 9_000, fullness: 0.01 }
  const report: ProxyReport = { host: 'node-7', pid: 41, at, ...spool, shippedUntil: at }
  await redis.hset(keys.accepted, id, report.accepted)
  await redis.hset(keys.proxies, id, JSON.stringify(report))
  return id
}

test('a proxy whose disk is gone is written off: nothing waits for it, and the counters show what was lost', async () => {
  const id = await addProxy(hour)
  expect(await run('proxies')).toMatch(new RegExp(`${id} +node-7 +41 .* 9 +silent`))
  const before = await pipeline.read()
  expect(before).toMatchObject({ spooled: 9, writtenOff: 0, difference: 0, writtenOffProxies: [] })
  expect(Date.parse(before.completeUntil)).toBeLessThan(Date.now() - hour + second)

  expect(await runProcess('write-off', id)).toMatchObject({
    code: 0,
    stdout: `Proxy ${id} on node-7 is written off, with 9 events that will never be stored.`,
  })
  const after = await pipeline.read()
  expect(after).toMatchObject({ accepted: 9, spooled: 0, writtenOff: 9, difference: 0, proxies: [] })
  expect(after.writtenOffProxies).toMatchObject([{ id, host: 'node-7', events: 9 }])
  expect(Date.parse(after.completeUntil)).toBeGreaterThan(Date.now() - 10 * second)
  expect(await run('proxies')).toMatch(new RegExp(`${id} .* 9 +written off at `))
})

test('a proxy that reports is not written off, and one that reports again was not lost', async () => {
  const alive = await addProxy(second)
  expect(await runProcess('write-off', alive)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Proxy ${alive} was seen within the last minute: it is not lost.`,
  })
  const silent = await addProxy(hour)
  await run('write-off', silent)
  await redis.hset(keys.proxies, silent, (await redis.hget(keys.proxies, alive))!)
  expect(await pipeline.read()).toMatchObject({ accepted: 18, spooled: 18, writtenOff: 0, difference: 0 })
})

test('a difference that a lost queue left is reconciled, in both directions', async () => {
  await redis.hset(keys.accepted, uuidv7(), 12)
  expect(await pipeline.read()).toMatchObject({ accepted: 12, difference: 12 })
  expect(await run('reconcile', '12')).toBe(
    'A difference of 12 is reconciled; all reconciled differences add up to 12.',
  )
  expect(await pipeline.read()).toMatchObject({ accepted: 12, reconciled: 12, difference: 0 })

  await redis.del(keys.accepted)
  expect(await pipeline.read()).toMatchObject({ accepted: 0, difference: -12 })
  expect(await run('reconcile', '-12')).toBe(
    'A difference of -12 is reconciled; all reconciled differences add up to 0.',
  )
  expect(await pipeline.read()).toMatchObject({ reconciled: 0, difference: 0 })
})

test('a reconciliation whose response was lost is repeated without effect', async () => {
  await redis.hset(keys.accepted, uuidv7(), 12)
  const printed = await run('reconcile', '12')
  expect(await run('reconcile', '12')).toBe(printed)
  expect(await pipeline.read()).toMatchObject({ reconciled: 12, difference: 0 })
  for (const difference of ['-12', '12']) await run('reconcile', difference)
  expect(await pipeline.read()).toMatchObject({ reconciled: 12, difference: 0 })
})

test.each([
  [['write-off', '0199a000-0000-7000-8000-000000000009'], 'There is no proxy'],
  [['write-off'], "missing required argument 'id'"],
  [['reconcile', '1.5'], '1.5 is not a difference'],
  [['reconcile', 'all'], 'all is not a difference'],
])('%j fails with a reason', async (args, reason) => {
  await expect(run(...args)).rejects.toThrow(reason)
})
