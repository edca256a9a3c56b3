import { expect, test } from 'vitest'
import { derivedBatchId, newBatchId, queuePrefix, shardOfBatch } from './queue-shards.ts'
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

test('an id that is derived from a batch is always the same, and has its shard and its time', () => {
  const batchId = newBatchId(7)
  const derived = derivedBatchId(batchId, 0)
  expect(derivedBatchId(batchId, 0)).toBe(derived)
  expect(new Set([batchId, derived, derivedBatchId(batchId, 1), derivedBatchId(newBatchId(7), 0)]).size).toBe(4)
  expect([shardOfBatch(derived, 256), uuidTimeMs(derived)]).toEqual([7, uuidTimeMs(batchId)])
})

test('a single queue has the default prefix', () => {
  expect(queuePrefix({ tag: '' })).toBe('bull')
  expect(queuePrefix({ tag: '{logs-1}:' })).toBe('{logs-1}:bull')
})
