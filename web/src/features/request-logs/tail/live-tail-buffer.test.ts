import { expect, it } from 'vitest'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { addToTail, emptyTail, pauseTail, tailLimit } from './live-tail-buffer.ts'

const log = (id: number) => ({ id: String(id) }) as RequestLogSummary
const ids = (rows: RequestLogSummary[]) => rows.map((row) => Number(row.id))

it('puts the newest on top, each once', () => {
  const tail = addToTail(addToTail(emptyTail, [log(1), log(2)]), [log(2), log(3)])
  expect(ids(tail.rows)).toEqual([3, 2, 1])
})

it('keeps the list unchanged while paused and catches up afterwards', () => {
  const paused = addToTail(pauseTail(addToTail(emptyTail, [log(1)]), true), [log(2), log(3)])
  expect([ids(paused.rows), ids(paused.buffered)]).toEqual([[1], [3, 2]])
  expect(pauseTail(paused, false)).toEqual({ rows: [log(3), log(2), log(1)], buffered: [], isPaused: false })
})

it('keeps no more than its limit', () => {
  const many = Array.from({ length: tailLimit + 5 }, (_, id) => log(id))
  expect(addToTail(emptyTail, many).rows).toHaveLength(tailLimit)
  const paused = addToTail(pauseTail(addToTail(emptyTail, [log(-1)]), true), many)
  expect([paused, pauseTail(paused, false)].map(({ buffered, rows }) => [buffered.length, rows.length])).toEqual([
    [tailLimit, 1],
    [0, tailLimit],
  ])
})
