import { afterAll, expect, test } from 'vitest'
import { startTcpProxy } from '#tools/stack/tcp-proxy.ts'
import { createTestDatabase } from '#tools/test/stores.ts'
import { openPostgres, requireWritablePostgres } from './postgres.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

test('a server that only reads is not writable', async () => {
  await requireWritablePostgres(database.sql)
  const readOnly = openPostgres({ postgresUrl: `${database.url}?default_transaction_read_only=on` }, 'test')
  await expect(requireWritablePostgres(readOnly)).rejects.toThrow('Postgres is read-only')
  await readOnly.end()
})

test('days have 24 hours, whatever the time zone of the server is', async () => {
  await database.sql`alter database ${database.sql(database.name)} set timezone = 'America/New_York'`
  const sql = openPostgres({ postgresUrl: database.url }, 'test')
  const [sum] = await sql`select timestamptz '2027-03-31T12:00:00Z' - interval '27 days' as at`
  expect(sum?.['at']).toEqual(new Date('2027-03-04T12:00:00Z'))
  await sql.end()
})

const codesOf = async (queries: Promise<unknown>[]) =>
  (await Promise.allSettled(queries)).map((query) => (query.status === 'fulfilled' ? 'ok' : query.reason.code))

/** Connects through a wire that the test can break. */
async function openBreakable({ patienceMs }: { patienceMs?: number } = {}) {
  const url = new URL(database.url)
  const wire = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `127.0.0.1:${wire.port}`
  const sql = openPostgres({ postgresUrl: url.href, postgresPool: 2 }, 'test', patienceMs)
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`])
  return { wire, sql, close: () => Promise.all([sql.end({ timeout: 0 }), wire.close()]) }
}

test('queries fail at once while the server is gone, however many there are', async () => {
  const { wire, sql, close } = await openBreakable()
  wire.set('reject')
  const codes = await codesOf(Array.from({ length: 200 }, (_, at) => sql`select ${at}`.execute()))
  expect(codes).not.toContain('ok')
  wire.set('pass')
  await expect.poll(() => codesOf([sql`select 1`])).toEqual(['ok'])
  await close()
})

test('of several hosts, one that can be reached is used', async () => {
  const url = database.url.replace('@', '@127.0.0.2,')
  const sql = openPostgres({ postgresUrl: url, postgresPool: 2 }, 'test')
  expect(await codesOf(Array.from({ length: 5 }, () => sql`select 1`.execute()))).toEqual(Array(5).fill('ok'))
  await sql.end()
})

test('queries and transactions end if the server falls silent, and the pool recovers', async () => {
  const { wire, sql, close } = await openBreakable({ patienceMs: 1_000 })
  wire.set('freeze')
  const transactions = Array.from({ length: 2 }, () => sql.begin((tx) => tx`select 1`))
  const codes = await codesOf([...transactions, ...Array.from({ length: 20 }, (_, at) => sql`select ${at}`.execute())])
  expect(codes.filter((code) => code !== 'ETIMEDOUT' && code !== 'CONNECT_TIMEOUT')).toEqual([])
  wire.set('pass')
  await expect.poll(() => codesOf([sql`select 1`, sql.begin((tx) => tx`select 1`)])).toEqual(['ok', 'ok'])
  await close()
}, 20_000)

test('transactions whose connections break off cost no place in the pool, nor do they mix up responses', async () => {
  const { wire, sql, close } = await openBreakable()
  for (let time = 0; time < 3; time += 1) {
    const sleeping = [1, 2].map(() => sql.begin((tx) => tx`select pg_sleep(60)`))
    const running = () =>
      database.sql`select 1 from pg_stat_activity where datname = ${database.name} and query like 'select pg_sleep(60)%'`
    await expect.poll(async () => (await running()).length).toBeGreaterThanOrEqual(2 * (time + 1))
    wire.set('reject')
    expect(await codesOf(sleeping)).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
    wire.set('pass')
  }
  await expect.poll(() => codesOf([sql`select 1`])).toEqual(['ok'])
  const numbers = Array.from({ length: 20 }, (_, at) => at)
  const rows = await Promise.all(numbers.map((number) => sql`select ${number}::int as number`))
  expect(rows.map(([row]) => row?.number)).toEqual(numbers)
  await close()
})
