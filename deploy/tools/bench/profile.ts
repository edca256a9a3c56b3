import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machineLine, markdownTable, round, type Row } from '#tools/load/report.ts'
import { required } from '#tools/process/required.ts'
import { startLoad } from './load/load.ts'
import { Measurements } from './measurements.ts'
import type { Part } from './part.ts'
import { measureFullLoad, type Run, warmUp } from './phases.ts'
import { reserveCore } from './pinning.ts'
import { CpuProfile, shareByPart } from './profile/profile-by-part.ts'
import { startBare } from './targets/bare.ts'
import { startUpstream } from './targets/daemon.ts'
import { openSallyport } from './targets/sallyport.ts'
import { writeMeasured } from './write-measured.ts'

/** Less of both is not shown by itself, µs. */
const leastShown = 1

/** Which parts of the code take the CPU time of a request, in the bare proxy and in Sallyport, at full load. */
export const profilePart: Part = async (given) => {
  const { progress, options, supervisor, workDir } = given
  const context = { ...given, pin: await reserveCore(), profileFolder: workDir }
  const upstream = await startUpstream(context)
  const stores = await openSallyport(context, upstream)
  const limited = (await stores.startProcess(0)).filter(({ name }) => name === 'sallyport')
  const targets = [await startBare(context, upstream, 0), ...limited]
  const run: Run = { context, targets, load: await startLoad(context), measured: new Measurements() }
  await progress.step('Warm-up', () => warmUp(run))
  for (const { name, pid } of targets) process.kill(required(pid, name), 'SIGWINCH')
  await progress.step('Full load, 64 connections', () => measureFullLoad(run))
  // A process writes its profile when it ends.
  await supervisor.stop()

  const profiled = await Promise.all(
    targets.map(async ({ name }) => {
      const profile = CpuProfile.parse(JSON.parse(await readFile(join(workDir, `${name}.cpuprofile`), 'utf8')))
      return { shares: shareByPart(profile), cpuUs: required(run.measured.of('cpuUs', name), name) }
    }),
  )
  const parts = [...new Set(profiled.flatMap(({ shares }) => [...shares.keys()]))].map((part) => ({
    part,
    us: profiled.map(({ shares, cpuUs }) => (shares.get(part) ?? 0) * cpuUs),
  }))
  const sum = (all: typeof parts) =>
    profiled.map((_, at) => all.reduce((total, { us }) => total + required(us[at], 'part'), 0))
  const isShown = ({ us }: (typeof parts)[number]) => Math.max(...us) >= leastShown
  const shown = parts
    .filter(isShown)
    .toSorted((one, other) => required(other.us.at(-1), 'part') - required(one.us.at(-1), 'part'))
  const text = [
    markdownTable(
      ['CPU a request, µs', 'bare', 'Sallyport, limits of plan and minute'],
      [
        ...shown.map(({ part, us }) => row(part, us)),
        row('other', sum(parts.filter((each) => !isShown(each)))),
        row('all', sum(parts)),
      ],
    ),
    `${machineLine()}. Sampled by V8, which adds to the time of what calls many functions.`,
  ].join('\n\n')
  progress.print(`\n${text}\n`)
  if (options.write) progress.print(await writeMeasured('profile', text))
}

const row = (text: string, us: readonly number[]): Row => [text, ...us.map((each) => round(each, 1))]
