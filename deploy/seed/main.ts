/**
 * `npm run seed -- --rows N`: fills the history of an account with made-up requests, to see screens at scale.
 * `--username NAME` (the oldest account), `--days N` (90). Embedded stores are used while `npm start` does not run.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { openClickHouse, openPostgres, type Sql } from '#core/resources.ts'
import { openDataDir } from '#deploy/embedded/data-dir.ts'
import { takeLock } from '#deploy/embedded/lock.ts'
import { startPostgres } from '#deploy/embedded/postgres.ts'
import { loadSecrets } from '#deploy/embedded/secrets.ts'
import { readSettings } from '#deploy/embedded/settings.ts'
import { StartFailure } from '#deploy/embedded/start-failure.ts'
import { createSupervisor } from '#deploy/embedded/supervisor.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { seedRequestLogs } from './seed.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '90' },
    username: { type: 'string' },
  },
})
const supervisor = createSupervisor()
try {
  await seed(Number(values.rows), Number(values.days), values.username)
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof StartFailure ? error.message : error)
}
await supervisor.stop()

async function seed(rows: number, days: number, username: string | undefined): Promise<void> {
  if (!(rows > 0) || !(days > 0)) throw new StartFailure('--rows and --days have to be numbers above 0.')
  const { dataDir, given } = readSettings()
  await openDataDir(dataDir)
  // Postgres and chDB belong to one stack at a time.
  const lock = given.postgresUrl ? undefined : await takeLock(join(dataDir, 'lock.json'), async () => undefined)
  try {
    const secrets = await loadSecrets(dataDir)
    const postgresUrl =
      given.postgresUrl ?? (await startPostgres(supervisor, { dataDir, password: secrets.postgresPassword }))
    const sql = openPostgres({ postgresUrl }, 'seed')
    const owner = await findAccount(sql, username)
    await sql.end()
    const clickhouse = await openClickHouse({ clickhouseUrl: given.clickhouseUrl, dataDir })
    await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
    await seedRequestLogs(clickhouse, {
      ...owner,
      rows,
      days,
      until: Date.now(),
      accounts: 999,
      onProgress: (done) => process.stdout.write(`\r${done.toLocaleString('en')} of ${rows.toLocaleString('en')} rows`),
    })
    process.stdout.write('\n')
    await clickhouse.close()
  } finally {
    await lock?.release()
  }
}

/** Whose history gets every fifth row, with the tokens and keys that the account really has. */
async function findAccount(sql: Sql, username: string | undefined) {
  const [account] = await sql<{ id: string }[]>`
    select id from accounts where ${username ? sql`username_key = ${username.toLowerCase()}` : sql`true`}
    order by created_at limit 1`
  if (!account) throw new StartFailure('There is no such account. Register one first.')
  const ids = async (table: 'secure_tokens' | 'api_keys') => {
    const rows = await sql<{ id: string }[]>`select id from ${sql(table)} where account_id = ${account.id}`
    return rows.length > 0 ? rows.map(({ id }) => id) : [uuidv7()]
  }
  return { account: account.id, tokens: await ids('secure_tokens'), keys: await ids('api_keys') }
}
