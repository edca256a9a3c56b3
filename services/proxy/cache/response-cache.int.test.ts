import { expect, test } from 'vitest'
import { openStateRedis, statePatienceMs } from '#core/redis/connections.ts'
import { mib } from '#core/units.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { ResponseCache } from './response-cache.ts'

test('responses leave room for limits, which share their Redis', async () => {
  const program = findCommand(['redis-server', 'valkey-server'])!
  const server = await createRedisProcess(program, temporaryFolder(), { appendonly: 'no', maxmemory: '16mb' })
  await server.start()
  const redis = openStateRedis({ redisStateUrl: server.url }, statePatienceMs.late)
  await whenReady(redis)
  const cache = new ResponseCache(redis)
  // Small ones take what large ones leave.
  for (let count = 0; count < 400; count += 1) {
    const body = Buffer.alloc(mib / 2 ** Math.floor(count / 20))
    const terms = { key: `cache:{a}:${count}`, reads: false, maxAgeSeconds: 60, patienceMs: 1_000 }
    const { complete } = await cache.acquire(terms)
    complete({ status: 200, headers: [], body, storedAtMs: Date.now() })
  }
  expect(await redis.set('limit', '1')).toBe('OK')
  expect(await redis.dbsize()).toBeGreaterThan(5)
  redis.disconnect()
  await server.stop()
})
