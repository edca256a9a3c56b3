import { once } from 'node:events'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMetrics } from '#core/metrics.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { day } from '#core/units.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { startSchedule } from './schedule.ts'

const logger = pino({ level: 'silent' })

async function openShard() {
  const redis = openQueueConsumer(await createTestRedis())
  onTestFinished(() => redis.disconnect())
  await whenReady(redis)
  return { redis, tag: '' }
}

test('the schedule runs jobs, removes those of older versions and survives a failing one', async () => {
  const shard = await openShard()
  const removed = { name: 'gone', everyMs: 50, run: async () => undefined }
  const older = startSchedule({ shard, jobs: [removed], metrics: createMetrics(), logger })
  await older.stop()
  const rounds = vi.fn(async () => {
    throw new Error('failed')
  })
  const job = { name: 'round', everyMs: 50, run: rounds }
  const registries = [createMetrics(), createMetrics()]
  const schedules = registries.map((own) => startSchedule({ shard, jobs: [job], metrics: own, logger }))
  for (const own of registries) {
    const text = await own.metrics()
    for (const outcome of ['done', 'failed'])
      expect(text).toContain(`sallyport_jobs_total{job="round",outcome="${outcome}"} 0`)
  }
  await expect.poll(() => rounds.mock.calls.length).toBeGreaterThan(3)
  await Promise.all(schedules.map((schedule) => schedule.stop()))
  expect(await shard.redis.keys('*gone*')).toEqual([])
})

test('a job that hangs delays no other, and runs again once it has ended', async () => {
  const metrics = createMetrics()
  const hanging = Promise.withResolvers<void>()
  const [slow, quick] = [vi.fn(() => hanging.promise), vi.fn(async () => undefined)]
  const all = [
    { name: 'slow', everyMs: 50, run: slow },
    { name: 'quick', everyMs: 50, run: quick },
  ]
  const schedule = startSchedule({ shard: await openShard(), jobs: all, metrics, logger })
  await expect.poll(() => quick.mock.calls.length).toBeGreaterThan(9)
  expect(slow).toHaveBeenCalledTimes(1)
  await expect.poll(() => metrics.metrics()).toContain('sallyport_jobs_total{job="slow",outcome="skipped"}')
  hanging.resolve()
  await expect.poll(() => slow.mock.calls.length).toBeGreaterThan(1)
  await schedule.stop()
})

test('a schedule that Redis has lost is saved again', async () => {
  const shard = await openShard()
  const rounds = vi.fn(async () => undefined)
  const job = { name: 'round', everyMs: 50, run: rounds }
  const options = { shard, metrics: createMetrics(), logger, savedEveryMs: 200 }
  const schedule = startSchedule({ ...options, jobs: [job] })
  await expect.poll(() => rounds.mock.calls.length).toBeGreaterThan(1)
  await shard.redis.flushdb()
  rounds.mockClear()
  await expect.poll(() => rounds.mock.calls.length).toBeGreaterThan(3)
  await schedule.stop()
})

test('a job that was scheduled while the clock was a day ahead runs once the clock is right', async () => {
  const rounds = vi.fn(async () => undefined)
  const job = { name: 'round', everyMs: 50, run: rounds }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + day })
  const options = { shard: await openShard(), metrics: createMetrics(), logger, savedEveryMs: 200 }
  const schedule = startSchedule({ ...options, jobs: [job] })
  await expect.poll(() => rounds.mock.calls.length).toBeGreaterThan(0)
  vi.useRealTimers()
  rounds.mockClear()
  await expect.poll(() => rounds.mock.calls.length).toBeGreaterThan(3)
  await schedule.stop()
})

test('a worker that stops tells its jobs, and waits for what they have begun', async () => {
  const ended = vi.fn()
  const untilStop = vi.fn(async (stopping = new AbortController().signal) => {
    await once(stopping, 'abort')
    ended()
  })
  const all = [{ name: 'endless', everyMs: 50, run: untilStop }]
  const schedule = startSchedule({ shard: await openShard(), jobs: all, metrics: createMetrics(), logger })
  await expect.poll(() => untilStop.mock.calls.length).toBe(1)
  await schedule.stop()
  expect(ended).toHaveBeenCalledTimes(1)
})
