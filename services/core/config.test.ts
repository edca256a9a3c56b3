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
const masterKeysOf = (masterKeys: string) => readConfig({ ...environment, MASTER_KEYS: masterKeys }).masterKeys

test('master keys keep the order in which they are written: the last one seals', () => {
  expect([...masterKeysOf(`1:${first}, 2:${second}`).keys()]).toEqual([1, 2])
  expect([...masterKeysOf(`2:${second},1:${first}`).keys()]).toEqual([2, 1])
  expect([...masterKeysOf(`255:${first}`).keys()]).toEqual([255])
})

test.each([
  ['a version twice', `1:${first},1:${second}`],
  ['a version that a byte can not hold', `256:${first}`],
  ['no version', first!],
  ['half a key', `1:${first!.slice(0, 22)}`],
  ['nothing', ' , '],
])('%s is refused without being repeated', (_what, masterKeys) => {
  expect(() => masterKeysOf(masterKeys)).toThrow(/^The environment is not complete:\n {2}MASTER_KEYS: [^\n]+$/)
  expect(() => masterKeysOf(masterKeys)).not.toThrow(first!.slice(0, 8))
})

test('row 53: names of operators are refused, with what to do instead', () => {
  expect(() => readConfig({ ...environment, OPERATORS: 'alice' })).toThrow(/OPERATORS: .*accounts -- operator NAME/)
  expect(() => readConfig({ ...environment, OPERATORS: '' })).not.toThrow()
})
