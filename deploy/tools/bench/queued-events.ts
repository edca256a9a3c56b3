import { setTimeout as sleep } from 'node:timers/promises'
import { requestEventQueue } from '#shared/pipeline/queue.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'

/** Sums, inside Redis, the events of the waiting batches. */
const countScript = `
local total = 0
for _, id in ipairs(redis.call('LRANGE', KEYS[1] .. ':wait', 0, -1)) do
  local data = redis.call('HGET', KEYS[1] .. ':' .. id, 'data')
  total = total + tonumber(string.match(data, '"count":(%d+)'))
end
return total
`

/** Exceeds the interval at which a proxy ships its events, one second. */
const shippedWithinMs = 2_500

export async function countQueuedEvents(redisQueueUrl: string): Promise<number> {
  await sleep(shippedWithinMs)
  const redis = openQueueConsumer({ redisQueueUrl })
  try {
    return Number(await redis.eval(countScript, 1, `bull:${requestEventQueue}`))
  } finally {
    redis.disconnect()
  }
}
