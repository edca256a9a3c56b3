import { expect, test } from 'vitest'
import { clusterSlot } from './cluster-slot.ts'

// Slots that `CLUSTER KEYSLOT` of Redis returns.
test.each([
  ['123456789', 12_739],
  ['limit:{user1000}:minute', 3443],
  ['{user1000}.followers', 3443],
  ['foo{}{bar}', 8363],
])('the slot of %s', (key, slot) => expect(clusterSlot(key)).toBe(slot))
