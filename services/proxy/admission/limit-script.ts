import { budgetParts } from '#schemas/secure-tokens.ts'

/** A lease takes at most a limit's remaining amount divided by this. */
export const leaseDivisor = 64

/** A smaller lease is not worthwhile: this close to a limit, each request is counted individually. */
export const fewestLeased = 8

/**
 * KEYS begin with each window's counter. ARGV: number of windows, number of requests, maximum to lease; then for each
 * window its limit, the ms until it would end if it began now, the amount per request, and an amount to refund first
 * (negative adds).
 */
const readWindows = `
local windows, granted, leased = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local limits, amounts, used, leftMs = {}, {}, {}, {}
for at = 1, windows do
  limits[at], leftMs[at], amounts[at] = tonumber(ARGV[4 * at]), tonumber(ARGV[4 * at + 1]), tonumber(ARGV[4 * at + 2])
  used[at] = tonumber(redis.call('GET', KEYS[at]) or '0')
  if used[at] > 0 then
    leftMs[at] = redis.call('PTTL', KEYS[at])
    local back = math.min(used[at], tonumber(ARGV[4 * at + 3]))
    if back ~= 0 then used[at] = redis.call('DECRBY', KEYS[at], back) end
  end
  if amounts[at] > 0 then
    granted = math.min(granted, math.floor(math.max(0, limits[at] - used[at]) / amounts[at]))
  end
end
`

const countWindows = `
local reply = {granted, 0}
for at = 1, windows do
  local amount = granted * amounts[at]
  if amount > 0 then
    used[at] = redis.call('INCRBY', KEYS[at], amount)
    if used[at] == amount then redis.call('PEXPIRE', KEYS[at], leftMs[at]) end
  end
  leased = math.min(leased, math.floor((limits[at] - used[at]) / ${leaseDivisor}))
  reply[2 * at + 1], reply[2 * at + 2] = used[at], leftMs[at]
end
`

/**
 * Atomically grants and counts as many requests as every limit allows, and leases a small part of large windows.
 * Returns: granted and leased requests, then for each window its usage (including granted, excluding leased requests)
 * and the ms until it ends.
 */
export const limitScript = `${readWindows}${countWindows}
if leased < ${fewestLeased} then return reply end
for at = 1, windows do
  if redis.call('INCRBY', KEYS[at], leased) == leased then redis.call('PEXPIRE', KEYS[at], leftMs[at]) end
end
reply[2] = leased
return reply
`

/**
 * Like `limitScript`, for tokens with a budget or a concurrency limit: grants all requests or none. Without requests,
 * only stores the reporter's state: one proxy's requests of the token in one day. States are absolute, so they may
 * arrive twice or late. When a state expires, its reservation is released and the used part of it counts as spent.
 *
 * KEYS continue with: open requests and reservations (hashes by reporter), spent in the day, spent in the month, and
 * the reservations of the previous and the next day if they are in the same month.
 *
 * ARGV continue with: reporter; how long its state is valid (ms); its open requests, what they have reserved and used,
 * and the cost of its ended requests; the wanted amount and a `Remainder`; the limits (negative: none) of concurrent
 * requests, day and month; the ends of the day and the month; the number of requests. Money is in nano-USD.
 *
 * Returns as above, then: why nothing was reserved (1 too many concurrent requests, 2 reserved by others while more
 * than a sixteenth of the budget is unspent, 3 spent), the reservation, spent in the day, in the month, neither spent
 * nor reserved, open requests of other reporters.
 */
export const reserveScript = `${readWindows}
local base = 4 * windows + 3
local reporter = ARGV[base + 1]
local arg = {}
for at = 2, 13 do arg[at] = tonumber(ARGV[base + at]) end
local leaseMs, open, reserved, inUse, endedCost, wanted, takesRemainder = arg[2], arg[3], arg[4], arg[5], arg[6], arg[7], arg[8]
local maxOpen, dayLimit, monthLimit, dayEnd, monthEnd = arg[9], arg[10], arg[11], arg[12], arg[13]
local openKey, reservationsKey, dayKey, monthKey = KEYS[windows + 1], KEYS[windows + 2], KEYS[windows + 3], KEYS[windows + 4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Requests that outlast their day or month still count in it.
local longestMs = 86400000
local requests, reason, reservation, spentInDay, spentInMonth, left = tonumber(ARGV[base + 14]), 0, 0, 0, 0, 0
local openElsewhere = 0

if maxOpen >= 0 then
  local states = redis.call('HGETALL', openKey)
  for at = 1, #states, 2 do
    local count, expires = string.match(states[at + 1], '(%d+) (%d+)')
    if states[at] ~= reporter then
      if tonumber(expires) > now then openElsewhere = openElsewhere + tonumber(count)
      else redis.call('HDEL', openKey, states[at]) end
    end
  end
  if granted > 0 and openElsewhere + open + requests > maxOpen then granted, reason = 0, 1 end
end

if dayLimit >= 0 or monthLimit >= 0 then
  local function add(key, amount, periodEnd)
    if amount <= 0 then return end
    redis.call('INCRBY', key, string.format('%.0f', amount))
    redis.call('PEXPIREAT', key, periodEnd + longestMs)
  end
  local function spend(amount)
    add(dayKey, amount, dayEnd)
    add(monthKey, amount, monthEnd)
  end
  local function close(key, other, counted)
    redis.call('HSET', key, other, string.format('0 0 %.0f %.0f', counted, now))
  end
  local reservedElsewhere, usedByAll, counted = 0, inUse, 0
  local states = redis.call('HGETALL', reservationsKey)
  for at = 1, #states, 2 do
    local h, u, s, expires = string.match(states[at + 1], '(%d+) (%d+) (%d+) (%d+)')
    if states[at] == reporter then counted = tonumber(s)
    elseif tonumber(h) > 0 and tonumber(expires) > now then reservedElsewhere, usedByAll = reservedElsewhere + tonumber(h), usedByAll + tonumber(u)
    elseif tonumber(h) > 0 then
      spend(tonumber(u))
      close(reservationsKey, states[at], tonumber(s) + tonumber(u))
    end
  end
  spend(endedCost - counted)
  spentInDay = tonumber(redis.call('GET', dayKey) or '0')
  spentInMonth = tonumber(redis.call('GET', monthKey) or '0')
  local unspent, isEarly = math.huge, true
  if dayLimit >= 0 then
    unspent = dayLimit - spentInDay
    isEarly = (unspent - usedByAll) * ${budgetParts} > dayLimit
  end
  if monthLimit >= 0 then
    local ofMonth, usedInMonth = monthLimit - spentInMonth, usedByAll
    for at = windows + 5, #KEYS do
      local adjacent = redis.call('HGETALL', KEYS[at])
      for field = 1, #adjacent, 2 do
        local h, u, s, expires = string.match(adjacent[field + 1], '(%d+) (%d+) (%d+) (%d+)')
        if tonumber(expires) > now then ofMonth, usedInMonth = ofMonth - tonumber(h), usedInMonth + tonumber(u)
        elseif tonumber(h) > 0 then
          add(monthKey, tonumber(u), monthEnd)
          close(KEYS[at], adjacent[field], tonumber(s) + tonumber(u))
          ofMonth, spentInMonth = ofMonth - tonumber(u), spentInMonth + tonumber(u)
        end
      end
    end
    unspent = math.min(unspent, ofMonth)
    isEarly = isEarly and (monthLimit - spentInMonth - usedInMonth) * ${budgetParts} > monthLimit
  end
  left = unspent - reservedElsewhere - reserved
  if wanted > 0 and (granted > 0 or requests == 0) then
    if wanted <= left then reservation = wanted
    elseif left > 0 and (takesRemainder == 2 or (isEarly and (takesRemainder == 1 or (takesRemainder == 0 and left == unspent)))) then reservation = left
    elseif isEarly then granted, reason = 0, 2
    else granted, reason = 0, 3 end
  end
  left = left - reservation
  local total = math.max(endedCost, counted)
  redis.call('HSET', reservationsKey, reporter, string.format('%.0f %.0f %.0f %.0f', reserved + reservation, inUse, total, now + leaseMs))
  redis.call('PEXPIREAT', reservationsKey, dayEnd + longestMs)
end

if maxOpen >= 0 then
  redis.call('HSET', openKey, reporter, string.format('%.0f %.0f', open + granted * requests, now + leaseMs))
  redis.call('PEXPIRE', openKey, leaseMs)
end
${countWindows}
local at = 2 * windows + 2
reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4] = reason, reservation, spentInDay, spentInMonth
reply[at + 5], reply[at + 6] = left, openElsewhere
return reply
`

/** Refunds part of the counts. KEYS: counters. ARGV: the amount for each; negative adds. */
export const refundScript = `
for at = 1, #KEYS do
  local used = tonumber(redis.call('GET', KEYS[at]) or '0')
  if used > 0 then redis.call('DECRBY', KEYS[at], math.min(used, tonumber(ARGV[at]))) end
end
`
