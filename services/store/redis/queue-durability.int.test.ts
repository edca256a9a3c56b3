import { expect, test } from 'vitest'
import { openQueueProducer } from '#core/redis/connections.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { volatileSettings } from './queue-durability.ts'

test('settings that may lose confirmed logs are named', async () => {
  const server = await createRedisProcess(findCommand(['redis-server', 'valkey-server'])!, temporaryFolder())
  await server.start()
  const redis = openQueueProducer({ redisQueueUrl: server.url })
  await whenReady(redis)
  const find = () => volatileSettings([{ redis, tag: '' }])
  expect(await find()).toEqual([])
  await redis.config('SET', 'maxmemory-policy', 'volatile-lru')
  expect(await find()).toEqual(['maxmemory-policy volatile-lru'])
  await redis.config('SET', 'maxmemory-policy', 'noeviction')
  await redis.config('SET', 'appendfsync', 'everysec')
  expect(await find()).toEqual(['appendfsync everysec'])
  await redis.config('SET', 'appendonly', 'no')
  expect(await find()).toEqual(['appendonly no'])
  redis.disconnect()
  await server.stop()
})
