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
])('knows whether a link names only columns that exist: %s', (text, areKnown) =>
  expect(areKnownColumns(text)).toBe(areKnown),
)

it('moves a column past the next shown one, and not beyond the ends', () => {
  const moved = moveColumn(initialSettings, 'cost', 1)
  expect(orderedColumns(moved).filter((id) => id === 'cost' || id === 'responseTime')).toEqual(['responseTime', 'cost'])
  expect(moveColumn(initialSettings, 'status', -1)).toEqual(initialSettings)
})

it('keeps a width within what can be read and seen', () => {
  expect([-5, 5_000].map((width) => resizeColumn(initialSettings, 'model', width).widths.model)).toEqual([56, 1_000])
})
