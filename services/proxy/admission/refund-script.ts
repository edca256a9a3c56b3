/**
 * Takes one request back from what was counted. A window that has started anew since then is left alone.
 *
 * KEYS: minute window, plan quota.
 * ARGV: 1 or 0 for each of them.
 */
export const refundScript = `
for at = 1, 2 do
  if ARGV[at] == '1' and tonumber(redis.call('GET', KEYS[at]) or '0') > 0 then redis.call('DECR', KEYS[at]) end
end
`
