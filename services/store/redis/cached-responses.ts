import type { Result } from 'ioredis'
import type { Redis } from '#core/redis/redis.ts'

export const cachedResponsePrefix = (accountId: string) => `cache:{${accountId}}:`

/** Limits and budgets need the rest of the server's memory: without any, they can't be counted. */
const usableMemory = 0.5

const storeScript = `
local memory = redis.call('INFO', 'memory')
local used, max = memory:match('used_memory:(%d+)'), memory:match('maxmemory:(%d+)')
if tonumber(max) > 0 and tonumber(used) > max * ARGV[3] then return end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sallyportStoreResponse(key: string, response: Buffer, seconds: number, usable: number): Result<null, Context>
  }
}

/** @returns a function that stores a response, unless the server has no room for it */
export function createResponseWriter(redis: Redis) {
  redis.defineCommand('sallyportStoreResponse', { numberOfKeys: 1, lua: storeScript })
  return (key: string, response: Buffer, seconds: number) =>
    redis.sallyportStoreResponse(key, response, seconds, usableMemory)
}
