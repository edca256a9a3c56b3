import fc from 'fast-check'
import { expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { rangePieces, usageLevels } from './range-pieces.ts'

const units = { usage_day: day, usage_quarter_hour: 900_000, request_logs: 1 } as const

test('the pieces make up the range, each in whole buckets of its table', () => {
  const time = fc.integer({ min: Date.UTC(2024), max: Date.UTC(2027) })
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 400 * units.usage_day }), (from, length) => {
      const to = from + length
      const pieces = rangePieces(from, to, usageLevels).toSorted((a, b) => a.from - b.from)
      expect(pieces[0]!.from).toBe(from)
      expect(pieces.at(-1)!.to).toBe(to)
      for (const [at, piece] of pieces.entries()) {
        const unit = units[piece.table]
        expect([piece.from % unit, piece.to % unit]).toEqual([0, 0])
        expect(piece.from).toBeLessThan(piece.to)
        if (at > 0) expect(piece.from).toBe(pieces[at - 1]!.to)
        if (piece.table === 'request_logs' && pieces.length > 1) expect(piece.to - piece.from).toBeLessThan(900_000)
      }
    }),
  )
})

test('all whole days are read from the daily rollup', () => {
  const pieces = rangePieces(Date.UTC(2026, 0, 1), Date.UTC(2026, 3, 1), usageLevels)
  expect(pieces.map(({ table }) => table)).toEqual(['usage_day'])
})

test('a range that ends before it begins is one piece, in which there is nothing', () => {
  expect(rangePieces(2, 1, usageLevels)).toEqual([{ table: 'request_logs', from: 2, to: 1 }])
})
