import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'
import { openQueueConsumer, openQueueProducer, openStateRedis } from './connections.ts'

afterEach(() => void vi.useRealTimers())

/** Keeps the event loop busy, as a start does that loads modules. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a server that is there is not taken for lost because the process was busy while it connected', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const redis = openStateRedis({ redisStateUrl: `redis://127.0.0.1:${port}` }, 1_000)
  const connecting = once(redis, 'connect')
  // By then the attempt has begun, but the event loop has not turned yet.
  process.nextTick(async () => {
    for (let count = 0; count < 100; count += 1) await Promise.resolve()
    block(1_200)
  })
  await connecting
  expect(redis.status).toBe('connect')
  // Otherwise its timers would run on during the tests of other files.
  const ended = once(redis, 'end')
  redis.disconnect()
  await ended
  server.close()
})

test.each([
  ['the state Redis', (url: string) => openStateRedis({ redisStateUrl: url }, 1_000)],
  ['the queue Redis for producers', (url: string) => openQueueProducer({ redisQueueUrl: url })],
  ['the queue Redis for workers', (url: string) => openQueueConsumer({ redisQueueUrl: url })],
])('a client of %s connects again if the server is gone without a word', async (_, open) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const commands = chunk.toString().match(/^\*/gm) ?? []
      if (!isGone) socket.write('+OK\r\n'.repeat(commands.length))
    })
  })
  let isGone = false
  const redis = open(`redis://127.0.0.1:${await listenLocally(server)}`)
  redis.on('error', () => undefined)
  await once(redis, 'ready')
  isGone = true
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  redis.ping().catch(() => undefined)
  const connected = new Promise((resolve) => redis.once('connect', resolve))
  const closed = new Promise((resolve) => redis.once('close', resolve))
  await vi.advanceTimersByTimeAsync(15_000)
  await closed
  await vi.advanceTimersByTimeAsync(1_000)
  await connected
  redis.disconnect()
  server.close()
})
