import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { inject } from 'vitest'
import { type ClickHouseClient, openClickHouse, openPostgres, openQueueConsumer, type Sql } from '#core/resources.ts'
import { migrateClickHouse, migratePostgres } from '#store/migrations.ts'
import type { TestStoreUrls } from './stores-setup.ts'

const silent = pino({ level: 'silent' })
const given = (): TestStoreUrls => inject('stores')
const newName = () => `test_${randomUUID().replaceAll('-', '')}`

export interface TestDatabase {
  url: string
  sql: Sql
  drop(): Promise<void>
}

/** A Postgres database of a test file's own, with the newest schema. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { postgresUrl, postgresAdminUrl = postgresUrl } = given()
  const name = newName()
  const url = withPath(postgresUrl, name)
  const admin = openPostgres({ postgresUrl: postgresAdminUrl }, 'test')
  await admin`create database ${admin(name)} owner ${admin(new URL(postgresUrl).username)}`
  const sql = openPostgres({ postgresUrl: url }, 'test')
  await migratePostgres(sql, silent)
  return {
    url,
    sql,
    async drop() {
      await sql.end()
      await admin`drop database ${admin(name)} with (force)`
      await admin.end()
    },
  }
}

export interface TestClickHouse {
  clickhouse: ClickHouseClient
  /** What a service needs to open the same one; only when the URL is set can two processes do so. */
  config: { clickhouseUrl: string | undefined; dataDir: string }
  drop(): Promise<void>
}

/** A ClickHouse database of a test file's own with the newest schema: on a server if there is one, else chDB. */
export async function createTestClickHouse(): Promise<TestClickHouse> {
  const { clickhouseUrl } = given()
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-clickhouse-'))
  const name = newName()
  const admin = clickhouseUrl ? await openClickHouse({ clickhouseUrl, dataDir }) : undefined
  await admin?.command({ query: `CREATE DATABASE ${name}` })
  const config = { clickhouseUrl: clickhouseUrl && withPath(clickhouseUrl, name), dataDir }
  const clickhouse = await openClickHouse(config)
  await migrateClickHouse(clickhouse, silent)
  return {
    clickhouse,
    config,
    async drop() {
      await clickhouse.close()
      await admin?.command({ query: `DROP DATABASE ${name}` })
      await admin?.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface TestRedisUrls {
  redisStateUrl: string
  redisQueueUrl: string
}

/** Empty Redis databases that no test file running at the same time uses: the state and the queue. */
export async function createTestRedis(): Promise<TestRedisUrls> {
  const { redisStateUrl, redisQueueUrl } = given()
  // A pool id belongs to one running file; two databases each, because both URLs may name the same server.
  const first = (Number(process.env['VITEST_POOL_ID'] ?? 1) % 8) * 2
  const urls = {
    redisStateUrl: withPath(redisStateUrl, String(first)),
    redisQueueUrl: withPath(redisQueueUrl, String(first + 1)),
  }
  for (const url of Object.values(urls)) {
    const redis = openQueueConsumer({ redisQueueUrl: url })
    await redis.flushdb()
    redis.disconnect()
  }
  return urls
}

function withPath(url: string, path: string): string {
  const changed = new URL(url)
  changed.pathname = `/${path}`
  return changed.href
}
