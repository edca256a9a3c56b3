import { expect, test, vi } from 'vitest'
import { SilenceTimer } from './silence-timer.ts'

test('a pause is not silence: half of the time is left after it', async () => {
  const began = performance.now()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = new SilenceTimer(200, resolve)
  while (performance.now() < began + 300);
  await promise
  expect(performance.now() - began).toBeGreaterThan(390)
  timer.stop()
})

test('what is heard in either half starts it anew', () => {
  vi.useFakeTimers()
  const onSilence = vi.fn()
  const timer = new SilenceTimer(200, onSilence)
  for (const ms of [90, 190, 110, 199]) {
    vi.advanceTimersByTime(ms)
    expect(onSilence).not.toHaveBeenCalled()
    timer.refresh()
  }
  vi.advanceTimersByTime(201)
  expect(onSilence).toHaveBeenCalledOnce()
  vi.useRealTimers()
})
