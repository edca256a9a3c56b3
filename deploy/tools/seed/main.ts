import { Command, InvalidArgumentError } from 'commander'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { openPostgres, type Sql } from '#core/stores/postgres.ts'
import { openDataDir } from '#tools/launcher/data-dir.ts'
import { openFirstShard } from '#tools/launcher/stores/first-shard.ts'
import { takeLock } from '#tools/launcher/lock.ts'
import { describeFailure } from '#core/describe-failure.ts'
import { createProgress } from '#tools/process/progress.js'
import { loadSecrets } from '#tools/launcher/secrets.ts'
import { readSettings } from '#tools/launcher/settings.ts'
import { StartFailure } from '#tools/process/start-failure.ts'
import { startStores } from '#tools/launcher/stores/stores.ts'
import { createSupervisor } from '#tools/process/supervisor.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { seedRequestLogs } from './seed.ts'

const progress = createProgress()
const supervisor = createSupervisor()
const program = new Command('npm run seed --')
  .description('Fill the history of an account with made-up requests, to see screens at scale.')
  .option('--rows <number>', 'how many requests', parseCount, 1_000_000)
  .option('--days <number>', 'over how many days', parseCount, 90)
  .option('--username <name>', 'of the account (default: the oldest one)')
  .addHelpText('after', '\nWith embedded stores, npm start must not be running.')
  .showHelpAfterError()
  .action(seed)
try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof StartFailure ? error.message : describeFailure(error))
}
await supervisor.stop()

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Expected a whole number above 0.')
  return count
}

interface SeedOptions {
  rows: number
  days: number
  username?: string
}

async function seed({ rows, days, username }: SeedOptions): Promise<void> {
  const settings = readSettings()
  const { dataDir, given } = settings
  await openDataDir(dataDir)
  // Only one stack at a time may use embedded stores.
  const isGiven = given.postgresUrl && given.redisStateUrl && given.redisQueueUrl && given.clickhouseUrl
  const lock = isGiven ? undefined : await takeLock(dataDir)
  try {
    const { clickhouseUrl, ...urls } = await startStores(supervisor, progress, settings, await loadSecrets(dataDir))
    const sql = openPostgres(urls, 'seed')
    const owner = await findAccount(sql, username)
    await sql.end()
    const clickhouse = await openClickHouse({ clickhouseUrl, dataDir })
    await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
    const shard = openFirstShard(urls)
    // No proxy accepted these events, so they are added to the accepted counter.
    await shard.redis.hincrby(pipelineKeys(shard).accepted, 'seed', rows)
    shard.redis.disconnect()
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

/** The account that gets every fifth row, with its tokens and keys. */
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
