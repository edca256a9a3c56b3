import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCommand } from '#tools/process/find-command.ts'
import { Load } from '#tools/load/load.ts'
import { startBalancer } from '#tools/stack/balancer.ts'
import { type ServiceStack, startServiceStack } from '#tools/stack/service-stack.ts'
import { createTestDatabase, type TestDatabase } from '#tools/test/stores.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { defaultRetention } from '#store/clickhouse/retention.ts'
import { migrate, migratePostgres } from '#store/migrations.ts'
import { cases } from './cases.ts'
import { compareWithLedger } from './compare-with-ledger.ts'
import { type ProvokedCase, provoke, evaluateFault } from './fault-case.ts'
import { writeNextVersion, writePreviousVersion } from './versions.ts'

const logger = pino({ level: 'silent' })
let database: TestDatabase
let stack: ServiceStack
/** An account created by the previous version. */
let earlierId: string

beforeAll(async () => {
  database = await createTestDatabase()
  await database.sql.unsafe('drop schema public cascade; create schema public')
  const previous = await writePreviousVersion()
  await migratePostgres(database.sql, logger, previous)
  await rm(previous.path, { recursive: true })
  earlierId = uuidv7()
  await database.sql`
    insert into accounts (id, username, username_key, email, email_key, password_hash)
    values (${earlierId}, 'earlier', 'earlier', 'earlier@example.test', 'earlier@example.test', 'none')`
  // The stack migrates before its services start.
  const redisProgram = findCommand(['redis-server', 'valkey-server'])
  stack = await startServiceStack({ postgresUrl: database.url, redisProgram: redisProgram! })
})
afterAll(async () => {
  await stack?.stop()
  await database?.drop()
})

/**
 * Accounts come from the previous schema. Follows the order of deploy/README.md: services of the previous version meet
 * a newer schema; then each role restarts, the proxies one after the other behind an edge.
 */
test('row 22, an upgrade: migrations first, then role by role; no request fails and every one is logged', async () => {
  const second = await stack.service('proxy')
  await second.process.start()
  const edge = await startBalancer([stack.proxyPort, second.port])
  const { id, token } = await stack.newToken('upgrade')
  const load = new Load({ url: edge.url, token, rate: 30, name: 'upgrade' })
  await sleep(2_000)

  const next = await writeNextVersion()
  await migrate(database.sql, stack.clickhouse, defaultRetention, logger, next)
  await rm(next.path, { recursive: true })
  await sleep(2_000)
  for (const each of [...stack.workers, stack.api]) {
    await each.stop()
    await each.start()
  }
  for (const [port, proxy] of [[stack.proxyPort, stack.proxy] as const, [second.port, second.process] as const]) {
    await edge.drain(port)
    await proxy.stop()
    await proxy.start()
    edge.restore(port)
  }
  await sleep(1_000)
  const ledger = await load.stop()
  await edge.close()

  expect(ledger.filter(({ completed, status }) => !completed || status !== 200)).toEqual([])
  const comparison = await compareWithLedger(stack, id, ledger, 60_000)
  expect(comparison).toMatchObject({
    failed: 0,
    stored: ledger.length,
    lost: 0,
    duplicated: 0,
    detailsDifference: 0,
    rollupDifference: 0,
    accountDifference: 0,
  })
  expect(await database.sql`select username from accounts where id = ${earlierId}`).toMatchObject([
    { username: 'earlier' },
  ])
  const [applied] = await database.sql`select count(*)::int as n from schema_migrations where name = ${next.name}`
  expect(applied!['n']).toBe(1)
  const rows = await selectRows<{ requests: number }>(
    stack.clickhouse,
    'SELECT sum(requests) AS requests FROM usage_by_region',
  )
  // The new rollup contains only requests after the migration.
  expect(Number(rows[0]!.requests)).toBeGreaterThan(60)
  await second.process.stop()
}, 240_000)

/**
 * Rows are evaluated at the end, so that a fault can begin while the pipeline still catches up with the previous one.
 */
const shortCases = cases.filter(({ isShort }) => isShort)
const provoked: ProvokedCase[] = []

test.each(shortCases.map((fault) => [fault.row, fault.name, fault] as const))(
  'row %i, %s: the fault begins and ends',
  async (_row, _name, fault) => {
    provoked.push(await provoke(stack, fault, true))
  },
  60_000,
)

test.each(shortCases.map(({ row, name }) => [row, name] as const))(
  'row %i, %s: every completed request is logged once, and the counters agree',
  async (row) => {
    const over = provoked.find(({ fault }) => fault.row === row)
    expect((await evaluateFault(stack, over!)).problems).toEqual([])
  },
  150_000,
)
