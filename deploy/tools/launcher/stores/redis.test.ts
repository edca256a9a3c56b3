import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { findRedisServer } from './redis.ts'

afterEach(() => void vi.unstubAllEnvs())

test('a Redis that the services would reject is rejected before the start', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'redis-server'), '#!/bin/sh\necho Redis server v=6.2.7 sha=00000000:0', { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  await expect(findRedisServer(vi.fn())).rejects.toThrow('Redis 6.2.7 is too old: Sallyport needs 7.0 or newer.')
})
