import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CredentialWatch, type WatchedConnection } from './credential-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(watch: CredentialWatch, changes: Partial<WatchedConnection> = {}) {
  const connection = {
    accountId: 'ann',
    expiresAt: null,
    isStillValid: vi.fn(async () => true),
    end: vi.fn(),
    ...changes,
  }
  return Object.assign(connection, { stop: watch.watch(connection) })
}

test('row 57: a connection whose credential has ended is closed once its account changes', async () => {
  const watch = new CredentialWatch()
  const [ended, valid, other] = [
    open(watch, { isStillValid: async () => false }),
    open(watch),
    open(watch, { accountId: 'bob', isStillValid: async () => false }),
  ]
  watch.check('ann')
  await vi.advanceTimersByTimeAsync(0)
  expect(ended.end).toHaveBeenCalledOnce()
  expect(valid.end).not.toHaveBeenCalled()
  expect(other.end).not.toHaveBeenCalled()
  watch.check(undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(other.end).toHaveBeenCalledOnce()
})

test('row 57: a change without a message is found within 30 s, and a check that fails has no effect', async () => {
  const isStillValid = vi.fn(async () => true)
  const { end } = open(new CredentialWatch(), { isStillValid })
  isStillValid.mockRejectedValueOnce(new Error('Postgres is away'))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(end).not.toHaveBeenCalled()
  isStillValid.mockResolvedValue(false)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(end).toHaveBeenCalledOnce()
})

test('row 57: a credential is checked when it expires', async () => {
  const expiresAt = new Date(Date.now() + 70_000)
  const { end } = open(new CredentialWatch(), { expiresAt, isStillValid: async () => Date.now() < expiresAt.getTime() })
  await vi.advanceTimersByTimeAsync(69_999)
  expect(end).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(end).toHaveBeenCalledOnce()
})

test('row 57: a credential that expires during a check is checked again at once', async () => {
  const watch = new CredentialWatch()
  const isStillValid = vi.fn(async () => {
    const isValid = isStillValid.mock.calls.length === 1
    vi.setSystemTime(Date.now() + 1)
    return isValid
  })
  const { end } = open(watch, { expiresAt: new Date(Date.now() + 1), isStillValid })
  watch.check('ann')
  await vi.advanceTimersByTimeAsync(10)
  expect(end).toHaveBeenCalledOnce()
})

test('a credential that is still valid after its expiry is not checked without a pause', async () => {
  const isStillValid = vi.fn(async () => true)
  const { stop } = open(new CredentialWatch(), { expiresAt: new Date(Date.now() + 1_000), isStillValid })
  await vi.advanceTimersByTimeAsync(61_000)
  expect(isStillValid.mock.calls.length).toBeLessThan(5)
  stop()
})

test('a connection that has ended is not checked', async () => {
  const watch = new CredentialWatch()
  const { stop, end, isStillValid } = open(watch)
  stop()
  watch.check('ann')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isStillValid).not.toHaveBeenCalled()
  expect(end).not.toHaveBeenCalled()
})
