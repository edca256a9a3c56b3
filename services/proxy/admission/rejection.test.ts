import { pino } from 'pino'
import { expect, test } from 'vitest'
import { SpoolFullError } from '../spool/spool-full-error.ts'
import { createFailureLog } from './rejection.ts'

test('while the spool is full, the log says so once in a while, not for each request', () => {
  const lines: string[] = []
  const logFailure = createFailureLog(pino({ level: 'warn' }, { write: (line) => lines.push(line) }))
  for (let at = 0; at < 100; at += 1) logFailure(new SpoolFullError(), `request-${at}`)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'a request was rejected', requestId: 'request-0', err: { message: 'the spool is full' } },
  ])
})
