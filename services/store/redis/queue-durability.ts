import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { Redis } from '#core/redis/redis.ts'

/** @returns settings that may lose confirmed writes; managed servers may not report all of them */
export async function volatileSettings(shards: QueueShards): Promise<string[]> {
  const servers = new Set(shards.map(({ redis }) => redis))
  const found = await Promise.all([...servers].map(volatileSettingsOf))
  return [...new Set(found.flat())]
}

async function volatileSettingsOf(redis: Redis): Promise<string[]> {
  const eviction = await evictionSettings(redis)
  if (/^aof_enabled:0/m.test(await redis.info('persistence'))) return ['appendonly no', ...eviction]
  const [, policy = 'always'] = (await redis.config('GET', 'appendfsync').catch(() => [])) as string[]
  return policy === 'always' ? eviction : [`appendfsync ${policy}`, ...eviction]
}

/** @returns the setting by which a server deletes keys when its memory is full, if it does */
export async function evictionSettings(redis: Redis): Promise<string[]> {
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory')) ?? []
  return policy === 'noeviction' ? [] : [`maxmemory-policy ${policy}`]
}
