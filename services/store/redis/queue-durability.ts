import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { Redis } from '#core/redis/redis.ts'

/** @returns settings that may lose confirmed writes in a crash; managed servers may not report all of them */
export async function volatileSettings(shards: QueueShards): Promise<string[]> {
  const servers = new Set(shards.map(({ redis }) => redis))
  const found = await Promise.all([...servers].map(volatileSettingsOf))
  return [...new Set(found.flat())]
}

async function volatileSettingsOf(redis: Redis): Promise<string[]> {
  if (/^aof_enabled:0/m.test(await redis.info('persistence'))) return ['appendonly no']
  const [, policy = 'always'] = (await redis.config('GET', 'appendfsync').catch(() => [])) as string[]
  return policy === 'always' ? [] : [`appendfsync ${policy}`]
}
