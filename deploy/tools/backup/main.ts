/**
 * `npm run backup -- <folder>` and `npm run restore -- <folder>`: for the data of the embedded stack in DATA_DIR, or of
 * the stores given by URL.
 */
import { readConfigOrExit } from '#core/config.ts'
import { describeFailure } from '#core/describe-failure.ts'
import { createLogger } from '#core/logger.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { readSettings } from '#tools/launcher/settings.ts'
import { StartFailure } from '#tools/process/start-failure.ts'
import { backUpDataDir, restoreDataDir } from './data-dir.ts'
import { describeRows } from './row-counts.ts'
import { backUpStores, restoreStores } from './stores.ts'

const [action, folder = '', ...others] = process.argv.slice(2)
try {
  // A name such as `--dry-run` is an option that does not exist.
  const isFolder = /^[^-]/.test(folder) && others.length === 0
  if (!isFolder || (action !== 'backup' && action !== 'restore')) {
    throw new StartFailure('Usage: npm run backup -- <folder>, npm run restore -- <folder>')
  }
  const { dataDir, given } = readSettings()
  if (given.postgresUrl && given.clickhouseUrl) await handleStores(action, folder)
  else if (given.postgresUrl || given.clickhouseUrl) {
    throw new StartFailure('Set POSTGRES_URL and CLICKHOUSE_URL, or none of them: a backup is all of one kind.')
  } else {
    await (action === 'backup' ? backUpDataDir(dataDir, folder) : restoreDataDir(folder, dataDir))
    console.log(
      action === 'backup' ? `${dataDir} is in ${folder}, secrets included.` : `${dataDir} is as in ${folder}.`,
    )
  }
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : describeFailure(error))
  process.exitCode = 1
}

async function handleStores(verb: 'backup' | 'restore', path: string): Promise<void> {
  const config = readConfigOrExit()
  if (config.clickhouseCluster) {
    throw new StartFailure(
      'For a cluster, use node_modules/.bin/node deploy/tools/backup/clickhouse.ts, and the backup of your Postgres.',
    )
  }
  const { shards, disconnect } = await connectQueue(config)
  const sql = openPostgres(config, 'backup', storePatienceMs.maintenance)
  const clickhouse = await openClickHouse(config, storePatienceMs.maintenance)
  const stores = { sql, clickhouse, queue: shards }
  try {
    if (verb === 'backup') {
      const { rows, missingRequests } = await backUpStores(stores, path)
      console.log(`Rows: ${describeRows(rows)}.`)
      console.log(
        `Accounts and logs are in ${path}, without ${missingRequests} requests on their way; secrets are not in it.`,
      )
    } else {
      const { rows, missingRequests } = await restoreStores(path, stores, config, createLogger(config))
      console.log(`Rows, as many as when it was made: ${describeRows(rows)}.`)
      console.log(`Accounts and logs are as in ${path}; ${missingRequests} later requests are lost.`)
    }
  } finally {
    disconnect()
    await clickhouse.close()
    await sql.end()
  }
}
