import { root } from '#tools/root.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { openPostgres } from '#core/stores/postgres.ts'
import { z } from 'zod'
import {
  type CaseResult,
  type FaultCase,
  type FaultContext,
  type OwnStackCase,
  provoke,
  evaluateFault,
} from './fault-case.ts'
import { Load } from '#tools/load/load.ts'
import { type ControlledProcess, isAlive } from '#tools/stack/controlled-process.ts'
import { createReplicatedRedis, type ReplicatedRedis } from '#tools/stack/replicated-redis.ts'
import { type ServiceStack, startServiceStackOn } from '#tools/stack/service-stack.ts'
import { within } from '#tools/process/within.ts'
import { keysOf } from '#core/records.ts'

/** Stores that are down when services start, that fail over, or that lose their data. */
export const failoverCases: FaultCase[] = [
  {
    row: 25,
    name: 'start while each store, and all of them, are away',
    mayFail: true,
    async run(stack) {
      const problems: string[] = []
      for (const store of storeNames) problems.push(...(await startWithout(stack, [store], awayMs)))
      return [...problems, ...(await startWithout(stack, storeNames, awayMs))]
    },
  },
  {
    row: 26,
    name: 'a Redis becomes a replica, and back',
    isShort: true,
    async run(stack, { short }) {
      const problems: string[] = []
      for (const [name, redis] of [
        ['redis-state', stack.stateRedis],
        ['redis-queue', stack.queueRedis],
      ] as const) {
        // The master does not exist, so the replica keeps its data.
        await redis.command('REPLICAOF', '127.0.0.1', '1')
        await sleep(short ? 2_000 : 10_000)
        if ((await needsOf(stack.proxyPort))[name] !== 'unavailable') problems.push(`/readyz did not report ${name}`)
        await redis.command('REPLICAOF', 'NO', 'ONE')
        if (!(await within(10_000, () => hasAllNeeds(stack.proxyPort))))
          problems.push(`no writes to ${name} after 10 s`)
      }
      return problems
    },
  },
  { row: 27, name: 'queue Redis is replaced by an empty one', run: replaceQueue },
]

const sentinelName = 'Sentinel makes the replica the master, and back'

const awayMs = 120_000

const stores = {
  postgres: {
    goAway: async (stack: ServiceStack) => stack.postgresLink.set('reject'),
    comeBack: async (stack: ServiceStack) => stack.postgresLink.set('pass'),
  },
  clickhouse: {
    goAway: async (stack: ServiceStack) => stack.clickhouseLink.set('reject'),
    comeBack: async (stack: ServiceStack) => stack.clickhouseLink.set('pass'),
  },
  'redis-state': {
    goAway: (stack: ServiceStack) => stack.stateRedis.kill(),
    comeBack: (stack: ServiceStack) => stack.stateRedis.start(),
  },
  'redis-queue': {
    goAway: (stack: ServiceStack) => stack.queueRedis.kill(),
    comeBack: (stack: ServiceStack) => stack.queueRedis.start(),
  },
}
type StoreName = keyof typeof stores
const storeNames = keysOf(stores)

/** Starts one process of each role while the stores are down, and restarts the stores after `ms`. */
export async function startWithout(stack: ServiceStack, away: readonly StoreName[], ms: number): Promise<string[]> {
  const what = away.join(', ')
  const roles: [string, ControlledProcess, number][] = [
    ['proxy', stack.proxy, stack.proxyPort],
    ['api', stack.api, stack.apiPort],
    ['worker', stack.workers[0], stack.workerPort],
  ]
  await Promise.all(away.map((name) => stores[name].goAway(stack)))
  await Promise.all(roles.map(([, process]) => process.kill()))
  for (const [, process] of roles) process.launch()
  const problems: string[] = []
  for (const [role, , port] of roles) {
    if (!(await within(30_000, () => isAlive(port)))) problems.push(`${role} did not start without ${what}`)
  }
  await sleep(ms)
  for (const [role, , port] of roles) {
    if (!(await isAlive(port))) problems.push(`${role} died without ${what}`)
    const needs = await needsOf(port)
    const wrong = Object.entries(needs).filter(
      ([name, state]) => (state === 'unavailable') !== away.some((each) => name === each),
    )
    if (wrong.length > 0) problems.push(`without ${what} /readyz of ${role} says ${JSON.stringify(needs)}`)
  }
  await Promise.all(away.map((name) => stores[name].comeBack(stack)))
  for (const [role, , port] of roles) {
    if (!(await within(15_000, () => hasAllNeeds(port)))) problems.push(`${role} is not ready after ${what} came back`)
  }
  return problems
}

const Ready = z.object({ needs: z.record(z.string(), z.enum(['ok', 'unavailable'])) })

/** The state of each store as `/readyz` of a service reports it. */
async function needsOf(port: number): Promise<Record<string, string>> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return response ? Ready.parse(await response.json()).needs : {}
}

/** A process that has started stays ready without its stores. */
async function hasAllNeeds(port: number): Promise<boolean> {
  const states = Object.values(await needsOf(port))
  return states.length > 0 && states.every((state) => state === 'ok')
}

/** Runs all services in a separate database, on Redis servers watched by a Sentinel. */
export const sentinelCase: OwnStackCase = { row: 26, name: sentinelName, runAlone: failOverWithSentinel }

async function failOverWithSentinel({ postgresUrl, redisProgram }: ServiceStack): Promise<CaseResult> {
  const database = 'sentinel'
  const admin = openPostgres({ postgresUrl }, 'faults')
  await admin`create database ${admin(database)}`
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  const stack = await startServiceStackOn({
    postgresUrl: url.href,
    redisProgram,
    createRedis: createReplicatedRedis,
    environment: { QUEUE_REPLICAS: '1' },
  })
  try {
    return await evaluateFault(stack, await provoke(stack, failover, false))
  } finally {
    await stack.stop()
    await admin`drop database ${admin(database)} with (force)`
    await admin.end()
  }
}

const failover: FaultCase<ReplicatedRedis> = {
  row: 26,
  name: sentinelName,
  async run(stack) {
    const problems: string[] = []
    for (const redis of [stack.stateRedis, stack.queueRedis, stack.stateRedis, stack.queueRedis]) {
      await redis.failOver()
      if (!(await within(10_000, () => hasAllNeeds(stack.proxyPort)))) problems.push('not ready after 10 s')
    }
    return problems
  },
}

/** Makes the queue reject new batches once all of its batches are stored; rejected ones stay in the spools. */
async function closeEmptyQueue({ queueRedis, pipeline }: ServiceStack): Promise<boolean> {
  await queueRedis.command('CONFIG', 'SET', 'maxmemory', '100kb')
  if (await within(2_000, async () => (await pipeline()).queued === 0)) return true
  // Removing a batch from the queue needs memory, too.
  await queueRedis.command('CONFIG', 'SET', 'maxmemory', '0')
  await within(10_000, async () => (await pipeline()).queued === 0)
  return false
}

/** Batches in spools reach the new queue; a command reconciles requests that only the old one counted. */
async function replaceQueue(stack: ServiceStack, { load }: FaultContext): Promise<string[]> {
  // Only the old queue knows how many requests were accepted by a process that has ended.
  const { process: gone, port } = await stack.service('proxy')
  await gone.start()
  const { token } = await stack.newToken('row27 gone')
  const earlier = new Load({ url: `http://127.0.0.1:${port}`, token, rate: 60, name: 'row27-gone' })
  await sleep(2_000)
  await earlier.stop()
  await gone.stop()
  if (!(await within(60_000, () => closeEmptyQueue(stack)))) return ['the queue does not become empty']
  await stack.queueRedis.kill()
  await rm(join(stack.queueRedis.dir, 'appendonlydir'), { recursive: true })
  await stack.queueRedis.start()
  await sleep(3_000)
  await load.stop()
  await within(30_000, async () => (await stack.pipeline()).spooled === 0)
  await within(30_000, async () => (await stack.pipeline()).queued === 0)
  const { difference } = await stack.pipeline()
  if (!difference || difference > 0) return [`the difference is ${difference}`]
  await execa(execPath, ['services/cli/pipeline.ts', 'reconcile', String(difference)], {
    env: stack.environment,
    cwd: root,
  })
  const after = await stack.pipeline()
  return after.difference === 0 ? [] : [`${difference} was reconciled to ${after.difference}`]
}
