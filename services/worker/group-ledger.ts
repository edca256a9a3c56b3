import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Redis } from '#core/resources.ts'
import { day, second } from '#core/units.ts'

/** Longer than any batch can be on its way; after it, a redelivered batch would count as a new one. */
const keptSeconds = (7 * day) / second

const batchKey = (batchId: string) => `sallyport:batch:${batchId}`
const groupKey = (groupId: string) => `sallyport:group:${groupId}`

const Group = z.object({ batchIds: z.array(z.string()), stored: z.boolean() })

export interface BatchGroup {
  id: string
  /** In the order in which their events are inserted. */
  batchIds: string[]
  stored: boolean
}

/**
 * Which batches were inserted together, written down in the queue's Redis before the insert. A batch that is delivered
 * again finds its group here, so the very same insert is repeated and ClickHouse recognises it.
 */
export class GroupLedger {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async open(batchIds: string[]): Promise<BatchGroup> {
    const group: BatchGroup = { id: uuidv7(), batchIds, stored: false }
    const transaction = this.#redis.multi()
    transaction.set(groupKey(group.id), JSON.stringify({ batchIds, stored: false }), 'EX', keptSeconds)
    for (const batchId of batchIds) transaction.set(batchKey(batchId), group.id, 'EX', keptSeconds)
    await transaction.exec()
    return group
  }

  /** @returns undefined for a batch that was never part of an insert */
  async find(batchId: string): Promise<BatchGroup | undefined> {
    const id = await this.#redis.get(batchKey(batchId))
    const text = id && (await this.#redis.get(groupKey(id)))
    return text ? { id, ...Group.parse(JSON.parse(text)) } : undefined
  }

  async markStored(group: BatchGroup): Promise<void> {
    const record = JSON.stringify({ batchIds: group.batchIds, stored: true })
    await this.#redis.set(groupKey(group.id), record, 'EX', keptSeconds)
  }
}
