import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { warnOfErrors } from './warn-of-errors.ts'

test('a connection that times out is logged only once the process has started, any other failure always', () => {
  const codes: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => codes.push(JSON.parse(line).err.code) })
  const fail = (code: string, isStarting: boolean) => {
    const redis = new Redis({ lazyConnect: true })
    warnOfErrors(redis, 'redis-state', () => isStarting, logger)
    redis.emit('error', Object.assign(new Error(`connect ${code}`), { code }))
  }
  fail('ETIMEDOUT', true)
  expect(codes).toEqual([])
  fail('ECONNREFUSED', true)
  fail('ETIMEDOUT', false)
  expect(codes).toEqual(['ECONNREFUSED', 'ETIMEDOUT'])
})
