import { afterEach, expect, test, vi } from 'vitest'
import { hour, second } from '#core/units.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

afterEach(() => void vi.useRealTimers())

test('it closes after a second, even if the clock is set back', () => {
  vi.useFakeTimers()
  const breaker = new CircuitBreaker()
  breaker.open()
  expect(breaker.isOpen).toBe(true)
  vi.setSystemTime(Date.now() - hour)
  vi.advanceTimersByTime(second)
  expect(breaker.isOpen).toBe(false)
})
