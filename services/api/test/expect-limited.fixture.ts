import { expect } from 'vitest'

/**
 * Expects that so many attempts passed, with this status, and that the others were rejected. If Redis is slow, the
 * process counts on its own, so on a busy machine up to twice as many may pass.
 */
export function expectLimited(statuses: readonly number[], status: number, limit: number): void {
  const passed = statuses.filter((each) => each === status)
  const rejected = statuses.filter((each) => each === 429)
  expect(passed.length + rejected.length).toBe(statuses.length)
  expect(passed.length).toBeGreaterThanOrEqual(limit)
  expect(passed.length).toBeLessThanOrEqual(2 * limit)
}
