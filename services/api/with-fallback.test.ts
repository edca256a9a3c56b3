import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { second } from '#core/units.ts'
import { withFallback } from './with-fallback.ts'

test('a page waits for a store that hangs no longer than a query may take', async () => {
  vi.useFakeTimers()
  const hanging = new Promise<never>(() => undefined)
  const read = withFallback<string>(hanging, 'nothing', Fastify().log, 'usage is unavailable')
  const late = new Promise((resolve) => setTimeout(resolve, 7 * second, 'late'))
  await vi.advanceTimersByTimeAsync(7 * second)
  expect(await Promise.race([read, late])).toBe('nothing')
  vi.useRealTimers()
})
