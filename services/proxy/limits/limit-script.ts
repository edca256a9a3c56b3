/**
 * Everything that may stop a request, decided and counted in one step: nothing is counted unless all of it allows.
 *
 * KEYS: minute window, plan quota, token spend.
 * ARGV: minute limit, window ms, quota limit, quota ms to live, spend limit nano-USD; a request limit of 0 and a
 * spend limit below 0 do not apply.
 * Answer: verdict (0 allowed, 1 minute, 2 quota, 3 budget), used in the window, ms to its end, used of the quota.
 */
export const limitScript = `
local minuteLimit, windowMs = tonumber(ARGV[1]), ARGV[2]
local quotaLimit, quotaMs = tonumber(ARGV[3]), ARGV[4]
local spendLimit = tonumber(ARGV[5])
local minute, quota, leftMs = 0, 0, tonumber(windowMs)
if minuteLimit > 0 then
  minute = tonumber(redis.call('GET', KEYS[1]) or '0')
  if minute > 0 then leftMs = redis.call('PTTL', KEYS[1]) end
  if minute >= minuteLimit then return {1, minute, leftMs, quota} end
end
if quotaLimit > 0 then
  quota = tonumber(redis.call('GET', KEYS[2]) or '0')
  if quota >= quotaLimit then return {2, minute, leftMs, quota} end
end
if spendLimit >= 0 and tonumber(redis.call('GET', KEYS[3]) or '0') >= spendLimit then
  return {3, minute, leftMs, quota}
end
if minuteLimit > 0 then
  minute = minute + 1
  if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], windowMs) end
end
if quotaLimit > 0 then
  quota = quota + 1
  if redis.call('INCR', KEYS[2]) == 1 then redis.call('PEXPIRE', KEYS[2], quotaMs) end
end
return {0, minute, leftMs, quota}
`
