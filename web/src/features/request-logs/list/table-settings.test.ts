import { expect, it } from 'vitest'
import {
  areKnownColumns,
  columnsText,
  initialSettings,
  moveColumn,
  orderedColumns,
  placeColumn,
  readColumns,
  resizeColumn,
} from './table-settings.ts'

it('says nothing of columns as they are at first', () => expect(columnsText(initialSettings)).toBeUndefined())

it('writes order, width and choice of columns into a link, and reads them back', () => {
  const moved = placeColumn(resizeColumn(initialSettings, 'endpoint', 320.4), 'cost', 'method')
  const settings = { ...moved, columns: { ...moved.columns, model: false, tags: true } }
  const text = columnsText(settings)
  expect(text).toBe('status,cost,method,endpoint:320,tokens,responseTime,time,tags')
  expect(columnsText({ ...initialSettings, ...readColumns(text!) })).toBe(text)
})

it('keeps the columns that are always shown, whatever a link says, and ignores others', () => {
  const text = columnsText({ ...initialSettings, ...readColumns('time,nonsense,model:-4') })
  expect(text).toBe('time,model,status,method,endpoint,responseTime')
})

it.each([
  ['time,model:90', true],
  ['time,nonsense', false],
  ['', false],
  ['time,model:', false],
  ['time,model:wide', false],
  ['time,model:Infinity', false],
  ['time,model:1000000000', false],
  ['time,model:90:90', false],
  ['time,time', false],
])('knows whether a link names only columns that exist, once each, and widths that can be set: %s', (text, areKnown) =>
  expect(areKnownColumns(text)).toBe(areKnown),
)

it('keeps the usual width, and each column once, whatever a link says', () => {
  const text = columnsText({ ...initialSettings, ...readColumns('time:55,model:1e9,cost:Infinity,cost:90') })
  expect(text).toBe('time,model,cost:90,status,method,endpoint,responseTime')
})

it('moves a column past the next shown one, and not beyond the ends', () => {
  const moved = moveColumn(initialSettings, 'cost', 1)
  expect(orderedColumns(moved).filter((id) => id === 'cost' || id === 'responseTime')).toEqual(['responseTime', 'cost'])
  expect(moveColumn(initialSettings, 'status', -1)).toEqual(initialSettings)
})

it('keeps a width within what can be read and seen', () => {
  expect([-5, 5_000].map((width) => resizeColumn(initialSettings, 'model', width).widths.model)).toEqual([56, 1_000])
})
