import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestRedis } from '#tools/test/stores.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { deadEventQueue, jobNameOf, requestEventQueue } from '#shared/pipeline/queue.ts'
import { lazyQueue } from '#shared/pipeline/lazy-queue.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { createDeadLetterCommandLine } from './dead-letter-commands.ts'
import { parseHere, runCommand } from './run-command.fixture.ts'

const urls = await createTestRedis()

/** Runs the command as an operator does. */
const runProcess = (...args: string[]) =>
  runCommand(new URL('./dead-letters.ts', import.meta.url), args, {
    POSTGRES_URL: 'postgres://127.0.0.1:1/none',
    REDIS_STATE_URL: urls.redisStateUrl,
    REDIS_QUEUE_URL: urls.redisQueueUrl,
  })

test('dead letters are listed, shown and dropped; one that does not exist keeps none of the others', async () => {
  const shard = { redis: openQueueConsumer(urls), tag: '' }
  const queue = lazyQueue(deadEventQueue, shard)
  const letters = createDeadLetters([shard])
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  onTestFinished(() => log.mockRestore())
  const run = async (...args: string[]) => {
    await parseHere(
      createDeadLetterCommandLine((command) => command(letters)),
      args,
    )
    return String(log.mock.calls.at(-1))
  }
  const lines = [{ line: '{}', reason: 'no id' }]
  await shard.redis.ping()
  await (await queue.connected()).add(jobNameOf(1), lines, { jobId: 'a' })
  expect(await run('list')).toMatch(/a +\S+ +events +1 +no id$/)
  expect(JSON.parse(await run('show', 'a'))).toMatchObject({ id: 'a', lines })
  expect(await runProcess('drop', 'b', 'a')).toEqual({
    code: 1,
    stdout: 'a: done',
    stderr: 'There is no dead letter b.',
  })
  expect(await run('list')).toBe('(none)')
  await Promise.all([queue.close(), letters.close()])
  shard.redis.disconnect()
})

test.each([
  ['drop', 'requeue', 7, false],
  ['drop', 'drop', 7, false],
  ['requeue', 'drop', 0, true],
] as const)('of two operators, one to %s a letter and one to %s it, only the first acts', async (...row) => {
  const [first, second, events, isQueued] = row
  const shard = { redis: openQueueConsumer(urls), tag: '' }
  const [dead, batches] = [lazyQueue(deadEventQueue, shard), lazyQueue(requestEventQueue, shard)]
  const letters = createDeadLetters([shard])
  await shard.redis.ping()
  const id = `${first}-${second}`
  await (await dead.connected()).add(jobNameOf(7), [{ line: '{}', reason: 'no id' }], { jobId: id })
  const droppedTotal = async () => Number(await shard.redis.get(pipelineKeys(shard).dropped))
  const before = await droppedTotal()
  const results = await Promise.allSettled([letters[first](id), letters[second](id)])
  expect(results).toMatchObject([{ value: true }, { reason: { code: 'conflict' } }])
  expect(await droppedTotal()).toBe(before + events)
  expect((await (await batches.connected()).getJob(`${id}-again`)) !== undefined).toBe(isQueued)
  expect(await letters[second](id)).toBe(false)
  await Promise.all([dead.close(), batches.close(), letters.close()])
  shard.redis.disconnect()
})

test.each(['lsit', 'show'])('%s shows the usage', async (word) => {
  let printed = ''
  const program = createDeadLetterCommandLine(async () => undefined)
  const parsing = parseHere(program, [word], (text) => void (printed += text))
  await expect(parsing).rejects.toMatchObject({ exitCode: 1 })
  expect(printed).toContain('Usage: npm run dead-letters --')
})
