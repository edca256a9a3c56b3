import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAt } from '../test/split-at.fixture.ts'
import { PieceCounter } from './piece-counter.ts'

const ends = fc.constantFrom('\n', '\r', '\r\n')
const line = fc.constantFrom('data: 1', 'event: a', ':', 'a')
const event = fc.array(line, { minLength: 1 })

test('events and lines are counted wherever a stream is cut, comments are not', () => {
  fc.assert(
    fc.property(fc.array(event), ends, fc.array(fc.nat()), (events, end, cuts) => {
      const bytes = Buffer.from(events.map((lines) => `${lines.join(end)}${end}${end}`).join(''))
      const counters = { events: new PieceCounter('events'), lines: new PieceCounter('lines') }
      for (const chunk of splitAt(bytes, cuts)) {
        for (const counter of Object.values(counters)) counter.push(chunk)
      }
      const withData = events.map((lines) => lines.filter((text) => text !== ':').length)
      expect(counters.events.count).toBe(withData.filter((count) => count > 0).length)
      expect(counters.lines.count).toBe(withData.reduce((sum, count) => sum + count, 0))
    }),
  )
})
