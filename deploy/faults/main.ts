/** `npm run faults`: all rows, or those that are named: `npm run faults -- 2 11`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#deploy/embedded/postgres.ts'
import { findRedisServer } from '#deploy/embedded/redis.ts'
import { createSupervisor } from '#deploy/embedded/supervisor.ts'
import { cases } from './cases.ts'
import { runCase, type CaseResult } from './fault-case.ts'
import { startFaultStack } from './stack.ts'

const rows = process.argv.slice(2).map(Number)
const chosen = cases.filter(({ row }) => rows.length === 0 || rows.includes(row))
const supervisor = createSupervisor()
const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-faults-postgres-'))
const results: CaseResult[] = []
try {
  const redisProgram = await findRedisServer(supervisor.run)
  const postgresUrl = await startPostgres(supervisor, { dataDir, password: 'faults' })
  const stack = await startFaultStack({ postgresUrl, redisProgram })
  try {
    for (const fault of chosen.toSorted((a, b) => a.row - b.row)) {
      console.log(`row ${fault.row}: ${fault.name} …`)
      const result = await runCase(stack, fault, false)
      results.push(result)
      for (const problem of result.problems) console.log(`  ${problem}`)
    }
  } finally {
    await stack.stop()
  }
} finally {
  await supervisor.stop()
  await rm(dataDir, { recursive: true, force: true })
}
console.table(
  results.map((result) => ({
    row: result.row,
    fault: result.name,
    sent: result.sent,
    answered: result.answered,
    failed: result.failed,
    stored: result.stored,
    lost: result.lost,
    duplicated: result.duplicated,
    'rollup ±': result.rollupDifference,
    'accounts ±': result.accountDifference,
    'catch-up s': Math.round(result.catchUpMs / 100) / 10,
    'p99 ms': result.p99Ms,
    ok: result.problems.length === 0,
  })),
)
process.exit(results.every(({ problems }) => problems.length === 0) ? 0 : 1)
