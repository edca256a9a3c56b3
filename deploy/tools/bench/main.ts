/** `npm run bench`: runs the benchmarks. `npm run bench -- <part> [options]`; the default part is `proxy`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { createProgress } from '#tools/process/progress.js'
import { describeFailure } from '#tools/process/start-failure.ts'
import { waitForStopRequest } from '#tools/process/stop-request.ts'
import { createSupervisor } from '#tools/process/supervisor.ts'
import type { Part } from './part.ts'
import { required } from '#tools/process/required.ts'

const parts: Record<string, () => Promise<Part>> = {
  proxy: async () => (await import('./proxy.ts')).proxyPart,
  pipeline: async () => (await import('./pipeline.ts')).pipelinePart,
  screens: async () => (await import('./screens.ts')).screensPart,
  profile: async () => (await import('./profile.ts')).profilePart,
  stack: async () => (await import('./stack.ts')).stackPart,
}

const program = new Command('npm run bench --')
  .addArgument(new Argument('[part]').choices(Object.keys(parts)).default('proxy'))
  .option(
    '--write',
    'put the table into deploy/docs/measured.md, between <!-- bench:<part> --> and <!-- /bench:<part> -->',
  )
  .option('--targets <a,b>', 'only these targets (proxy: nginx, bare, portkey, sallyport, two)', list)
  .option(
    '--phases <a,b>',
    'only these phases (proxy: max, 500, 1000, slow, sse, memory; pipeline: record, low, rate, tags, backlog; screens: open, revisit, scroll, body, load)',
    list,
  )
  .option('--starts <n>', 'processes of each target', positive, 1)
  .option('--rounds <n>', 'how often the targets take turns', positive, 3)
  .option('--seconds <n>', 'how long one turn at full load is', positive, 5)
  .option('--requests <n>', 'requests before memory is read', positive, 200_000)
  .option('--minutes <n>', 'how long the stack is loaded', positive, 60)
  .option('--rows <n>', 'length of the history that the screens show', positive, 10_000_000)
  .option('--runs <n>', 'how often each figure of the screens is measured', positive, 15)
  .option('--against <folder>', "another checkout of this repository, whose proxy is measured beside this one's")
  .showHelpAfterError()
  .parse()

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
  const part = await required(parts[program.processedArgs[0]], 'part')()
  await part({
    supervisor,
    progress,
    workDir,
    pidOf: (child) => pids.get(child),
    atEnd: (end) => void endings.push(end),
    options: program.opts(),
  })
  return 'done'
}

function list(text: string): string[] {
  return text.split(',')
}

function positive(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It has to be a positive number.')
  return number
}
