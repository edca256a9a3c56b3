import { percentile } from '#tools/load/percentile.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import type { LedgerEntry } from '#tools/load/load.ts'
import type { ServiceStack } from '#tools/stack/service-stack.ts'
import { within } from '#tools/process/within.ts'

/** One row of the suite's table. */
export interface LedgerComparison {
  sent: number
  completed: number
  failed: number
  stored: number
  /** Completed requests without a log. */
  lost: number
  /** Logs beyond the first of a request. */
  duplicated: number
  /** Rows of details minus rows. */
  detailsDifference: number
  /** Requests in the rollups minus rows. */
  rollupDifference: number
  /** accepted - stored - queued - spooled - dead, for the whole installation. */
  accountDifference: number | null
  catchUpMs: number
  p99Ms: number
}

interface StoredRow {
  mark: string
  logs: number
  status: number
}

/** Waits until the pipeline is idle, and compares the stored logs with the client's ledger. */
export async function compareWithLedger(
  stack: ServiceStack<unknown>,
  tokenId: string,
  ledger: readonly LedgerEntry[],
  limitMs: number,
): Promise<LedgerComparison & { wrong: string[] }> {
  const startedAt = performance.now()
  await waitUntilIdle(stack, ledger, tokenId, limitMs)
  const catchUpMs = performance.now() - startedAt
  const rows = await storedRows(stack, tokenId)
  const byMark = new Map(rows.map((row) => [row.mark, row]))
  const { completed, counts } = countRequests(ledger)
  const lost = completed.filter(({ mark }) => !byMark.has(mark))
  const wrongStatus = completed.filter(({ mark, status }) => byMark.has(mark) && byMark.get(mark)?.status !== status)
  const stored = rows.reduce((sum, { logs }) => sum + logs, 0)
  const { difference } = await stack.pipeline()
  return {
    ...counts,
    stored,
    lost: lost.length,
    duplicated: rows.reduce((sum, { logs }) => sum + logs - 1, 0),
    detailsDifference: (await detailed(stack, tokenId)) - stored,
    rollupDifference: (await rolledUp(stack, tokenId)) - stored,
    accountDifference: difference,
    catchUpMs: Math.round(catchUpMs),
    wrong: [...lost, ...wrongStatus].slice(0, 5).map((entry) => JSON.stringify(entry)),
  }
}

/** The requests that the clients saw completed, and their numbers for the table. */
export function countRequests(ledger: readonly LedgerEntry[]) {
  const completed = ledger.filter((entry) => entry.completed && entry.status !== undefined && entry.status < 500)
  const durations = completed.map(({ ms }) => ms)
  const [sent, failed] = [ledger.length, ledger.length - completed.length]
  return {
    completed,
    counts: { sent, completed: completed.length, failed, p99Ms: Math.round(percentile(durations, 0.99)) },
  }
}

async function waitUntilIdle(
  stack: ServiceStack<unknown>,
  ledger: readonly LedgerEntry[],
  tokenId: string,
  limitMs: number,
): Promise<void> {
  let idle = 0
  // Reports are up to a second old, so the pipeline must look idle three times in a row.
  const isIdle = async () => {
    const pipeline = await stack.pipeline().catch(() => undefined)
    idle = pipeline?.queued === 0 && pipeline.spooled === 0 && pipeline.difference === 0 ? idle + 1 : 0
    return idle >= 3
  }
  if (await within(limitMs, isIdle, 400)) return
  const stored = (await storedRows(stack, tokenId)).length
  console.error(`not drained: ${stored} of ${ledger.length} stored`, JSON.stringify(await stack.pipeline()))
}

function storedRows(stack: ServiceStack<unknown>, tokenId: string): Promise<StoredRow[]> {
  return selectRows<StoredRow>(
    stack.clickhouse,
    `SELECT user_agent AS mark, toUInt32(count()) AS logs, any(status) AS status FROM request_logs
      WHERE token_id = {tokenId: UUID} GROUP BY mark`,
    { tokenId },
  )
}

async function detailed(stack: ServiceStack<unknown>, tokenId: string): Promise<number> {
  const ids = 'SELECT id FROM request_logs WHERE token_id = {tokenId: UUID}'
  const query = `SELECT count() AS n FROM request_details WHERE id IN (${ids})`
  const [row] = await selectRows<{ n: number }>(stack.clickhouse, query, { tokenId })
  return Number(row?.n)
}

async function rolledUp(stack: ServiceStack<unknown>, tokenId: string): Promise<number> {
  const sums = ['usage_minute', 'usage_quarter_hour', 'usage_day'].map(
    (table) => `(SELECT sum(requests) FROM ${table} WHERE token_id = {tokenId: UUID})`,
  )
  const query = `SELECT ${sums.map((sum, at) => `${sum} AS s${at}`).join(', ')}`
  const [row] = await selectRows<Record<string, number>>(stack.clickhouse, query, { tokenId })
  const [first = Number.NaN, ...others] = Object.values(row ?? {}).map(Number)
  // Rollups that disagree are wrong in any case.
  return others.every((sum) => sum === first) ? first : Number.NaN
}
