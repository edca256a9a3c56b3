import { createServer } from 'node:http'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { errorHandler } from './errors.ts'

async function respondToError(fail: () => Promise<unknown>) {
  const app = Fastify()
  await app.register(errorHandler)
  app.get('/', fail)
  const { statusCode, headers } = await app.inject('/')
  return [statusCode, headers['retry-after']]
}

const networkErrors = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']
const postgresErrors = ['57P01', '57P02', '57P03', '57014', '53300', '53100', '53200', '25006', '08P01']

test.each([...networkErrors, ...postgresErrors])(
  'a store that is unavailable with %s is a 503 that may be tried again',
  async (code) => {
    const fail = () => Promise.reject(Object.assign(new Error('down'), { code }))
    expect(await respondToError(fail)).toEqual([503, '1'])
  },
)

test('so is a ClickHouse that does not respond', async () => {
  const silent = createServer()
  const clickhouseUrl = `http://127.0.0.1:${await listenLocally(silent)}`
  const clickhouse = await openClickHouse({ clickhouseUrl, dataDir: '' }, 100)
  expect(await respondToError(() => selectRows(clickhouse, 'SELECT 1'))).toEqual([503, '1'])
  await clickhouse.close()
  silent.close()
})
