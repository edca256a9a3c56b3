/** `npm run bench`: runs the benchmarks. `npm run bench -- <part> [options]`; the default part is `proxy`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createProgress } from '#tools/process/progress.js'
import { describeFailure, StartFailure } from '#tools/process/start-failure.ts'
import { waitForStopRequest } from '#tools/process/stop-request.ts'
import { createSupervisor } from '#tools/process/supervisor.ts'
import type { Part } from './part.ts'
import { messageOf } from '#core/errors.ts'

const parts: Record<string, () => Promise<Part>> = {
  proxy: async () => (await import('./proxy.ts')).proxyPart,
  pipeline: async () => (await import('./pipeline.ts')).pipelinePart,
  screens: async () => (await import('./screens.ts')).screensPart,
  profile: async () => (await import('./profile.ts')).profilePart,
  stack: async () => (await import('./stack.ts')).stackPart,
}

const usage = `Usage: npm run bench -- [${Object.keys(parts).join('|')}] [options]

  --write            put the table into deploy/docs/measured.md, between <!-- bench:<part> --> and <!-- /bench:<part> -->
  --targets a,b      only these targets (proxy: nginx, bare, portkey, sallyport, two)
  --phases a,b       only these phases (proxy: max, 500, 1000, slow, sse, memory; pipeline: record, low, rate, tags, backlog;
                     screens: open, revisit, scroll, body, load)
  --starts n         processes of each target (1)
  --rounds n         how often the targets take turns (3)
  --seconds n        how long one turn at full load is (5)
  --requests n       requests before memory is read (200000)
  --minutes n        how long the stack is loaded (60)
  --rows n           length of the history that the screens show (10000000)
  --runs n           how often each figure of the screens is measured (15)
  --against folder   another checkout of this repository, whose proxy is measured beside this one's
`

const progress = createProgress()
const stopRequest = waitForStopRequest()
const pids = new Map<string, number>()
const supervisor = createSupervisor({ onStarted: async ({ name, pid }) => void pids.set(name, pid) })
const workDir = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
const endings: (() => Promise<void>)[] = []

try {
  const outcome = await Promise.race([run(), stopRequest, supervisor.failed])
  if (outcome === undefined) process.exitCode = 130
} catch (error) {
  process.exitCode = 1
  progress.print(`\n${describeFailure(error)}\n`)
}
for (const end of endings) await end()
await supervisor.stop()
await rm(workDir, { recursive: true, force: true })
process.exit()

async function run(): Promise<'done'> {
  const { values, positionals } = readArguments()
  const name = positionals[0] ?? 'proxy'
  const load = parts[name]
  if (!load) throw new StartFailure(usage)
  const part = await load()
  await part({
    supervisor,
    progress,
    workDir,
    pidOf: (child) => pids.get(child),
    atEnd: (end) => void endings.push(end),
    options: {
      writes: values.write ?? false,
      targets: list(values.targets),
      phases: list(values.phases),
      starts: positive(values.starts, 1),
      rounds: positive(values.rounds, 3),
      seconds: positive(values.seconds, 5),
      requests: positive(values.requests, 200_000),
      minutes: positive(values.minutes, 60),
      rows: positive(values.rows, 10_000_000),
      runs: positive(values.runs, 15),
      against: values.against,
    },
  })
  return 'done'
}

function readArguments() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        write: { type: 'boolean' },
        targets: text,
        phases: text,
        starts: text,
        rounds: text,
        seconds: text,
        requests: text,
        minutes: text,
        rows: text,
        runs: text,
        against: text,
      },
    })
  } catch (error) {
    throw new StartFailure(`${messageOf(error)}\n${usage}`, { cause: error })
  }
}

function list(text: string | undefined): string[] | undefined {
  return text?.split(',')
}

function positive(text: string | undefined, byDefault: number): number {
  const number = Number(text ?? byDefault)
  if (!Number.isInteger(number) || number < 1) throw new StartFailure(`${text} is not a positive number.\n${usage}`)
  return number
}
