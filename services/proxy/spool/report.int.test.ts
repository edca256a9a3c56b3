import { expect, onTestFinished, test } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { createProxyReporter } from './report.ts'
import { Spool } from './spool.ts'

const keys = pipelineKeys({ tag: '' })

const queue = await createTestRedis()

async function connect() {
  const redis = openQueueConsumer(queue)
  onTestFinished(() => redis.disconnect())
  await redis.ping()
  return redis
}

test('what was shipped is reported at once, so that it is not counted in the spool and in the queue', async () => {
  const redis = await connect()
  const spool = new Spool(temporaryFolder(), { maxBytes: 2 ** 30 })
  const reporter = createProxyReporter({ redis, tag: '' }, spool, 'this')
  const reported = async () => {
    await reporter.report()
    const { accepted, spooledEvents } = JSON.parse((await redis.hget(keys.proxies, 'this')) ?? '{}')
    return { accepted, spooledEvents }
  }

  await spool.end(requestEvent())
  expect(await reported()).toEqual({ accepted: 1, spooledEvents: 1 })
  for (const segment of spool.next({ force: true })) spool.markShipped(segment)
  expect(await reported()).toEqual({ accepted: 1, spooledEvents: 0 })
})

test('a proxy that stops is gone once it has shipped everything', async () => {
  const redis = await connect()
  const spool = new Spool(temporaryFolder(), { maxBytes: 2 ** 30 })
  const reporter = createProxyReporter({ redis, tag: '' }, spool, 'stopping')
  await spool.end(requestEvent())
  await reporter.close()
  expect([reporter.isGone, await redis.hexists(keys.proxies, 'stopping')]).toEqual([false, 1])
  for (const segment of spool.next({ force: true })) spool.markShipped(segment)
  await reporter.close()
  expect([reporter.isGone, await redis.hexists(keys.proxies, 'stopping')]).toEqual([true, 0])
})

test('what a dead proxy had reported stays if its disk knows of less', async () => {
  const redis = await connect()
  const reporter = createProxyReporter({ redis, tag: '' }, new Spool(temporaryFolder(), { maxBytes: 1 }), 'this')
  const reported = async (accepted: number) => {
    await reporter.reportAccepted('dead', accepted)
    return redis.hget(keys.accepted, 'dead')
  }
  expect(await reported(5)).toBe('5')
  expect(await reported(3)).toBe('5')
  expect(await reported(7)).toBe('7')
})
