import { expect, onTestFinished, test, vi } from 'vitest'
import { RequestTiming } from './request-timing.ts'

const wait = (ms: number) => void vi.advanceTimersByTime(ms)

test('the time of the gateway is that before the request is sent and after the response has ended', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const timing = new RequestTiming(performance.now())
  wait(2)
  expect(timing.overheadUs()).toBe(2_000)
  timing.dispatched()
  wait(50)
  expect(timing.overheadUs()).toBe(2_000)
  timing.providerDone()
  wait(1)
  timing.providerDone()
  expect([timing.elapsedMs(), timing.overheadUs()]).toEqual([53, 3_000])
  expect(timing.header()).toBe('gateway;dur=3.00, upstream;dur=50.0')
})
