/**
 * Adds to a token's spending what a proxy has not told of its part yet. It tells its own total, not what is new: told
 * twice, or late, it counts once.
 *
 * KEYS: token spend, totals of the proxies.
 * ARGV: whose total, the total in nano-USD, when both keys expire (ms since 1970).
 * ProviderResponse: token spend, all proxies together.
 */
export const spendScript = `
local more = tonumber(ARGV[2]) - tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
if more <= 0 then return tonumber(redis.call('GET', KEYS[1]) or '0') end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PEXPIREAT', KEYS[2], ARGV[3])
local spent = redis.call('INCRBY', KEYS[1], more)
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return spent
`
