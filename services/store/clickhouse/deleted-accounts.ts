import type { Config } from '#core/config.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { alterTarget } from './cluster-sql.ts'
import { selectRows } from './clickhouse-rows.ts'

const tables = [
  'request_logs',
  'request_details',
  'usage_minute',
  'usage_quarter_hour',
  'usage_day',
  'usage_series',
  'latency_minute',
  'latency_quarter_hour',
  'latency_day',
] as const

export type DeletedAccountStore = ReturnType<typeof createDeletedAccountStore>

/** @param patient waits for tables that take minutes; a removal that is repeated meanwhile would double its work */
export const createDeletedAccountStore = (
  clickhouse: ClickHouseClient,
  { clickhouseCluster }: Pick<Config, 'clickhouseCluster'>,
  patient: Pick<ClickHouseClient, 'command'> = clickhouse,
) => ({
  /** Records the deletions and deletes all rows of the accounts, rewriting each table once. Idempotent. */
  async remove(accountIds: readonly string[]): Promise<void> {
    const query_params = { accountIds }
    await clickhouse.command({
      query: 'INSERT INTO deleted_accounts (account_id) SELECT arrayJoin({accountIds: Array(UUID)})',
      query_params,
    })
    for (const table of tables) {
      await patient.command({
        query: `ALTER TABLE ${alterTarget(table, clickhouseCluster)} DELETE WHERE account_id IN {accountIds: Array(UUID)}
          SETTINGS mutations_sync = 2`,
        query_params,
      })
    }
  },

  async list(): Promise<string[]> {
    const rows = await selectRows<{ id: string }>(clickhouse, 'SELECT DISTINCT account_id AS id FROM deleted_accounts')
    return rows.map(({ id }) => id)
  },
})
