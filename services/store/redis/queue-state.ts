import { deadEventQueue, eventsOfJobName, requestEventQueue } from '#shared/pipeline/queue.ts'
import { type QueueShard, type QueueShards, queuePrefix } from '#core/redis/queue-shards.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'

/** Names of jobs that are read at once. */
const namesAtOnce = 1_000

/** Where a job can be before it is done. */
const waitingIn = ['wait', 'active', 'paused', 'delayed'] as const

export interface QueueState {
  batches: number
  /** In those batches. */
  events: number
  /** Events that can't be stored, alone or with their batch. */
  dead: number
  /** When the oldest batch began, ms since 1970. */
  oldestAt: number | undefined
}

/** What waits in all shards of the queue, read past BullMQ: ids and names only, whatever the batches weigh. */
export function createQueueState(shards: QueueShards) {
  async function everywhere<Result>(read: (shard: QueueShard) => Promise<Result>): Promise<Result[]> {
    return Promise.all(shards.map(read))
  }

  return {
    /** When the oldest batch began that is in the queue, ms since 1970. */
    async oldestAt(): Promise<number | undefined> {
      return oldestOf((await everywhere(waitingIds)).flat())
    },

    async read(): Promise<QueueState> {
      const states = await everywhere(readShard)
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

async function readShard(shard: QueueShard): Promise<QueueState> {
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
  return (await Promise.all(waitingIn.map((type) => idsIn(shard, requestEventQueue, type)))).flat()
}

function oldestOf(ids: readonly string[]): number | undefined {
  const times = ids.map(uuidTimeMs).filter((time) => time > 0)
  return times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined
}

/** Ids in one of a queue's lists or sets. */
async function idsIn(shard: QueueShard, queue: string, type: (typeof waitingIn)[number] | 'failed'): Promise<string[]> {
  const { redis } = shard
  const key = `${queuePrefix(shard)}:${queue}:${type}`
  return type === 'delayed' || type === 'failed' ? redis.zrange(key, '0', '-1') : redis.lrange(key, '0', '-1')
}

async function countEvents(shard: QueueShard, queue: string, ids: readonly string[]): Promise<number> {
  let events = 0
  for (let at = 0; at < ids.length; at += namesAtOnce) {
    const pipeline = shard.redis.pipeline()
    for (const id of ids.slice(at, at + namesAtOnce)) pipeline.hget(`${queuePrefix(shard)}:${queue}:${id}`, 'name')
    for (const [error, name] of (await pipeline.exec()) ?? []) {
      if (error) throw error
      // A job that is gone meanwhile is counted where it went.
      if (name !== null) events += eventsOfJobName(String(name))
    }
  }
  return events
}
