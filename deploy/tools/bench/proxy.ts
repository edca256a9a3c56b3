import { resolve } from 'node:path'
import { StartFailure } from '#tools/process/start-failure.ts'
import { startLoad } from './load/load.ts'
import { Measurements } from './measurements.ts'
import type { BenchContext, Part } from './part.ts'
import { reserveCore } from './pinning.ts'
import { measureFullLoad, measureMemory, measureRate, measureStreams, type Run, warmUp } from './phases.ts'
import { comparisonTable, goalTable, onePerName } from './proxy-report.ts'
import { countQueuedEvents } from './queued-events.ts'
import { machineLine, round, type Row, yesOrNo } from '#tools/load/report.ts'
import { startBare } from './targets/bare.ts'
import { startUpstream } from './targets/daemon.ts'
import { startNginx } from './targets/nginx.ts'
import { startPortkey } from './targets/portkey.ts'
import { openSallyport, type SallyportStores } from './targets/sallyport.ts'
import { completionsPath, type Target } from './targets/target.ts'
import { writeMeasured } from './write-measured.ts'

const slowRate = 2_000

/** The proxy and its alternatives, measured alternately within one run. */
export const proxyPart: Part = async (given) => {
  const { progress, options } = given
  // Two processes need two cores.
  const pin = isWanted('two', options) ? undefined : await reserveCore()
  const context = { ...given, pin }
  const upstream = await startUpstream(context)
  const stores = isWanted('sallyport', options) ? await openSallyport(context, upstream) : undefined
  const targets = await startTargets(context, upstream, stores)
  const load = await progress.step('Load generators', () => startLoad(context))
  const run: Run = { context, targets, load, measured: new Measurements() }
  const wants = (phase: string) => options.phases?.includes(phase) ?? true
  const queued = async () => (stores ? countQueuedEvents(stores.redisQueueUrl) : 0)
  let recorded: Row | undefined

  await progress.step('Warm-up', () => warmUp(run))
  if (wants('max')) await progress.step('Full load, 64 connections', () => measureFullLoad(run))
  if (wants('500')) await progress.step('500 requests/s', () => measureRate(run, 500, '500'))
  if (wants('1000')) await progress.step('1,000 requests/s', () => measureRate(run, 1_000, '1000'))
  if (wants('slow')) {
    await progress.step('2,000 requests/s, provider of 50 ms', async () => {
      const before = await queued()
      const sent = await measureRate(run, slowRate, 'slow', 'delay=50')
      const logged = (await queued()) - before
      if (sent > 0) recorded = ['of those, recorded: all', `${logged} of ${sent}`, yesOrNo(logged === sent)]
    })
  }
  if (wants('sse')) await progress.step('Streams', () => measureStreams(run))
  if (wants('memory')) await progress.step('Memory', () => measureMemory(run, options.requests))
  await report(run, recorded)
}

/** Alternatives that can't be installed here are skipped with a note. */
async function startTargets(
  context: BenchContext,
  upstream: string,
  stores: SallyportStores | undefined,
): Promise<Target[]> {
  const { progress, options } = context
  const url = upstream + completionsPath
  const direct: Target = {
    name: 'direct',
    start: 0,
    label: 'the provider, called directly',
    url,
    headers: {},
    pid: undefined,
  }
  const started: Target[] = [direct]
  const starters: Record<string, (start: number) => Promise<readonly Target[]>> = {
    nginx: async (start) => [await startNginx(context, upstream, start)],
    bare: async (start) => [await startBare(context, upstream, start)],
    portkey: async (start) => [await startPortkey(context, upstream, start)],
    ...(stores && {
      sallyport: (start) => stores.startProcess(start),
      two: (start) => stores.startTwo(start),
      against: (start) => stores.startAnother(resolve(options.against ?? '.'), start),
    }),
  }
  for (const [name, start] of Object.entries(starters)) {
    if (!isWanted(name, options)) continue
    try {
      for (let nth = 0; nth < options.starts; nth += 1)
        started.push(...(await progress.step(`Start: ${name}`, async () => start(nth))))
    } catch (error) {
      if (!(error instanceof StartFailure) || name === 'sallyport' || name === 'against') throw error
      progress.print(`  Without ${name}: ${error.message}`)
    }
  }
  return started
}

/** By default, all targets except `two`; another checkout only if one is named. */
function isWanted(name: string, { targets, against }: BenchContext['options']): boolean {
  if (name === 'against') return against !== undefined
  return targets?.includes(name) ?? name !== 'two'
}

async function report({ context, targets, measured }: Run, recorded: Row | undefined): Promise<void> {
  const { progress, options } = context
  const failures = onePerName(targets).flatMap(({ name, label }) => {
    const failed = measured.sum('failed', name)
    return failed > 0 ? [`${label}: ${round(failed, 0)} requests failed.`] : []
  })
  const text = [
    comparisonTable(measured, targets),
    '',
    goalTable(measured, options.requests, recorded),
    '',
    `${machineLine()}. Full load by wrk, 64 connections, responses of 600 bytes; latencies at a constant ` +
      `rate from the moment at which a request was due; medians of ${options.starts} starts and ${options.rounds} ` +
      `rounds in turn. ${context.pin ? 'The proxy has a core of its own; load, provider and stores share the other' : 'Load, provider, stores and proxy share the machine'}.`,
    ...failures,
  ].join('\n')
  progress.print(`\n${text}\n`)
  if (options.write) progress.print(await writeMeasured('proxy', text))
}
