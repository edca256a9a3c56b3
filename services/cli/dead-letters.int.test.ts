import { expect, test } from 'vitest'
import { createTestRedis } from '#tools/test/stores.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { deadEventQueue, jobNameOf } from '#shared/pipeline/queue.ts'
import { lazyQueue } from '#shared/pipeline/lazy-queue.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { runCommand } from './run-command.fixture.ts'

const urls = await createTestRedis()

const run = (...args: string[]) =>
  runCommand(new URL('./dead-letters.ts', import.meta.url), args, {
    POSTGRES_URL: 'postgres://127.0.0.1:1/none',
    REDIS_STATE_URL: urls.redisStateUrl,
    REDIS_QUEUE_URL: urls.redisQueueUrl,
  })

test('dead letters are listed, shown and dropped; one that does not exist keeps none of the others', async () => {
  const redis = openQueueConsumer(urls)
  const queue = lazyQueue(deadEventQueue, { redis, tag: '' })
  const lines = [{ line: '{}', reason: 'no id' }]
  await redis.ping()
  await (await queue.connected()).add(jobNameOf(1), lines, { jobId: 'a' })
  expect((await run('list')).stdout).toMatch(/a +\S+ +events +1 +no id$/)
  expect(JSON.parse((await run('show', 'a')).stdout)).toMatchObject({ id: 'a', lines })
  expect(await run('drop', 'b', 'a')).toEqual({ code: 1, stdout: 'a: done', stderr: 'There is no dead letter b.' })
  expect((await run('list')).stdout).toBe('(none)')
  await queue.close()
  redis.disconnect()
})

test('a letter that two operators drop at once counts once', async () => {
  const shard = { redis: openQueueConsumer(urls), tag: '' }
  const [queue, letters] = [lazyQueue(deadEventQueue, shard), createDeadLetters([shard])]
  await shard.redis.ping()
  await (await queue.connected()).add(jobNameOf(7), [], { jobId: 'twice' })
  const before = Number(await shard.redis.get(pipelineKeys(shard).dropped))
  await Promise.all([letters.drop('twice'), letters.drop('twice')])
  expect(Number(await shard.redis.get(pipelineKeys(shard).dropped))).toBe(before + 7)
  await Promise.all([queue.close(), letters.close()])
  shard.redis.disconnect()
})

test.each(['lsit', 'show'])('%s shows the usage', async (word) => {
  const { code, stderr } = await run(word)
  expect(code).toBe(1)
  expect(stderr).toContain('Usage: npm run dead-letters --')
})
