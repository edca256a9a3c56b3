import type { Result } from 'ioredis'
import type { Redis } from '#core/redis/redis.ts'
import { day } from '#core/units.ts'

const keptMs = 30 * day

/** About 150 bytes each. Source: product.md 3.8. */
const defaultLimits = { account: 10_000, total: 500_000 }

const prefix = 'object-keys:'
export const objectKeysKey = (accountId: string) => `${prefix}{${accountId}}`

/** All keys of a call share a slot, so in a Redis Cluster each account has its own, and the total is unlimited. */
function sharedKeys(redis: Redis, accountId: string): [accounts: string, counts: string] {
  const tag = 'nodes' in redis ? `:{${accountId}}` : ''
  return [`object-key-accounts${tag}`, `object-key-counts${tag}`]
}

/**
 * Adds members to an account's objects, and drops those that are too old or over a limit: the account's oldest, and all
 * of the accounts that were idle longest. Returns the number of new members.
 * KEYS: objects, accounts by their last use, objects by account. ARGV: prefix, account, now, oldest, limits, members.
 */
const rememberScript = `
local now, oldest, perAccount, total = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local function count(account, objects)
  local before = tonumber(redis.call('HGET', KEYS[3], account) or '0')
  redis.call('HSET', KEYS[3], account, objects)
  if objects == 0 then redis.call('HDEL', KEYS[3], account) end
  return redis.call('HINCRBY', KEYS[3], 'total', objects - before)
end
local added = 0
for at = 7, #ARGV do added = added + redis.call('ZADD', KEYS[1], now, ARGV[at]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', oldest)
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -perAccount - 1)
redis.call('ZADD', KEYS[2], now, ARGV[2])
for at = 1, 3 do redis.call('PEXPIRE', KEYS[at], ARGV[3] - ARGV[4]) end
local sum = count(ARGV[2], redis.call('ZCARD', KEYS[1]))
while true do
  local least = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
  if #least == 0 or (sum <= total and tonumber(least[2]) > oldest) then return added end
  redis.call('ZREM', KEYS[2], least[1])
  redis.call('UNLINK', ARGV[1] .. '{' .. least[1] .. '}')
  sum = count(least[1], 0)
end
`

/** KEYS: accounts by their last use, objects by account. ARGV: account. */
const forgetScript = `
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HINCRBY', KEYS[2], 'total', 0 - (redis.call('HGET', KEYS[2], ARGV[1]) or 0))
redis.call('HDEL', KEYS[2], ARGV[1])
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sallyportForgetObjects(accounts: string, counts: string, accountId: string): Result<null, Context>
    sallyportRememberObjects(...keysAndValues: (string | number)[]): Result<number, Context>
  }
}

export type ObjectKeyStore = ReturnType<typeof createObjectKeyStore>

/** An object at the provider, and the provider key or token that made it. */
interface MadeObject {
  objectId: string
  makerId: string
}

/** Keys and tokens that made objects. One sorted set per account: object and maker, by the time of last use. */
export const createObjectKeyStore = (redis: Redis, limits = defaultLimits) => {
  redis.defineCommand('sallyportRememberObjects', { numberOfKeys: 3, lua: rememberScript })
  redis.defineCommand('sallyportForgetObjects', { numberOfKeys: 2, lua: forgetScript })
  const add = (accountId: string, members: readonly string[], now: number): Promise<number> => {
    const values = [prefix, accountId, now, now - keptMs, limits.account, limits.total, ...members]
    return redis.sallyportRememberObjects(objectKeysKey(accountId), ...sharedKeys(redis, accountId), ...values)
  }
  return {
    async remember(accountId: string, made: readonly MadeObject[], now = Date.now()): Promise<void> {
      await add(accountId, made.map(memberOf), now)
    },

    /** Records that the usage of an object was counted. @returns false if it was recorded before */
    addUsage: async (accountId: string, objectId: string, now = Date.now()): Promise<boolean> =>
      (await add(accountId, [memberOf({ objectId, makerId: 'usage' })], now)) === 1,

    /** Makes room for the objects of others. */
    async forget(accountId: string): Promise<void> {
      await redis.sallyportForgetObjects(...sharedKeys(redis, accountId), accountId)
      await redis.unlink(objectKeysKey(accountId))
    },

    /** @returns the maker of the first object that is known */
    async find(
      accountId: string,
      makerIds: readonly string[],
      objectIds: readonly string[],
      now = Date.now(),
    ): Promise<string | undefined> {
      const candidates = objectIds.flatMap((objectId) => makerIds.map((makerId) => ({ objectId, makerId })))
      const times = await redis.zmscore(objectKeysKey(accountId), ...candidates.map(memberOf))
      return candidates.find((_, at) => Number(times[at] ?? 0) > now - keptMs)?.makerId
    },
  }
}

const memberOf = ({ objectId, makerId }: MadeObject) => `${objectId}:${makerId}`
