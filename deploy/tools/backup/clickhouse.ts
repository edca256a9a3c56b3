/**
 * Backs up or restores the logs with BACKUP and RESTORE of ClickHouse: `clickhouse.ts backup|restore <target>`, where
 * the target is `File('…')`, `Disk('…', '…')` or `S3('…', '…', '…')`, or `-` to read one with secrets from the standard
 * input; a cluster's servers all write to it. Restores into a database without tables, corrects the delivery counters in
 * the queue's Redis, and has the logs of accounts that were deleted since the backup removed again. `clickhouse.ts finish`
 * does what comes after RESTORE alone, if Redis or Postgres was down.
 */
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfigOrExit } from '#core/config.ts'
import { describeFailure } from '#core/describe-failure.ts'
import { StartupProblem } from '#core/process/startup.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { addMissingAccounts } from '#store/postgres/account-deletions.ts'
import { selectRow, selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import { reconcileCounters } from './reconcile-counters.ts'

const [action, argument] = process.argv.slice(2)
const target = argument === '-' ? (await text(process.stdin)).trim() : argument
const hasTarget = /^(?:File|Disk|S3|AzureBlobStorage)\(.+\)$/.test(target ?? '')
const isKnown = action === 'finish' ? target === undefined : (action === 'backup' || action === 'restore') && hasTarget
if (!isKnown) {
  console.error(
    'Usage: clickhouse.ts backup|restore "File(\'/var/lib/clickhouse/backups/monday\')", clickhouse.ts finish',
  )
  process.exit(1)
}

const config = readConfigOrExit()
const { clickhouseCluster: cluster } = config
if (cluster && target?.startsWith('File(')) {
  console.error("Name a target that all servers of a cluster reach, such as S3('https://…', '…', '…'), not a folder.")
  process.exit(1)
}
const clickhouse = await openClickHouse(config, storePatienceMs.maintenance)
let isRestored = action === 'finish'
try {
  if (!isRestored) {
    const scope = `DATABASE ${await currentDatabase()}${cluster ? ` ON CLUSTER '${cluster}'` : ''}`
    const statement = action === 'backup' ? `BACKUP ${scope} TO ${target}` : `RESTORE ${scope} FROM ${target}`
    // It may take longer than any timeout, so it runs in the background and its status is polled.
    const id = crypto.randomUUID()
    await clickhouse.command({ query: `${statement} SETTINGS id = '${id}' ASYNC` })
    console.log(await finished(id))
    isRestored = action === 'restore'
  }
  if (isRestored) await finishRestore()
} catch (error) {
  console.error(describeFailure(error))
  if (isRestored) console.error('The logs are restored, but not all is done: repeat the rest with clickhouse.ts finish')
  process.exitCode = 1
} finally {
  await clickhouse.close()
}

/** Can be repeated until the services start. */
async function finishRestore(): Promise<void> {
  // Other replicas still fetch what one of them restored, and any of them may be asked for what is stored.
  for (const table of cluster ? ['ingest_minute_shard', 'usage_day_shard'] : [])
    await clickhouse.command({ query: `SYSTEM SYNC REPLICA ON CLUSTER '${cluster}' ${table}` })
  const { shards, disconnect } = await connectQueue(config)
  try {
    console.log(`${await reconcileCounters(clickhouse, shards)} later requests are lost.`)
  } finally {
    disconnect()
  }
  const deleted = await removeDeletedAgain()
  if (deleted > 0) console.log(`A worker removes the logs of accounts that were deleted meanwhile: ${deleted}.`)
}

/** @returns how many accounts of the backup no longer exist */
async function removeDeletedAgain(): Promise<number> {
  const sql = openPostgres(config, 'restore')
  try {
    const accounts = await selectRows<{ id: string }>(clickhouse, 'SELECT DISTINCT account_id AS id FROM usage_day')
    return await addMissingAccounts(
      sql,
      accounts.map(({ id }) => id),
    )
  } finally {
    await sql.end()
  }
}

async function currentDatabase(): Promise<string> {
  const { name } = await selectRow<{ name: string }>(clickhouse, 'SELECT currentDatabase() AS name')
  return `\`${name}\``
}

async function finished(id: string): Promise<string> {
  // The server that runs it knows its status; behind a balancer, another one may be asked.
  const backups = cluster ? `clusterAllReplicas('${cluster}', system.backups)` : 'system.backups'
  for (;;) {
    const [row] = await selectRows<{ status: string; error: string; num_files: number; total_size: number }>(
      clickhouse,
      `SELECT toString(status) AS status, error, num_files, total_size FROM ${backups}
        WHERE id = {id: String} SETTINGS skip_unavailable_shards = 1`,
      { id },
    )
    if (!row || row.status.endsWith('FAILED') || row.status.endsWith('CANCELLED'))
      throw new StartupProblem(row?.error || 'ClickHouse does not know this backup any more.')
    if (row.status === 'BACKUP_CREATED' || row.status === 'RESTORED')
      return `${row.status}: ${row.num_files} files, ${row.total_size} bytes`
    await sleep(500)
  }
}
