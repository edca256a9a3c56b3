import fc from 'fast-check'
import { expect, it } from 'vitest'
import { latencyParts } from './latency-bar.tsx'

const ms = (timing: Parameters<typeof latencyParts>[0]) => latencyParts(timing).map((part) => part.ms)

it('splits the time of a request', () => {
  expect(ms({ responseTime: 900, timeToFirstByte: 300, overheadUs: 500 })).toEqual([0.5, 299.5, 600])
  expect(ms({ responseTime: 900, timeToFirstByte: null, overheadUs: null })).toEqual([0, 900, 0])
})

it('always adds up to the response time', () => {
  const count = fc.nat(1_000_000)
  fc.assert(
    fc.property(count, fc.option(count), fc.option(count), (responseTime, timeToFirstByte, overheadUs) => {
      const parts = ms({ responseTime, timeToFirstByte, overheadUs })
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(responseTime, 6)
    }),
  )
})
