/** `npm run faults`: all rows, or some: `npm run faults -- 2 11`; `--write`: the table into deploy/docs/measured.md. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machineLine, markdownTable, type Row, round, yesOrNo } from '#tools/load/report.ts'
import { writeMeasured } from '#tools/bench/write-measured.ts'
import { startPostgres } from '#tools/launcher/stores/postgres.ts'
import { findRedisServer } from '#tools/launcher/stores/redis.ts'
import { createSupervisor } from '#tools/process/supervisor.ts'
import { cases, ownStackCases } from './cases.ts'
import { type CaseResult, provoke, evaluateFault } from './fault-case.ts'
import { startServiceStack } from '#tools/stack/service-stack.ts'

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
const rows = positionals.map(Number)
const chosen = [...cases, ...ownStackCases].filter(({ row }) => rows.length === 0 || rows.includes(row))
const supervisor = createSupervisor()
const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-faults-postgres-'))
const results: CaseResult[] = []
try {
  const redisProgram = await findRedisServer(supervisor.run)
  const { adminUrl: postgresUrl } = await startPostgres(supervisor, { dataDir, password: 'faults' })
  const stack = await startServiceStack({ postgresUrl, redisProgram })
  try {
    for (const fault of chosen.toSorted((a, b) => a.row - b.row)) {
      console.log(`row ${fault.row}: ${fault.name} …`)
      const result =
        'runAlone' in fault
          ? await fault.runAlone(stack)
          : await evaluateFault(stack, await provoke(stack, fault, false))
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
const head = ['#', 'Fault', 'sent', 'completed', 'failed', 'stored', 'lost', 'duplicated', 'rollups ±', 'accounts ±']
const lines = results.map(({ row, name, problems, catchUpMs, ...counted }): Row => {
  const { sent, completed, failed, stored, lost, duplicated, rollupDifference, accountDifference, p99Ms } = counted
  const counts = [sent, completed, failed, stored, lost, duplicated, rollupDifference, accountDifference ?? undefined]
  return [row, name, ...counts, round(catchUpMs / 1_000, 1), p99Ms, yesOrNo(problems.length === 0)]
})
const text = `${markdownTable([...head, 'catch-up s', 'p99 ms', 'kept'], lines)}\n\n${machineLine()}.`
console.log(`\n${text}`)
if (values.write) console.log(await writeMeasured('faults', text))
process.exit(results.every(({ problems }) => problems.length === 0) ? 0 : 1)
