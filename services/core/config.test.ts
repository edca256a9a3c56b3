import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))

const environment = {
  POSTGRES_URL: 'postgres://127.0.0.1/sallyport',
  REDIS_STATE_URL: 'redis://127.0.0.1:6379',
  REDIS_QUEUE_URL: 'redis://127.0.0.1:6380',
  SESSION_SECRET: 'x'.repeat(32),
  MASTER_KEYS: `1:${first}`,
}
const readMasterKeys = (masterKeys: string) => readConfig({ ...environment, MASTER_KEYS: masterKeys }).masterKeys

test('master keys keep the order in which they are written: the last one seals', () => {
  expect([...readMasterKeys(`1:${first}, 2:${second}`).keys()]).toEqual([1, 2])
  expect([...readMasterKeys(`255:${second},1:${first}`).keys()]).toEqual([255, 1])
})

test.each([
  ['a version twice', `1:${first},1:${second}`],
  ['a version beyond one byte', `256:${first}`],
  ['no version', first!],
  ['half a key', `1:${first!.slice(0, 22)}`],
  ['nothing', ' , '],
])('%s is rejected without being repeated', (_case, masterKeys) => {
  expect(() => readMasterKeys(masterKeys)).toThrow(/^The environment is not complete:\n {2}MASTER_KEYS: [^\n]+$/)
  expect(() => readMasterKeys(masterKeys)).not.toThrow(first!.slice(0, 8))
})

test('row 53: names of operators are rejected, with the command to use instead', () => {
  expect(() => readConfig({ ...environment, OPERATORS: 'alice' })).toThrow(/OPERATORS: .*accounts -- operator NAME/)
  expect(() => readConfig({ ...environment, OPERATORS: '' })).not.toThrow()
})
