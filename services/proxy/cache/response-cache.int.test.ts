import { afterAll, expect, test } from 'vitest'
import { openStateRedis, statePatienceMs } from '#core/redis/connections.ts'
import { kib, mib } from '#core/units.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { ResponseCache } from './response-cache.ts'

const settings = { maxmemory: '8mb', appendonly: 'no' }
const server = await createRedisProcess(
  findCommand(['redis-server', 'valkey-server'])!,
  temporaryFolder(afterAll),
  settings,
)
await server.start()
afterAll(() => server.stop())

test('row 72: responses of an account leave room for the limits of all', async () => {
  const redis = openStateRedis({ redisStateUrl: server.url }, statePatienceMs.late)
  await whenReady(redis)
  const cache = new ResponseCache(redis)
  const terms = { reads: true, maxAgeSeconds: 60, patienceMs: 1_000 }
  const response = { status: 200, headers: [], body: Buffer.alloc(64 * kib), storedAtMs: Date.now() }
  for (let number = 0; number < 200; number += 1) {
    const { complete } = await cache.acquire({ ...terms, key: String(number) })
    complete(response)
  }
  expect(await redis.set('limits', Buffer.alloc(mib))).toBe('OK')
  expect((await cache.acquire({ ...terms, key: '0' })).response?.body).toEqual(response.body)
  redis.disconnect()
})
