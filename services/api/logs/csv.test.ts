import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1', '\0=1', '＝1+1', '＋1', '－1', '＠A1'])(
  '%j can not be run by a spreadsheet',
  (cell) => {
    expect(toCsv([[cell]])).toBe(`"'${cell}"\r\n`)
  },
)

test('numbers, booleans and null are not quoted', () => {
  expect(toCsv([[-5, 200, true, null, 'a "b"', 'x,y']])).toBe('-5,200,true,,"a ""b""","x,y"\r\n')
})

test('any text can be read back, except for the apostrophe', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (cells) => {
      const line = toCsv([cells])
      const read = [...line.slice(0, -2).matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell]) =>
        cell!.replaceAll('""', '"'),
      )
      expect(read.map((cell, at) => (cell === cells[at] ? cell : cell.slice(1)))).toEqual(cells)
    }),
  )
})
