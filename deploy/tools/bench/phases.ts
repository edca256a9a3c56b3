import { setTimeout as sleep } from 'node:timers/promises'
import { chatRequest } from './chat-request.ts'
import type { Load } from './load/load.ts'
import type { Measurements } from './measurements.ts'
import type { BenchContext } from './part.ts'
import { cpuTimeMs, residentMib } from '#tools/load/process-stats.ts'
import type { Target } from './targets/target.ts'

export interface Run {
  context: BenchContext
  targets: readonly Target[]
  load: Load
  measured: Measurements
}

const connections = 64
const rateSeconds = 3
const warmUpSeconds = 3
const pauseMs = 300

/** Latencies are measured up to this fraction of a target's maximum rate: above it, they mostly show its queue. */
const highestShare = 0.7

/** A process compiles code in its first seconds, which are not measured. */
export async function warmUp({ targets, load }: Run): Promise<void> {
  for (const target of targets) {
    await load.full(chatRequest(target), { connections, seconds: warmUpSeconds })
    await load.run({ ...chatRequest(target, 'frames=5,every=1'), kind: 'first-byte', perSecond: 50, seconds: 1 })
  }
}

/** Measures requests/s and the proxy's CPU time, alternating between the targets. */
export async function measureFullLoad(run: Run): Promise<void> {
  await inTurn(run, async (target) => {
    const cpuUs = await cpuStopwatch(target)
    const { seconds } = run.context.options
    const result = await run.load.full(chatRequest(target), { connections, seconds })
    run.measured.add('cpuUs', target, await cpuUs(result.completed))
    run.measured.add('perSecond', target, result.completed / result.seconds)
    run.measured.add('failed', target, result.failed)
  })
}

/** @returns a function for the CPU time that the target has used since then, µs per request */
async function cpuStopwatch({ pid }: Target): Promise<(requests: number) => Promise<number | undefined>> {
  const read = async () => pid && (await cpuTimeMs(pid))
  const before = await read()
  return async (requests) => {
    const after = await read()
    return before === undefined || after === undefined ? undefined : ((after - before) * 1_000) / requests
  }
}

/**
 * Measures latency and CPU time at a constant rate, of the targets that can keep it up.
 * @param wish see `chatRequest`
 * @returns how many requests must have been recorded
 */
export async function measureRate(run: Run, perSecond: number, name: string, wish?: string): Promise<number> {
  let toRecord = 0
  await inTurn(run, async (target) => {
    const limit = run.measured.of('perSecond', target.name)
    if (limit !== undefined && perSecond > limit * highestShare) return
    const job = { kind: 'rate', perSecond, seconds: rateSeconds } as const
    const cpuUs = await cpuStopwatch(target)
    if (target.headers['authorization']?.includes(' st_')) toRecord += perSecond * rateSeconds
    const result = await run.load.run({ ...chatRequest(target, wish), ...job })
    run.measured.add(`cpuUs@${name}`, target, await cpuUs(perSecond * rateSeconds))
    run.measured.add(`p50@${name}`, target, result.p50)
    run.measured.add(`p99@${name}`, target, result.p99)
    run.measured.add('failed', target, result.failed)
  })
  return toRecord
}

/** Measures the time to a stream's first byte, and the delay of frames with many streams. */
export async function measureStreams(run: Run): Promise<void> {
  await inTurn(run, async (target) => {
    const job = { kind: 'first-byte', perSecond: 100, seconds: rateSeconds } as const
    const result = await run.load.run({ ...chatRequest(target, 'frames=5,every=1'), ...job })
    run.measured.add('p50@first-byte', target, result.p50)
    run.measured.add('failed', target, result.failed)
  })
  for (const target of run.targets) {
    const result = await run.load.run({ ...chatRequest(target, 'frames=100,every=30'), kind: 'streams', count: 200 })
    run.measured.add('p50@frame', target, result.p50)
    run.measured.add('p99@frame', target, result.p99)
    run.measured.add('heldBack', target, result.heldBack)
    run.measured.add('failed', target, result.failed)
  }
}

/** Measures memory after many requests, and with many open streams. */
export async function measureMemory(run: Run, requests: number): Promise<void> {
  for (const target of run.targets) {
    const { pid, start } = target
    if (pid === undefined || start > 0) continue
    if (target.name === 'sallyport') {
      await sendMany(run, target, requests)
      run.measured.add('rssAfter', target, await residentMib(pid))
    }
    const streams = { ...chatRequest(target, 'frames=1000,every=1000'), count: 2_000 }
    const { failed } = await run.load.run({ ...streams, kind: 'hold-streams' })
    run.measured.add('failed', target, failed)
    run.measured.add('rssStreams', target, await residentMib(pid))
    await run.load.run({ ...streams, kind: 'release-streams' })
    await sleep(pauseMs)
  }
}

async function sendMany({ load }: Run, target: Target, requests: number): Promise<void> {
  for (let sent = 0; sent < requests;) {
    sent += (await load.full(chatRequest(target), { connections, seconds: 5 })).completed
  }
}

/**
 * Measures the targets alternately, so that other load on the machine affects all of them alike. The order of each round
 * is random, because a target gains or loses by what the one before it left behind.
 */
async function inTurn({ context, targets }: Run, measure: (target: Target) => Promise<void>): Promise<void> {
  for (let round = 0; round < context.options.rounds; round += 1) {
    const drawn = targets.map((target) => ({ target, place: Math.random() }))
    for (const { target } of drawn.toSorted((one, other) => one.place - other.place)) {
      await measure(target)
      await sleep(pauseMs)
    }
  }
}
