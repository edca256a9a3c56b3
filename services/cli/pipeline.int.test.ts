import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClickHouse, createTestRedis, type TestClickHouse, type TestRedisUrls } from '#tools/test/stores.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueRedis } from '#core/redis/queue-shards.ts'
import { openQueueConsumer } from '#core/resources.ts'
import { hour, second } from '#core/units.ts'
import type { ProxyReport } from '#schemas/pipeline.ts'
import { createPipelineStore, type PipelineStore } from '#store/clickhouse/pipeline.ts'

const keys = pipelineKeys({ tag: '' })

let store: TestClickHouse
let urls: TestRedisUrls
let redis: QueueRedis
let pipeline: PipelineStore

beforeAll(async () => {
  store = await createTestClickHouse()
  urls = await createTestRedis()
  redis = openQueueConsumer(urls)
  pipeline = createPipelineStore(store.clickhouse, [{ redis, tag: '' }])
})
beforeEach(() => redis.flushdb())
afterAll(async () => {
  redis.disconnect()
  await store.drop()
})

/** A proxy that last spoke so long ago, and had accepted 9 requests and shipped none. */
async function proxyThatSpoke(agoMs: number): Promise<string> {
  const id = uuidv7()
  const at = new Date(Date.now() - agoMs).toISOString()
  const report: ProxyReport = {
    host: 'node-7',
    pid: 41,
    at,
    accepted: 9,
    spooledEvents: 9,
    spooledBytes: 9_000,
    fullness: 0.01,
    shippedUntil: at,
  }
  await redis.hset(keys.accepted, id, report.accepted)
  await redis.hset(keys.proxies, id, JSON.stringify(report))
  return id
}

/** The command as an operator runs it. */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; stdout: string; stderr: string }>()
  const env = {
    PATH: process.env.PATH,
    POSTGRES_URL: 'postgres://127.0.0.1:1/none',
    REDIS_STATE_URL: urls.redisStateUrl,
    REDIS_QUEUE_URL: urls.redisQueueUrl,
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
  }
  const script = fileURLToPath(new URL('./pipeline.ts', import.meta.url))
  execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
    resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
  )
  return promise
}

test('a proxy whose disk is gone is written off: nothing waits for it, and the accounts say what was lost', async () => {
  const id = await proxyThatSpoke(hour)
  expect((await run('proxies')).stdout).toMatch(new RegExp(`${id} +node-7 +41 .* 9 +silent`))
  const before = await pipeline.read()
  expect(before).toMatchObject({ spooled: 9, writtenOff: 0, difference: 0, writtenOffProxies: [] })
  expect(Date.parse(before.completeUntil)).toBeLessThan(Date.now() - hour + second)

  const { code, stdout } = await run('write-off', id)
  expect(code).toBe(0)
  expect(stdout).toBe(`Proxy ${id} of node-7 is written off, and with it 9 events that nobody will store.\n`)
  const after = await pipeline.read()
  expect(after).toMatchObject({ accepted: 9, spooled: 0, writtenOff: 9, difference: 0, proxies: [] })
  expect(after.writtenOffProxies).toMatchObject([{ id, host: 'node-7', events: 9 }])
  expect(Date.parse(after.completeUntil)).toBeGreaterThan(Date.now() - 10 * second)
  expect((await run('proxies')).stdout).toMatch(new RegExp(`${id} .* 9 +written off at `))
})

test('a proxy that speaks is not written off, and one that speaks again was not lost', async () => {
  const alive = await proxyThatSpoke(second)
  expect(await run('write-off', alive)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Proxy ${alive} spoke within the last minute: it is not lost.\n`,
  })
  const silent = await proxyThatSpoke(hour)
  await run('write-off', silent)
  await redis.hset(keys.proxies, silent, (await redis.hget(keys.proxies, alive))!)
  expect(await pipeline.read()).toMatchObject({ accepted: 18, spooled: 18, writtenOff: 0, difference: 0 })
})

test('a difference that a lost queue left is settled, in both directions', async () => {
  await redis.hset(keys.accepted, uuidv7(), 12)
  expect(await pipeline.read()).toMatchObject({ accepted: 12, difference: 12 })
  expect(await run('reconcile', '12')).toMatchObject({
    code: 0,
    stdout: 'The difference of 12 is settled; 12 in all.\n',
  })
  expect(await pipeline.read()).toMatchObject({ accepted: 12, reconciled: 12, difference: 0 })

  await redis.del(keys.accepted)
  expect(await pipeline.read()).toMatchObject({ accepted: 0, difference: -12 })
  expect(await run('reconcile', '-12')).toMatchObject({
    code: 0,
    stdout: 'The difference of -12 is settled; 0 in all.\n',
  })
  expect(await pipeline.read()).toMatchObject({ reconciled: 0, difference: 0 })
})

test('what can not be done says why', async () => {
  expect((await run('write-off', uuidv7())).stderr).toContain('There is no proxy')
  expect((await run('write-off')).stderr).toContain("missing required argument 'id'")
  expect((await run('reconcile', '1.5')).stderr).toContain('1.5 is no difference.')
  expect((await run('reconcile', 'all')).stderr).toContain('all is no difference.')
})
