/**
 * Everything that may stop requests, decided and counted in one step. As many are granted as all of it allows, and
 * only those are counted. Of what a window has left then, a small part may be granted in advance: of one that is nearly
 * full, or of a small one, it would be too small to be worth it.
 *
 * KEYS: minute window, plan quota, token spend.
 * ARGV: minute limit, window ms, quota limit, quota ms to live, spend limit nano-USD, most requests in advance,
 * requests; a request limit of 0 and a spend limit below 0 do not apply.
 * ProviderResponse: requests granted, why not the others (1 minute, 2 quota, 3 budget), used in the window, ms to its end, used
 * of the quota, both with the granted ones, spent nano-USD, 0 where no spend limit applies, and requests in advance,
 * which are counted but not among the used ones.
 */
export const limitScript = `
local minuteLimit, windowMs = tonumber(ARGV[1]), ARGV[2]
local quotaLimit, quotaMs = tonumber(ARGV[3]), ARGV[4]
local spendLimit, ahead, granted = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local verdict, minute, quota, spent, leftMs = 0, 0, 0, 0, tonumber(windowMs)
if minuteLimit > 0 then
  minute = tonumber(redis.call('GET', KEYS[1]) or '0')
  if minute > 0 then leftMs = redis.call('PTTL', KEYS[1]) end
  local left = math.max(0, minuteLimit - minute)
  if left < granted then granted, verdict = left, 1 end
end
if quotaLimit > 0 then
  quota = tonumber(redis.call('GET', KEYS[2]) or '0')
  local left = math.max(0, quotaLimit - quota)
  if left < granted then granted, verdict = left, 2 end
end
if spendLimit >= 0 then
  spent = tonumber(redis.call('GET', KEYS[3]) or '0')
  if granted > 0 and spent >= spendLimit then granted, verdict = 0, 3 end
end
if granted > 0 and minuteLimit > 0 then
  minute = redis.call('INCRBY', KEYS[1], granted)
  if minute == granted then redis.call('PEXPIRE', KEYS[1], windowMs) end
end
if granted > 0 and quotaLimit > 0 then
  quota = redis.call('INCRBY', KEYS[2], granted)
  if quota == granted then redis.call('PEXPIRE', KEYS[2], quotaMs) end
end
ahead = math.min(ahead, math.floor((minuteLimit - minute) / 64))
if ahead < 8 then ahead = 0 end
if ahead > 0 then redis.call('INCRBY', KEYS[1], ahead) end
return {granted, verdict, minute, leftMs, quota, spent, ahead}
`
