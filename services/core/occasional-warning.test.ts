import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { occasionalWarning } from './occasional-warning.ts'

test('repeated warnings are one line in ten seconds, which says how many were left out', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const warn = occasionalWarning(pino({}, { write: (line) => void lines.push(line) }), 'Redis is away')
  for (let time = 0; time < 25; time += 1) {
    warn({ time })
    vi.advanceTimersByTime(1_000)
  }
  vi.useRealTimers()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { time: 0, omitted: 0, msg: 'Redis is away' },
    { time: 10, omitted: 9 },
    { time: 20, omitted: 9 },
  ])
})
