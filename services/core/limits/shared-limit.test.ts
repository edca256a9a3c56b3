import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { SharedLimit, LimitExceededError } from './shared-limit.ts'

test('an account gets at most its share, and a released amount is available again', () => {
  const limit = new SharedLimit({ account: 2, process: 100 })
  expect([limit.acquire('a'), limit.acquire('a'), limit.acquire('a')]).toEqual([undefined, undefined, 'account'])
  expect(limit.acquire('b')).toBeUndefined()
  limit.release('a')
  expect(limit.acquire('a')).toBeUndefined()
  expect(limit.rejected).toEqual({ account: 1, process: 0 })
  expect(limit.used).toBe(3)
  expect(() => limit.take('a')).toThrow(LimitExceededError)
})

test('however many accounts take all they can, something is left for the next one', () => {
  const limit = new SharedLimit({ account: 1_000, process: 1_000 })
  const takeAll = (accountId: string) => {
    let taken = 0
    while (limit.acquire(accountId) === undefined) taken += 1
    return taken
  }
  const taken = Array.from({ length: 6 }, (_, at) => takeAll(`greedy-${at}`))
  expect(taken[0]).toBe(334)
  expect(limit.rejected.account).toBe(0)
  expect(taken.every((count) => count > 0)).toBe(true)
  expect(limit.used).toBeLessThan(1_000)
})

test('never more than the limit is in use, and nothing is left after all is released', () => {
  const account = fc.constantFrom('a', 'b', 'c')
  const step = fc.record({ account, amount: fc.integer({ min: 1, max: 9 }), isRelease: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const limit = new SharedLimit({ account: 20, process: 40 })
      const acquired: { account: string; amount: number }[] = []
      for (const { isRelease, ...each } of steps) {
        const oldest = isRelease ? acquired.shift() : undefined
        if (oldest) limit.release(oldest.account, oldest.amount)
        else if (limit.acquire(each.account, each.amount) === undefined) acquired.push(each)
        const sum = acquired.reduce((total, { amount }) => total + amount, 0)
        expect(limit.used).toBe(sum)
        expect(sum).toBeLessThanOrEqual(40)
      }
      for (const { account: id, amount } of acquired) limit.release(id, amount)
      expect(limit.used).toBe(0)
      expect(limit.acquire('a', 20)).toBeUndefined()
    }),
  )
})

test('a task of another account waits only for running tasks, however many of the first account wait', async () => {
  const limit = new SharedLimit({ account: 50, process: 1_000 })
  const queue = new FairQueue({ limit, perAccount: 2, atOnce: 3 })
  const entered: string[] = []
  const leaves: (() => void)[] = []
  const enter = (accountId: string) =>
    queue.run(accountId, () => {
      entered.push(accountId)
      return new Promise<void>((resolve) => leaves.push(resolve))
    })
  const tasks = Array.from({ length: 50 }, () => enter('greedy'))
  await expect(enter('greedy')).rejects.toBeInstanceOf(LimitExceededError)
  tasks.push(enter('other'))
  await expect.poll(() => entered).toEqual(['greedy', 'greedy', 'other'])
  while (entered.length < 51) {
    leaves.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const leave of leaves) leave()
  await Promise.all(tasks)
  expect(limit.used).toBe(0)
})
