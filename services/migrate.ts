import { readConfigOrExit } from '#core/config.ts'
import { createLogger } from '#core/logger.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { prepareAppRole } from '#store/postgres/app-role.ts'
import { migrate } from '#store/migrations.ts'
import { runPlainCommand } from './cli/run-command.ts'

const description = 'Bring the schemas of both databases up to date. Safe to repeat and to run concurrently.'

await runPlainCommand('npm run migrate', description, async () => {
  const config = readConfigOrExit()
  const logger = createLogger(config)
  // One connection holds the lock while another makes the changes.
  const sql = openPostgres({ ...config, postgresPool: 2 }, 'migrate', storePatienceMs.maintenance)
  const clickhouse = await openClickHouse(config, storePatienceMs.maintenance)
  try {
    if (config.postgresAdminUrl) await prepareAppRole(config.postgresAdminUrl, config.postgresUrl)
    await migrate(sql, clickhouse, config, logger)
    logger.info('both databases have the schema of this release')
  } finally {
    await clickhouse.close()
    await sql.end()
  }
})
