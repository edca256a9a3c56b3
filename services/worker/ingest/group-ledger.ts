import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Redis } from '#core/redis/redis.ts'
import { awaitReplicas } from '#core/redis/replication.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { hour, second } from '#core/units.ts'

/** How long a stored batch is remembered, s. An older batch that is shipped again is looked up in ClickHouse. */
const keptSeconds = (3 * hour) / second

/** A batch younger than this that is not in the ledger was never stored, ms. */
export const rememberedMs = 2 * hour

/** Batches are in the order of their rows in the insert. */
const Group = z.object({ batchIds: z.array(z.string()), stored: z.boolean() })

export type BatchGroup = z.infer<typeof Group> & { id: string }

/**
 * Puts batches into a group atomically, except those that are already in one: two workers may have the same batch if
 * one of them only seemed dead.
 */
const openScript = `
  local new = {}
  for at = 2, #KEYS do
    if redis.call('EXISTS', KEYS[at]) == 0 then new[#new + 1] = ARGV[at] end
  end
  if #new == 0 then return '[]' end
  local batchIds = cjson.encode(new)
  redis.call('SET', KEYS[1], '{"stored":false,"batchIds":' .. batchIds .. '}')
  for at = 2, #KEYS do redis.call('SET', KEYS[at], ARGV[1], 'NX') end
  return batchIds`

/**
 * Another worker may have stored the group meanwhile, so that its batches are gone, or may already have put the other
 * batches into a new group.
 */
const forgetScript = `
  local group = redis.call('GET', KEYS[1])
  if group and cjson.decode(group).stored then return 0 end
  redis.call('DEL', KEYS[1])
  for at = 2, #KEYS do
    if redis.call('GET', KEYS[at]) == ARGV[1] then redis.call('DEL', KEYS[at]) end
  end
  return 1`

/**
 * Records which batches are inserted together, before the insert and in their shard. If a batch is delivered again, the
 * same insert is repeated and ClickHouse deduplicates it. An entry stays until its group is stored.
 */
export class GroupLedger {
  readonly #shard: QueueShard
  readonly #redis: Redis

  constructor(shard: QueueShard) {
    this.#shard = shard
    this.#redis = shard.redis
  }

  /** @returns a group of the batches that were in none; undefined if there are none */
  async open(batchIds: readonly string[]): Promise<BatchGroup | undefined> {
    const id = uuidv7()
    const keys = this.#keysOf({ id, batchIds })
    const opened = String(await this.#redis.eval(openScript, keys.length, ...keys, id, ...batchIds))
    const group = { id, stored: false, batchIds: Group.shape.batchIds.parse(JSON.parse(opened)) }
    return group.batchIds.length > 0 ? group : undefined
  }

  /** @returns undefined for a batch that was never part of an insert, or whose entry has expired */
  async find(batchId: string): Promise<BatchGroup | undefined> {
    const id = await this.#redis.get(this.#batchKey(batchId))
    const text = id && (await this.#redis.get(this.#groupKey(id)))
    return text ? { id, ...Group.parse(JSON.parse(text)) } : undefined
  }

  /** A group may be inserted only once every possible master knows it. @throws Error */
  awaitReplicas(group: BatchGroup): Promise<void> {
    return awaitReplicas(this.#shard, this.#groupKey(group.id))
  }

  /** @returns true if no worker had marked it before */
  async markStored(group: BatchGroup): Promise<boolean> {
    const transaction = this.#redis.multi()
    transaction.set(this.#groupKey(group.id), JSON.stringify({ stored: true, batchIds: [] }), 'EX', keptSeconds, 'GET')
    for (const batchId of group.batchIds) transaction.expire(this.#batchKey(batchId), keptSeconds)
    const [marked] = (await transaction.exec()) ?? []
    const before = marked?.[1]
    return typeof before === 'string' && !Group.parse(JSON.parse(before)).stored
  }

  /**
   * Dissolves a group whose insert can't be repeated, because one of its batches no longer exists.
   * @returns false if it has been stored
   */
  async forget(group: BatchGroup): Promise<boolean> {
    const keys = this.#keysOf(group)
    return (await this.#redis.eval(forgetScript, keys.length, ...keys, group.id)) === 1
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
