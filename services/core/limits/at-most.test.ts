import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

test('an entry beyond the size replaces the one that was used the longest ago', () => {
  const cache = new LRUCache<string, number>({ ...atMost(2), ttl: 1_000 })
  cache.set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3).set('c', 4)
  expect([...cache.entries()]).toEqual([
    ['c', 4],
    ['a', 1],
  ])
})
