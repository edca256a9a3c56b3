import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { execa } from 'execa'
import getPort from 'get-port'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { jobNameOf, packEventBatch, requestEventQueue } from '#core/queue.ts'
import type { QueueRedis } from '#core/queue-shards.ts'
import { type ClickHouseClient, openClickHouse, openQueueConsumer } from '#core/resources.ts'
import { findRedisServer, startRedis } from '#deploy/embedded/redis.ts'
import { selectRows } from '#store/clickhouse-rows.ts'
import { type Histogram, percentile } from '#store/histogram.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import type { BenchContext, Part } from './part.ts'
import { benchEvent } from './pipeline/event.ts'
import { cpuTimeMs, residentMib } from './process-stats.ts'
import { machineLine, markdownTable, type Row, round } from './report.ts'
import { saysReady, startDaemon } from './targets/daemon.ts'
import { writeReadme } from './write-readme.ts'

const rate = 20_000
const backlog = 1_000_000
const mib = 2 ** 20

interface Run {
  context: BenchContext
  redisUrl: string
  redis: QueueRedis
  clickhouseUrl: string
  clickhouse: ClickHouseClient
}

/** From the proxy's record of a request to its row in ClickHouse: cost, rate, lag and what a backlog takes. */
export const pipelinePart: Part = async (context) => {
  const run = await start(context)
  const { progress } = context
  const rows: Row[] = []
  rows.push(await progress.step('Recording', () => measureRecording(run)))
  rows.push(...(await progress.step(`${rate} events/s`, () => measureRate(run))))
  rows.push(...(await progress.step(`Backlog of ${backlog} events`, () => measureBacklog(run))))
  await run.clickhouse.close()
  run.redis.disconnect()
  const table = markdownTable(['Pipeline', 'measured', 'goal', 'met'], rows)
  progress.print(`\n${table}\n\n${machineLine()}\n`)
  if (context.options.writes) progress.print(await writeReadme('pipeline', `${table}\n\n${machineLine()}`))
}

async function start(context: BenchContext): Promise<Run> {
  const { supervisor, workDir, progress } = context
  const program = await progress.step('Redis server', () => findRedisServer(supervisor.run))
  const redisUrl = await startRedis(supervisor, { program, dataDir: workDir, instance: 'queue', password: 'bench' })
  const port = await getPort({ host: '127.0.0.1' })
  await startDaemon(context, {
    name: 'ClickHouse',
    command: process.execPath,
    args: [join(import.meta.dirname, '../test/clickhouse-server.ts'), String(port), join(workDir, 'clickhouse')],
    env: {},
    ready: saysReady,
  })
  const clickhouseUrl = `http://127.0.0.1:${port}`
  const clickhouse = await openClickHouse({ clickhouseUrl, dataDir: workDir })
  await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
  return { context, redisUrl, redis: openQueueConsumer({ redisQueueUrl: redisUrl }), clickhouseUrl, clickhouse }
}

async function record({ context, redisUrl }: Run, settings: { rate: number; seconds: number }): Promise<unknown> {
  const { stdout } = await execa(process.execPath, [join(import.meta.dirname, 'pipeline/recorder.ts')], {
    env: {
      RATE: String(settings.rate),
      SECONDS: String(settings.seconds),
      FOLDER: join(context.workDir, `spool-${settings.rate}`),
      REDIS_QUEUE_URL: redisUrl,
    },
  })
  return JSON.parse(stdout)
}

async function measureRecording(run: Run): Promise<Row> {
  const { cpuUs } = z.object({ cpuUs: z.number() }).parse(await record(run, { rate: 0, seconds: 0 }))
  return ['recording a request (begin and end), CPU µs', round(cpuUs, 1), 10, cpuUs <= 10 ? 'yes' : 'no']
}

async function startWorker({ context, redisUrl, clickhouseUrl }: Run): Promise<number> {
  await startDaemon(context, {
    name: 'worker',
    command: process.execPath,
    args: [join(import.meta.dirname, 'pipeline/worker.ts')],
    env: { REDIS_QUEUE_URL: redisUrl, CLICKHOUSE_URL: clickhouseUrl },
    ready: saysReady,
  })
  return context.pidOf('worker')!
}

async function stored(run: Run): Promise<{ events: number; lags: Histogram }> {
  const query = 'SELECT sum(events) AS events, sumMap(lag_histogram) AS lags FROM ingest_minute'
  const [row] = await selectRows<{ events: number; lags: Histogram }>(run.clickhouse, query)
  return { events: Number(row?.events ?? 0), lags: row?.lags ?? {} }
}

async function waitUntilStored(run: Run, events: number, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  while ((await stored(run)).events < events && performance.now() < deadline) await sleep(500)
}

async function measureRate(run: Run): Promise<Row[]> {
  const pid = await startWorker(run)
  const seconds = 4 * run.context.options.seconds
  const before = await cpuTimeMs(pid)
  const told = z
    .object({ events: z.number(), tookMs: z.number(), longestHoldMs: z.number() })
    .parse(await record(run, { rate, seconds }))
  await waitUntilStored(run, told.events, 60_000)
  const { events, lags } = await stored(run)
  const lag = percentile(lags, 0.95) ?? Number.NaN
  // The fixture says that a request took so long; its end lies that much after its id.
  const workerUs = (((await cpuTimeMs(pid)) ?? Number.NaN) - (before ?? 0)) / (events / 1_000)
  const recorded = told.events / (told.tookMs / 1_000)
  return [
    [
      'events/s recorded, shipped and stored',
      round(recorded, 0),
      '20,000',
      events === told.events && recorded >= 0.98 * rate ? 'yes' : 'no',
    ],
    ['of those, stored', `${events} of ${told.events}`, 'all', events === told.events ? 'yes' : 'no'],
    ['lag from end to row, p95 ms', round(lag, 0), '3,000', lag <= 3_000 ? 'yes' : 'no'],
    ['longest time the recorder’s event loop was held, ms', round(told.longestHoldMs, 0), undefined, undefined],
    ['CPU of the worker, µs an event', round(workerUs, 1), undefined, undefined],
  ]
}

async function measureBacklog(run: Run): Promise<Row[]> {
  const pid = run.context.pidOf('worker')!
  process.kill(pid, 'SIGSTOP')
  const queue = new Queue(requestEventQueue, { connection: run.redis })
  const memory = async () => Number(/used_memory:(\d+)/.exec(await run.redis.info('memory'))?.[1])
  const empty = await memory()
  for (let done = 0; done < backlog; done += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, at) => Buffer.from(`${JSON.stringify(benchEvent(done + at))}\n`))
    const options = { jobId: uuidv7(), attempts: 1_000, removeOnComplete: true }
    await queue.add(jobNameOf(lines.length), await packEventBatch(lines), options)
  }
  const redisMib = ((await memory()) - empty) / mib
  const goal = (await stored(run)).events + backlog
  process.kill(pid, 'SIGCONT')
  let workerMib = 0
  const startedAt = performance.now()
  while ((await stored(run)).events < goal && performance.now() - startedAt < 300_000) {
    workerMib = Math.max(workerMib, (await residentMib(pid)) ?? 0)
    await sleep(200)
  }
  const isDrained = (await stored(run)).events === goal
  const seconds = (performance.now() - startedAt) / 1_000
  await queue.close()
  return [
    ['1,000,000 events waiting: Redis, MiB', round(redisMib, 0), 400, redisMib <= 400 ? 'yes' : 'no'],
    ['while they drain: worker, MiB', round(workerMib, 0), 300, workerMib <= 300 ? 'yes' : 'no'],
    ['drained after, s', round(seconds, 0), undefined, isDrained ? 'yes' : 'no'],
  ]
}
