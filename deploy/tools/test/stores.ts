import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { type ClickHouseClient, openClickHouse } from '#core/stores/clickhouse.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { createDatabase, newName, type TestDatabase, withPath } from './database.ts'

export type { TestDatabase }

const given = () => inject('stores')

/** Creates a Postgres database with the newest schema, for one test file. */
export const createTestDatabase = (): Promise<TestDatabase> => createDatabase(given())

export interface TestClickHouse {
  clickhouse: ClickHouseClient
  drop(): Promise<void>
}

/** Creates a ClickHouse database with the newest schema, for one test file: on a server if there is one, else chDB. */
export async function createTestClickHouse(): Promise<TestClickHouse> {
  const { clickhouseUrl, clickhouseTemplate } = given()
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-clickhouse-'))
  const name = newName()
  const admin = clickhouseUrl ? await openClickHouse({ clickhouseUrl, dataDir }) : undefined
  await admin?.command({ query: `CREATE DATABASE ${name}` })
  const template = clickhouseUrl ? undefined : clickhouseTemplate
  // The asynchronous copy of so many small files takes twenty times the CPU.
  if (template) cpSync(template, dataDir, { recursive: true })
  const clickhouse = await openClickHouse({ clickhouseUrl: clickhouseUrl && withPath(clickhouseUrl, name), dataDir })
  async function drop() {
    await clickhouse.close()
    await admin?.command({ query: `DROP DATABASE ${name}` })
    await admin?.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  await using opening = new AsyncDisposableStack()
  opening.defer(drop)
  if (!template) await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
  opening.move()
  return { clickhouse, drop }
}

/** Empties two Redis databases that no other running test file uses, for the state and the queue. */
export async function createTestRedis() {
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
