import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { awaitReplicas } from '#core/redis/replication.ts'
import type { QueueRedis, QueueShard } from '#core/redis/queue-shards.ts'
import { hour, second } from '#core/units.ts'

/** How long a stored batch is remembered, s. An older one that a proxy ships again is looked up in ClickHouse. */
const keptSeconds = (3 * hour) / second

/** A batch that is younger than this and not in the ledger was never stored, ms. */
export const rememberedMs = 2 * hour

const Group = z.object({ batchIds: z.array(z.string()), stored: z.boolean() })

export interface BatchGroup {
  id: string
  /** In the order in which their events are inserted. */
  batchIds: string[]
  stored: boolean
}

/**
 * Puts batches into a group, in one step, except those that are in one already: two workers may hold the same batch
 * when one of them only seemed to be dead.
 */
const openScript = `
  local mine = {}
  for at = 2, #KEYS do
    if redis.call('EXISTS', KEYS[at]) == 0 then mine[#mine + 1] = ARGV[at] end
  end
  if #mine == 0 then return '[]' end
  local batchIds = cjson.encode(mine)
  redis.call('SET', KEYS[1], '{"stored":false,"batchIds":' .. batchIds .. '}')
  for at = 2, #KEYS do redis.call('SET', KEYS[at], ARGV[1], 'NX') end
  return batchIds`

/** Another worker may have put the rest into a new group already. */
const forgetScript = `
  redis.call('DEL', KEYS[1])
  for at = 2, #KEYS do
    if redis.call('GET', KEYS[at]) == ARGV[1] then redis.call('DEL', KEYS[at]) end
  end`

/**
 * Which batches are inserted together, recorded in their shard of the queue before the insert. A batch that is delivered
 * again finds its group here, so the same insert is repeated and ClickHouse deduplicates it. An entry stays until its
 * group is stored, however long that takes.
 */
export class GroupLedger {
  readonly #shard: QueueShard
  readonly #redis: QueueRedis

  constructor(shard: QueueShard) {
    this.#shard = shard
    this.#redis = shard.redis
  }

  /** @returns a group of those batches that were in none; `undefined` when all of them were */
  async open(batchIds: readonly string[]): Promise<BatchGroup | undefined> {
    const id = uuidv7()
    const keys = this.#keysOf({ id, batchIds })
    const mine = z
      .array(z.string())
      .parse(JSON.parse(String(await this.#redis.eval(openScript, keys.length, ...keys, id, ...batchIds))))
    return mine.length > 0 ? { id, batchIds: mine, stored: false } : undefined
  }

  /** @returns undefined for a batch that was never part of an insert, or so long ago that it is forgotten */
  async find(batchId: string): Promise<BatchGroup | undefined> {
    const id = await this.#redis.get(this.#batchKey(batchId))
    const text = id && (await this.#redis.get(this.#groupKey(id)))
    return text ? { id, ...Group.parse(JSON.parse(text)) } : undefined
  }

  /** Only a group that every possible master knows may be inserted. @throws Error */
  awaitReplicas(group: BatchGroup): Promise<void> {
    return awaitReplicas(this.#shard, this.#groupKey(group.id))
  }

  async markStored(group: BatchGroup): Promise<void> {
    const transaction = this.#redis.multi()
    transaction.set(this.#groupKey(group.id), JSON.stringify({ stored: true, batchIds: [] }), 'EX', keptSeconds)
    for (const batchId of group.batchIds) transaction.expire(this.#batchKey(batchId), keptSeconds)
    await transaction.exec()
  }

  /** Takes a group apart whose insert can't be repeated, because a batch of it is gone. */
  async forget(group: BatchGroup): Promise<void> {
    const keys = this.#keysOf(group)
    await this.#redis.eval(forgetScript, keys.length, ...keys, group.id)
  }

  #keysOf({ id, batchIds }: { id: string; batchIds: readonly string[] }): string[] {
    return [this.#groupKey(id), ...batchIds.map((batchId) => this.#batchKey(batchId))]
  }

  #batchKey(batchId: string): string {
    return `${this.#shard.tag}sallyport:batch:${batchId}`
  }

  #groupKey(groupId: string): string {
    return `${this.#shard.tag}sallyport:group:${groupId}`
  }
}
