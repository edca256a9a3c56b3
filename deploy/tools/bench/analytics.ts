/**
 * `npm run bench:analytics`: how long the screens' queries take on a store with many rows.
 * `--rows N[,M]` (10000000), several stores are measured alternately; `--runs N` (30); `--data-dir DIR` keeps the seeded
 * stores for another run; `--write` puts the tables into deploy/docs/measured.md.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mib } from '#core/units.ts'
import { openStore, type Store } from './analytics/store.ts'
import { percentile } from '#tools/load/percentile.ts'
import { machineLine, markdownTable, pair, type Row, round, yesOrNo } from '#tools/load/report.ts'
import { writeMeasured } from './write-measured.ts'
import { required } from '#tools/process/required.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '30' },
    'data-dir': { type: 'string' },
    write: { type: 'boolean' },
  },
})
const runs = Number(values.runs)
const runsInTurn = 5
const warmUps = 3

const dataDir = values['data-dir'] ?? (await mkdtemp(join(tmpdir(), 'sallyport-bench-')))
const stores: Store[] = []
for (const rows of values.rows
  .split(',')
  .map(Number)
  .toSorted((one, other) => one - other)) {
  const folder = join(dataDir, String(rows))
  await mkdir(folder, { recursive: true })
  stores.push(await openStore(rows, folder))
}
const smallest = required(stores[0], 'number of rows')
const results: Row[] = []
for (const [at, { name, goals }] of smallest.cases.entries()) {
  const measured = await measure(at)
  const p50 = measured.map(({ times }) => percentile(times, 0.5))
  const cells = measured.flatMap(({ rows, times, cpuMs }): Row => {
    const goal = goals[rows > 10_000_000 ? 1 : 0]
    const p95 = percentile(times, 0.95)
    return [pair(percentile(times, 0.5), p95, 1), round(cpuMs, 1), goal, yesOrNo(p95 < goal)]
  })
  const ratios = stores.length > 1 ? [round(Number(p50.at(-1)) / Number(p50[0]), 2)] : []
  results.push([name, ...cells, ...ratios])
}

const columns = ['p50 / p95 ms', 'CPU ms', 'goal, p95 ms', 'met']
const million = (rows: number) => `${rows / 1e6} M`
const head = stores.flatMap(({ rows }) =>
  stores.length > 1 ? columns.map((column) => `${million(rows)}: ${column}`) : columns,
)
const ratio =
  stores.length > 1
    ? [
        `p50, ${stores
          .map(({ rows }) => million(rows))
          .toReversed()
          .join(' by ')}`,
      ]
    : []
const sizes = smallest.tables.map(({ name }): Row => [name, ...stores.flatMap((store) => sizeOf(store, name))])
const sizeHead = stores.flatMap(({ rows }) => [`${million(rows)}: rows`, 'MiB', 'parts'])
const text = [
  `${stores.map(({ rows }) => rows.toLocaleString('en')).join(' and ')} rows, 1,000 accounts, one of them with every ` +
    `fifth row:`,
  markdownTable(['Query', ...head, ...ratio], results),
  markdownTable(['Table', ...sizeHead], sizes),
  `${machineLine()}.`,
].join('\n\n')
console.log(`\n${text}\n`)
if (values.write) console.log(await writeMeasured('analytics', text))
await Promise.all(stores.map((store) => store.close()))
if (!values['data-dir']) await rm(dataDir, { recursive: true, force: true })

/** Measures the stores alternately, so that other load on the machine affects all of them alike. */
async function measure(at: number): Promise<{ rows: number; times: number[]; cpuMs: number }[]> {
  const all = stores.map((store) => ({ store, times: new Array<number>(), cpuMs: 0 }))
  for (const { store } of all) await store.time({ at, runs: warmUps })
  for (let done = 0; done < runs; done += runsInTurn) {
    for (const each of all) {
      const { times, cpuMs } = await each.store.time({ at, runs: Math.min(runsInTurn, runs - done) })
      each.times.push(...times)
      each.cpuMs += cpuMs
    }
  }
  return all.map(({ store, times, cpuMs }) => ({ rows: store.rows, times, cpuMs: cpuMs / runs }))
}

function sizeOf({ tables }: Store, name: string): Row {
  const table = tables.find((each) => each.name === name)
  return [round(table?.rows, 0), table && round(table.bytes / mib, 0), table?.parts]
}
