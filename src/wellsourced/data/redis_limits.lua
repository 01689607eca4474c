-- Charges every limit of a request, or none.
-- KEYS: one a limit. ARGV: calls, then for each limit: interval (0 for a day's), most, count known here, day it is of.
-- Known counts matter after Redis was away or has lost its own. Answer: which refused, wait, day, counts.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local today = math.floor(time[1] / 86400)
local calls = tonumber(ARGV[1])
local refused, longest, after, counts = 0, 0, {}, {}
for i, key in ipairs(KEYS) do
  local interval, most = tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1])
  local kept, wait = tonumber(redis.call('GET', key) or 0), 0
  if interval > 0 then
    local begin = math.max(now, math.min(kept, now + most * interval))
    after[i], counts[i] = begin + calls * interval, 0
    wait = after[i] - now - most * interval
  else
    if tonumber(ARGV[4 * i + 1]) == today then kept = math.max(kept, tonumber(ARGV[4 * i])) end
    after[i], counts[i] = kept + calls, kept
    if after[i] > most then wait = (today + 1) * 86400000000 - now end
  end
  if wait > longest then refused, longest = i, wait end
end
if refused == 0 then
  for i, key in ipairs(KEYS) do
    local ends = (today + 1) * 86400000
    if tonumber(ARGV[4 * i - 2]) > 0 then ends = math.ceil(after[i] / 1000) else counts[i] = after[i] end
    redis.call('SET', key, string.format('%.0f', after[i]))
    redis.call('PEXPIREAT', key, string.format('%.0f', ends))
  end
end
return {refused, longest, today, counts}
