import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#core/config.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { type ClickHouseClient, openClickHouse } from '#core/stores/clickhouse.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { createNodeProcess } from '#tools/stack/controlled-process.ts'
import { minute } from '#core/units.ts'
import { createTestDatabase, createTestRedis, type TestDatabase } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import type { WorkerReport } from '#schemas/pipeline.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { selectRow, selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { toRows } from '#store/clickhouse/logs/request-log-rows.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { backUpStores, restoreStores } from './stores.ts'

const logger = pino({ level: 'silent' })
const folder = temporaryFolder(afterAll)
const backup = join(folder, 'backup')
/** Both tests use these, because each server of ClickHouse takes long to start. */
let first: Awaited<ReturnType<typeof openInstallation>>
let second: typeof first
/** Cleanup, run in reverse order. */
const opened: (() => unknown)[] = []

beforeAll(async () => {
  first = await openInstallation('first')
  second = await openInstallation('second')
})
afterAll(async () => {
  for (const close of opened.toReversed()) await close()
})

/** Empty stores given by URL, as in an operator's installation. */
async function openInstallation(name: string) {
  const database = await createTestDatabase()
  const { redisQueueUrl } = await createTestRedis()
  const port = await findFreePort()
  const server = createNodeProcess('ClickHouse', 'deploy/tools/stack/clickhouse-server.ts', {
    args: [String(port), join(folder, name)],
    ready: (output) => output.includes('ready'),
  })
  await server.start()
  const clickhouseUrl = `http://127.0.0.1:${port}`
  const clickhouse = await openClickHouse({ clickhouseUrl, dataDir: '' })
  const { shards, disconnect } = await connectQueue({
    redisQueueUrls: [redisQueueUrl],
    queueShards: 1,
    queueReplicas: 0,
  })
  opened.push(
    () => database.drop(),
    () => server.stop(),
    () => clickhouse.close(),
    disconnect,
  )
  const env = {
    POSTGRES_URL: database.url,
    CLICKHOUSE_URL: clickhouseUrl,
    REDIS_QUEUE_URL: redisQueueUrl,
    REDIS_STATE_URL: redisQueueUrl,
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: 'a secret of at least thirty-two characters',
    LOG_LEVEL: 'silent',
  }
  const script = (args: string[], changes = {}) =>
    execa(process.execPath, args, { cwd: import.meta.dirname, env: { ...env, ...changes }, reject: false })
  const run = (action: 'backup' | 'restore') => script(['main.ts', action, backup])
  /** @param changes to the environment */
  const runInClickHouse = (args: ['backup' | 'restore', string] | ['finish'], changes = {}) =>
    script(['clickhouse.ts', ...args], changes)
  const stores = { sql: database.sql, clickhouse, queue: shards }
  return {
    database,
    clickhouse,
    home: shards[0] as QueueShard,
    pipeline: createPipelineStore(clickhouse, shards),
    run,
    runInClickHouse,
    /** The same without a process of its own, for what is rejected. */
    backUp: () => backUpStores(stores, backup),
    restore: () => restoreStores(backup, stores, readConfig(env), logger),
  }
}

async function contentOf({ sql }: TestDatabase, clickhouse: ClickHouseClient) {
  const logs = await selectRows(
    clickhouse,
    'SELECT *, (SELECT count() FROM request_details) AS details FROM request_logs ORDER BY id',
  )
  const rollups = ['minute', 'quarter_hour', 'day'].flatMap((step) => [`usage_${step}`, `latency_${step}`])
  const sums = ['request_logs', 'usage_series', ...rollups].map((table) =>
    selectRow<{ name: string }>(clickhouse, `SELECT '${table}' AS name, ${summed} APPLY(sum) FROM ${table}`),
  )
  const tables = await sql<{ name: string }[]>`select relname as name from pg_stat_user_tables order by relname`
  const counts = tables.map(({ name }) => sql`select ${name} as name, count(*) as rows from ${sql(name)}`)
  return {
    accounts: await sql`select * from accounts order by id`,
    configs: await sql`select * from proxy_configs order by account_id`,
    counts: await Promise.all(counts),
    logs,
    sums: await Promise.all(sums),
  }
}

/** Columns of request logs and their rollups. */
const summed = "COLUMNS('^(request_count|requests|response_time_ms|.+_tokens|cost_nano_usd|(request|response)_bytes)$')"

const store = (clickhouse: ClickHouseClient, accountId: string, count: number) =>
  createRequestLogStore(clickhouse, { logRetentionDays: 90 }).insert(
    [
      toRows(
        Array.from({ length: count }, (_, at) =>
          requestEvent({ accountId, requestBody: `Größe ${at}\t\\N\n`, responseTimeMs: 100 + at }),
        ),
      ),
    ],
    uuidv7(),
  )

/** Its time is in the future, so that it does not count as silent if a slow machine starts the backup late. */
const worker: WorkerReport = {
  host: 'test',
  pid: 1,
  at: new Date(Date.now() + 10 * minute).toISOString(),
  storedEvents: 0,
  inserts: 0,
  insertP50Ms: null,
  insertP95Ms: null,
  lastError: null,
}

/** Its tables would be of two schemas, and no release could restore it. */
async function expectNoBackupDuringMigrations() {
  const { sql } = first.database
  const migration = await sql.reserve()
  await migration`begin`
  await migration`lock table accounts`
  const rejected = expect(first.backUp()).rejects.toThrow('Migrations ran during the backup')
  const waiting = () => sql`
    select from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and relation = 'accounts'::regclass and not granted`
  await expect.poll(waiting).toHaveLength(1)
  await migration`insert into schema_migrations (name) values ('999_later.sql')`
  await migration`commit`
  migration.release()
  await rejected
  await sql`delete from schema_migrations where name = '999_later.sql'`
}

test('accounts and logs of stores that are given by URL come back in others, by the same commands', async () => {
  await migrateClickHouse(first.clickhouse, logger)
  const accountId = await insertAccount(first.database.sql, { username: 'Zoë\t\\' })
  await first.database.sql`insert into proxy_configs (account_id, base_url) values (${accountId}, 'https://a.test')`
  await store(first.clickhouse, accountId, 300)
  const keys = pipelineKeys(first.home)
  await first.home.redis.hset(keys.accepted, 'proxy', 300)

  await first.home.redis.hset(keys.workers, 'worker', JSON.stringify(worker))
  await expect(first.backUp()).rejects.toThrow('Stop the workers first')
  await first.home.redis.del(keys.workers)
  await expectNoBackupDuringMigrations()
  expect((await first.run('backup')).stdout).toContain('without 0 requests on their way')
  await expect(first.backUp()).rejects.toThrow('is there already')
  const before = await contentOf(first.database, first.clickhouse)
  expect(before.logs).toHaveLength(300)

  // The queue's Redis is the same, but another one would be empty.
  await second.home.redis.flushdb()
  const manifest = join(backup, 'backup.json')
  const written = await readFile(manifest, 'utf8')
  await writeFile(manifest, written.replace(/,\s*"040_\w+\.sql"/, ''))
  await expect(second.restore()).rejects.toThrow('another version of Sallyport')
  // Otherwise the version that made the backup could not restore it either.
  expect(await selectRows(second.clickhouse, 'SHOW TABLES')).toEqual([])
  await writeFile(manifest, written.replace('"accounts": 1', '"accounts": 2'))
  await expect(second.restore()).rejects.toThrow('The backup has 2 rows of accounts, but 1 were restored.')
  await writeFile(manifest, written)
  const restore = await second.run('restore')
  expect(restore.stderr).toBe('')
  expect(restore.stdout).toMatch(/^Rows, as many as when it was made: accounts 1, .*request_logs 300, usage_/)
  expect(restore.stdout).toContain('0 later requests are lost')
  expect(await contentOf(second.database, second.clickhouse)).toEqual(before)
  await expect(second.restore()).rejects.toThrow('There is data in these stores')
  expect(await second.pipeline.read()).toMatchObject({ accepted: 300, stored: 300, difference: 0 })

  // Rollups continue where they were.
  await store(second.clickhouse, accountId, 20)
  const { sums } = await contentOf(second.database, second.clickhouse)
  const usage = sums.filter(({ name }) => name.startsWith('usage_'))
  expect(usage).toHaveLength(4)
  for (const each of usage)
    expect(each).toMatchObject({ 'sum(requests)': 320, 'sum(prompt_tokens)': 3840, 'sum(cost_nano_usd)': 118_400_000 })
}, 180_000)

test('ClickHouse backs itself up, and an empty one restores that, but not for accounts that were deleted', async () => {
  const deletedId = uuidv7()
  await store(first.clickhouse, deletedId, 10)
  const { logs, sums } = await contentOf(first.database, first.clickhouse)
  const target = `File('${join(folder, 'own-backup')}')`
  expect((await first.runInClickHouse(['backup', target])).stdout).toContain('BACKUP_CREATED')
  expect((await first.runInClickHouse(['backup', target])).stderr).toContain('already exists')

  await second.home.redis.flushdb()
  const tables = await selectRows<{ name: string }>(second.clickhouse, 'SHOW TABLES')
  for (const { name } of tables) await second.clickhouse.command({ query: `DROP TABLE IF EXISTS \`${name}\` SYNC` })
  const withoutPostgres = { POSTGRES_URL: `postgres://127.0.0.1:${await findFreePort()}/none` }
  const restore = await second.runInClickHouse(['restore', target], withoutPostgres)
  expect(restore.stdout).toMatch(/RESTORED.*\n0 later requests are lost/)
  expect(restore.stderr).toContain('repeat the rest with clickhouse.ts finish')
  expect((await second.runInClickHouse(['finish'])).stdout).toMatch(/^0 later .*\n.* deleted meanwhile: 1\.$/)
  expect(await contentOf(second.database, second.clickhouse)).toMatchObject({ logs, sums })
  expect(await second.pipeline.read()).toMatchObject({ accepted: 310, stored: 310, difference: 0 })
  // Workers remove the logs of what is listed there.
  expect(await second.database.sql`select account_id as id from account_deletions`).toEqual([{ id: deletedId }])
  expect((await second.runInClickHouse(['restore', target])).stderr).toContain('CANNOT_RESTORE_TABLE')
}, 180_000)
