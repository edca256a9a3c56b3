/**
 * The spool and shipper of a proxy: RATE events per second for SECONDS through a spool in FOLDER to REDIS_QUEUE_URL;
 * RATE 0: as fast as possible, without shipping. Each event has TAGS tags. Prints its figures as JSON and exits.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { openQueueProducer } from '#core/redis/connections.ts'
import { claimFolder } from '#proxy/spool/folders.ts'
import { createPublisher } from '#proxy/spool/publish.ts'
import { createProxyReporter } from '#proxy/spool/report.ts'
import { Shipper } from '#proxy/spool/shipper.ts'
import { Spool } from '#proxy/spool/spool.ts'
import { benchEvent } from './event.ts'
import { required } from '#tools/process/required.ts'

const { RATE, SECONDS, TAGS, FOLDER = '', REDIS_QUEUE_URL = '' } = process.env
const [rate, seconds] = [Number(RATE), Number(SECONDS)]
const events = rate > 0 ? rate * seconds : 60_000
const folder = claimFolder(FOLDER)
const spool = new Spool(folder.path, { maxBytes: 2 ** 31 })

/** Tags of a thousand values each. */
const tagsOf = (at: number) =>
  Object.fromEntries(Array.from({ length: Number(TAGS) }, (_, nth) => [`tag-${nth}`, `value-${at}-${nth}`]))

/** Created in advance, because creating an event is not part of recording it. */
const prepared = Array.from({ length: 1_000 }, (_, at) => benchEvent(at, { tags: tagsOf(at) }))

/** Records an event that ends now; its id contains the time when its request began. */
function record(count: number, id?: string): void {
  const event = required(prepared[count % prepared.length], 'event')
  event.id = id ?? uuidv7({ msecs: Date.now() - event.responseTimeMs })
  spool.end(event, spool.begin(event))
}

/** @returns CPU time of recording one request's begin and end, µs */
function measureRecording(): number {
  const ids = Array.from({ length: events }, () => uuidv7())
  for (let count = 0; count < 5_000; count += 1) record(count)
  const before = process.cpuUsage()
  for (let count = 0; count < events; count += 1) record(count, ids[count])
  const used = process.cpuUsage(before)
  return (used.user + used.system) / events
}

async function sustain(): Promise<object> {
  const redis = openQueueProducer({ redisQueueUrl: REDIS_QUEUE_URL })
  await once(redis, 'ready')
  const shard = { redis, tag: '' }
  const publisher = createPublisher([shard])
  const reporter = createProxyReporter(shard, spool, folder.proxyId)
  const shipper = new Shipper({
    spool,
    root: FOLDER,
    shards: 1,
    publish: publisher.publish,
    reporter,
    logger: pino({ level: 'silent' }),
  })
  shipper.start()
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  let longestHoldMs = 0
  let last = startedAt
  for (let done = 0; done < events;) {
    const now = performance.now()
    longestHoldMs = Math.max(longestHoldMs, now - last)
    last = now
    const due = Math.min(events, Math.floor(((now - startedAt) / 1_000) * rate))
    while (done < due) record((done += 1))
    await sleep(1)
  }
  const tookMs = performance.now() - startedAt
  await shipper.stop()
  await publisher.close()
  redis.disconnect()
  const used = process.cpuUsage(usedBefore)
  return { events, tookMs, longestHoldMs, cpuMs: (used.user + used.system) / 1_000 }
}

console.log(JSON.stringify(rate > 0 ? await sustain() : { cpuUs: measureRecording() }))
process.exit(0)
