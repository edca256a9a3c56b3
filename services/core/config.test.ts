import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { configWarnings, readConfig } from './config.ts'

const [first, second] = ['first', 'second'].map((text) => Buffer.alloc(32, text).toString('base64'))

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

test('row 53: names of operators are rejected, with the command to use instead', () => {
  expect(() => readConfig({ ...environment, OPERATORS: 'alice' })).toThrow(/OPERATORS: .*accounts -- operator NAME/)
  expect(() => readConfig({ ...environment, OPERATORS: '' })).not.toThrow()
})

const pricesFile = join(temporaryFolder(afterAll), 'prices.json')
const readModelPrices = async (text: string) => {
  await writeFile(pricesFile, text)
  return readConfig({ ...environment, MODEL_PRICES_FILE: pricesFile }).modelPrices
}

test("the operator's prices of models are read from a file", async () => {
  expect(await readModelPrices('[{"pattern":"mistral-*","input":0.4,"output":2}]')).toEqual([
    expect.objectContaining({ pattern: 'mistral-*', input: 0.4, cachedInput: null, longPrompts: null }),
  ])
})

test.each([
  ['no JSON', 'mistral', 'MODEL_PRICES_FILE: '],
  ['no list', '{}', 'MODEL_PRICES_FILE: '],
  ['a negative price', '[{"pattern":"m","input":-1,"output":2}]', 'MODEL_PRICES_FILE.0.input: '],
  ['a price beyond all numbers', '[{"pattern":"m","input":1e309,"output":2}]', 'MODEL_PRICES_FILE.0.input: '],
  ['a member of another name', '[{"pattern":"m","input":1,"output":2,"in":3}]', 'MODEL_PRICES_FILE.0: '],
])('a file of prices with %s is rejected in one line', async (_what, text, line) => {
  const failure = await readModelPrices(text).catch((error: unknown) => String(error))
  expect(failure).toContain(`:\n  ${line}`)
  expect(String(failure).split('\n')).toHaveLength(2)
})

test('a master key that is lost may be named as such, but one key has to be left', () => {
  const config = readConfig({ ...environment, MASTER_KEYS: `1:lost,2:${second}` })
  expect([...config.masterKeys.keys()]).toEqual([2])
  expect([...config.lostMasterKeys]).toEqual([1])
  expect(() => readMasterKeys('1:lost')).toThrow('MASTER_KEYS')
})

test('names that are close to one, or of other products, are warned of; those of the system are not', () => {
  expect(
    configWarnings({
      ...environment,
      MASTER_KEY: '',
      SALLYPORT_PORT: '',
      DATABASE_URL: '',
      POSTGRES_URI: '',
      ROLE: '',
      HOME: '/',
      PATH: '',
      HOSTNAME: '',
      USER: '',
      SMTP_URL_FILE: '',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      HTTPS_PROXY: 'http://egress:3128',
      PORT_FILE: '',
      SALLYPORT_MASTER_KEY: '',
      SALLYPORT_COLOUR: '',
      SALLYPORT_TOKEN: '',
      SALLYPORT_API_SERVICE_HOST: '',
      SALLYPORT_API_PORT_80_TCP: '',
    }),
  ).toEqual([
    'MASTER_KEY is not read. Is MASTER_KEYS meant?',
    'SALLYPORT_PORT is not read. Is PORT meant?',
    'DATABASE_URL is not read. Is POSTGRES_URL meant?',
    'POSTGRES_URI is not read. Is POSTGRES_URL meant?',
    'ROLE is not read. Is ROLES meant?',
    'OTEL_EXPORTER_OTLP_PROTOCOL is not read.',
    'HTTPS_PROXY is not read. Is UPSTREAM_PROXY_URL meant?',
    'PORT_FILE is not read. Is PORT meant?',
    'SALLYPORT_MASTER_KEY is not read. Is MASTER_KEYS meant?',
    'SALLYPORT_COLOUR is not read.',
  ])
})
