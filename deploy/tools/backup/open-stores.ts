import type { Config } from '#core/config.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import type { Stores } from './stores.ts'

/** Opens the stores configured in the environment, and closes them after `use`. */
export async function withStores(config: Config, use: (stores: Stores) => Promise<void>): Promise<void> {
  const { shards, disconnect } = await connectQueue(config)
  const sql = openPostgres(config, 'backup', storePatienceMs.maintenance)
  const clickhouse = await openClickHouse(config, storePatienceMs.maintenance)
  try {
    await use({ sql, clickhouse, queue: shards })
  } finally {
    disconnect()
    await clickhouse.close()
    await sql.end()
  }
}
