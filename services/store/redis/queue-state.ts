import { deadEventQueue, eventsOfJobName, requestEventQueue } from '#shared/pipeline/queue.ts'
import { type QueueShard, type QueueShards, queuePrefix } from '#core/redis/queue-shards.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'

const namesPerRead = 1_000

/** States of a job before its completion. */
const waitingStates = ['wait', 'active', 'paused', 'delayed'] as const

/** The state of all shards. Reads only ids and names from Redis, because BullMQ would read whole batches. */
export function createQueueState(shards: QueueShards) {
  return {
    /** Start of the oldest batch in the queue, ms since 1970. */
    async oldestAt(): Promise<number | undefined> {
      return oldestOf((await Promise.all(shards.map(waitingIds))).flat())
    },

    /** @returns waiting batches, the events in them, and `dead` events, which can't be stored */
    async read() {
      const states = await Promise.all(shards.map(readShard))
      const sum = (part: 'batches' | 'events' | 'dead') => states.reduce((total, state) => total + state[part], 0)
      const oldest = states.flatMap(({ oldestAt }) => oldestAt ?? [])
      return {
        batches: sum('batches'),
        events: sum('events'),
        dead: sum('dead'),
        oldestAt: oldest.length > 0 ? Math.min(...oldest) : undefined,
      }
    },
  }
}

async function readShard(shard: QueueShard) {
  const waiting = await waitingIds(shard)
  const failed = await idsIn(shard, requestEventQueue, 'failed')
  const deadEvents = await idsIn(shard, deadEventQueue, 'wait')
  return {
    batches: waiting.length,
    events: await countEvents(shard, requestEventQueue, waiting),
    oldestAt: oldestOf(waiting),
    dead:
      (await countEvents(shard, requestEventQueue, failed)) + (await countEvents(shard, deadEventQueue, deadEvents)),
  }
}

async function waitingIds(shard: QueueShard): Promise<string[]> {
  return (await Promise.all(waitingStates.map((type) => idsIn(shard, requestEventQueue, type)))).flat()
}

function oldestOf(ids: readonly string[]): number | undefined {
  const times = ids.map(uuidTimeMs).filter((time) => time > 0)
  return times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined
}

async function idsIn(
  shard: QueueShard,
  queue: string,
  type: (typeof waitingStates)[number] | 'failed',
): Promise<string[]> {
  const { redis } = shard
  const key = `${queuePrefix(shard)}:${queue}:${type}`
  return type === 'delayed' || type === 'failed' ? redis.zrange(key, '0', '-1') : redis.lrange(key, '0', '-1')
}

async function countEvents(shard: QueueShard, queue: string, ids: readonly string[]): Promise<number> {
  let events = 0
  for (let at = 0; at < ids.length; at += namesPerRead) {
    const pipeline = shard.redis.pipeline()
    for (const id of ids.slice(at, at + namesPerRead)) pipeline.hget(`${queuePrefix(shard)}:${queue}:${id}`, 'name')
    for (const [error, name] of (await pipeline.exec()) ?? []) {
      if (error) throw error
      // A job that has moved meanwhile is counted in its new state.
      if (name !== null) events += eventsOfJobName(String(name))
    }
  }
  return events
}
