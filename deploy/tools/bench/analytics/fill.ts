import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { day } from '#core/units.ts'
import { seedRequestLogs } from '#tools/seed/seed.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'

/** This account owns every fifth row. */
export const largestAccount = '0199a000-0000-7000-8000-00000000beef'

/** Fills a migrated store up to `rows` rows, spread over 1,000 accounts and 90 days. Goes on where a run before ended. */
export async function fill(clickhouse: ClickHouseClient, rows: number): Promise<void> {
  const [state] = await selectRows<{ stored: number; newest: number }>(
    clickhouse,
    'SELECT count() AS stored, toUnixTimestamp64Milli(max(created_at)) AS newest FROM request_logs',
  )
  const stored = Number(state?.stored)
  if (stored < rows) {
    const startedAt = performance.now()
    const until = Date.now()
    await seedRequestLogs(clickhouse, {
      rows: rows - stored,
      until,
      days: stored ? (until - Number(state?.newest)) / day : 90,
      accounts: 999,
      account: largestAccount,
      tokens: Array.from({ length: 5 }, () => uuidv7()),
      keys: Array.from({ length: 3 }, () => uuidv7()),
      onProgress: (done) => process.stderr.write(`\r${done.toLocaleString('en')} rows seeded`),
    })
    process.stderr.write(` in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`)
  }
  await waitForMerges(clickhouse)
}

/** Seeding outpaces merging, so this waits until the store is as merged as one in operation. */
async function waitForMerges(clickhouse: ClickHouseClient): Promise<void> {
  const rollups = await selectRows<{ name: string }>(
    clickhouse,
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'AggregatingMergeTree'",
  )
  for (const { name } of rollups)
    await clickhouse.command({ query: `OPTIMIZE TABLE ${name} FINAL SETTINGS optimize_skip_merged_partitions = 1` })
  const running = async () => (await selectRows(clickhouse, 'SELECT 1 FROM system.merges LIMIT 1')).length > 0
  while (await running()) await sleep(500)
}
