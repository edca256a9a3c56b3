import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Readiness } from './readiness.ts'
import { Startup, StartupProblem } from './startup.ts'

function open() {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const readiness = new Readiness()
  return { readiness, startup: new Startup(readiness, logger), lines }
}

test('a process has started once every check has passed, and says until then why not', async () => {
  const { readiness, startup, lines } = open()
  const failure = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  let isAway = true
  let isOld = true
  readiness.add('postgres', async () => {
    if (isAway) throw failure
  })
  startup.add('postgres', async () => {
    if (isOld) throw new StartupProblem('The schema of Postgres is too old.')
  })
  expect(startup.problems).toHaveLength(1)
  const started = startup.run()
  await expect.poll(() => startup.problems).toEqual(['postgres cannot be used (ECONNREFUSED); the log says why.'])
  expect(lines.join('')).toContain('10.0.0.7')
  isAway = false
  await expect.poll(() => startup.problems, { timeout: 3_000 }).toEqual(['The schema of Postgres is too old.'])
  isOld = false
  expect(await started).toBe(true)
  expect(lines).toHaveLength(2)
  isAway = true
  expect(startup.problems).toEqual([])
})

test('a stop ends the checks', async () => {
  const { readiness, startup } = open()
  readiness.add('postgres', () => Promise.reject(new Error('away')))
  const started = startup.run()
  startup.stop()
  expect(await started).toBe(false)
})
