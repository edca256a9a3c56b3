/**
 * Grants and counts as many requests as every limit allows, in one step, and prefetches a small part of a large window.
 * KEYS and ARGV: `LimitTerms`, then the number of requests; a request limit of 0 and a spend limit below 0 do not apply.
 * Returns: `LimitReply`. The used counts include the granted requests, but not the prefetched ones.
 */
export const limitScript = `
local minuteLimit, windowMs = tonumber(ARGV[1]), ARGV[2]
local quotaLimit, quotaMs = tonumber(ARGV[3]), ARGV[4]
local spendLimit, prefetched, granted = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
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
prefetched = math.min(prefetched, math.floor((minuteLimit - minute) / 64))
if prefetched < 8 then prefetched = 0 end
if prefetched > 0 then redis.call('INCRBY', KEYS[1], prefetched) end
return {granted, verdict, minute, leftMs, quota, spent, prefetched}
`

/** Uncounts one request. KEYS: minute window, plan quota. ARGV: 1 or 0 for each of them. */
export const refundScript = `
for at = 1, 2 do
  if ARGV[at] == '1' and tonumber(redis.call('GET', KEYS[at]) or '0') > 0 then redis.call('DECR', KEYS[at]) end
end
`
