import { expect, test } from 'vitest'
import { describeFailure } from './describe-failure.ts'

const coded = (error: Error, code: string) => Object.assign(error, { code })

test.each([
  [
    coded(new Error('connect ECONNREFUSED 127.0.0.1:5432'), 'ECONNREFUSED'),
    'A store cannot be used: connect ECONNREFUSED 127.0.0.1:5432.',
  ],
  [
    coded(new Error('role "sallyport_app" does not exist'), '28000'),
    'A store cannot be used: role "sallyport_app" does not exist (28000).',
  ],
  [
    coded(new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1')]), 'ECONNREFUSED'),
    'A store cannot be used: connect ::1, connect 127.0.0.1 (ECONNREFUSED).',
  ],
  [
    Object.assign(new Error("OOM command not allowed when used memory > 'maxmemory'."), { name: 'ReplyError' }),
    "A store cannot be used: Redis responded with OOM command not allowed when used memory > 'maxmemory'.",
  ],
  [new Error('Command timed out'), 'A store cannot be used: Redis did not respond in time.'],
  [new Error('Connection is closed.'), 'A store cannot be used: the connection to Redis broke off.'],
])('a store that fails is a sentence: %s', (error, printed) => expect(describeFailure(error)).toBe(printed))

test.each([new TypeError('x is not a function'), coded(new Error('invalid'), 'ERR_INVALID_ARG_TYPE')])(
  'a fault of the program keeps its stack: %s',
  (error) => expect(describeFailure(error)).toBe(error),
)
