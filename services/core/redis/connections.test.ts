import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openStateRedis } from './connections.ts'

/** Keeps the event loop busy, as a start does that loads modules. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a server that is there is not taken for lost because the process was busy while it connected', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
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
  redis.disconnect()
  server.close()
})
