import { expect, test } from 'vitest'
import { newBatchId, queuePrefix, shardOfBatch } from './queue-shards.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'

test('a batch stays with its shard, even when shards are added', () => {
  const before = Date.now()
  for (const shard of [0, 1, 7, 255]) {
    const id = newBatchId(shard)
    expect(uuidTimeMs(id)).toBeGreaterThanOrEqual(before)
    for (const shards of [shard + 1, shard + 2, 256].filter((count) => count <= 256))
      expect(shardOfBatch(id, shards)).toBe(shard)
  }
  expect(newBatchId(3)).not.toBe(newBatchId(3))
})

test('a single queue has the default prefix', () => {
  expect(queuePrefix({ tag: '' })).toBe('bull')
  expect(queuePrefix({ tag: '{logs-1}:' })).toBe('{logs-1}:bull')
})
