-- The scripts of the record store. In every script KEYS[1] is
-- the prefix of the hashes and KEYS[2] that of the sorted sets; both are of one kind.

-- ## forget
local function forget(place, id)
  local row = KEYS[1] .. place .. ':' .. id
  local whose = redis.call('HMGET', row, 'tenant', 'owner')
  if whose[1] then
    redis.call('ZREM', KEYS[2] .. 'tenant:' .. whose[1], place .. ':' .. id)
    redis.call('ZREM', KEYS[2] .. 'owner:' .. whose[2], place .. ':' .. id)
  end
  redis.call('ZREM', KEYS[2] .. 'at:' .. place, id)
  redis.call('ZREM', KEYS[2] .. 'all', place .. ':' .. id)
  redis.call('DEL', row .. ':order')
  return redis.call('DEL', row)
end

-- ## sort
-- Moves a record in the sorted sets to its time. With a lifetime in milliseconds, it and the sets end that much later;
-- the set of all stays (earlier versions let it end), for `purge` to count what has ended.
local function sort(place, id, tenant, owner, time, lifetime)
  local row = KEYS[1] .. place .. ':' .. id
  local sets = {'at:' .. place, 'owner:' .. owner, 'tenant:' .. tenant, 'all'}
  for i, set in ipairs(sets) do
    redis.call('ZADD', KEYS[2] .. set, time, i == 1 and id or place .. ':' .. id)
    if lifetime > 0 and set ~= 'all' then
      redis.call('ZREMRANGEBYSCORE', KEYS[2] .. set, '-inf', tonumber(time) - lifetime * 1000)
      redis.call('PEXPIRE', KEYS[2] .. set, lifetime)
    end
  end
  if lifetime > 0 then
    redis.call('PERSIST', KEYS[2] .. 'all')
    redis.call('PEXPIRE', row, lifetime)
    redis.call('PEXPIRE', row .. ':order', lifetime)
  end
end

-- ## store
-- ARGV: place, id, tenant, owner, time, sealed, revision, sealed name of the owner, lifetime, two of the script's own,
-- then names and bytes of parts.
local place, id = ARGV[1], ARGV[2]
local row = KEYS[1] .. place .. ':' .. id
local function store()
  redis.call('HSET', row, 'tenant', ARGV[3], 'owner', ARGV[4], 'created', ARGV[5], 'sealed', ARGV[6])
  redis.call('HSET', row, 'revision', ARGV[7], 'owner_name', ARGV[8])
  for i = 12, #ARGV, 2 do
    redis.call('HSET', row, ARGV[i], ARGV[i + 1])
    redis.call('ZADD', row .. ':order', ARGV[7], ARGV[i])
  end
  sort(place, id, ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[9]))
end

-- ## put
-- ARGV[10] is how many records a place holds at most, 0 for no limit. The new one stays even if its clock lags behind.
forget(place, id)
store()
local limit, gone = tonumber(ARGV[10]), 0
local surplus = limit > 0 and redis.call('ZCARD', KEYS[2] .. 'at:' .. place) - limit or 0
if surplus > 0 then
  for _, old in ipairs(redis.call('ZRANGE', KEYS[2] .. 'at:' .. place, 0, surplus)) do
    if old ~= id and surplus > 0 then
      gone = gone + forget(place, old)
      surplus = surplus - 1
    end
  end
end
return gone

-- ## update
-- ARGV[10] is the expected revision, 0 for nothing; ARGV[11] the moment since which records live. Earlier versions
-- wrote no revision.
local there = redis.call('HMGET', row, 'revision', 'created')
local is_live = there[2] and tonumber(there[2]) > tonumber(ARGV[11])
local revision = is_live and (there[1] or '1') or '0'
if revision == '0' and ARGV[10] ~= '0' then return 'gone' end
if revision ~= ARGV[10] then return 'overtaken' end
if revision == '0' then forget(place, id) end
store()
return 'stored'

-- ## read
-- ARGV: place, id, moment since which records live, revision after which parts are wanted, time of use or 0, lifetime.
local row = KEYS[1] .. ARGV[1] .. ':' .. ARGV[2]
local there = redis.call('HMGET', row, 'tenant', 'owner', 'created', 'sealed', 'revision', 'owner_name')
if not there[1] or tonumber(there[3]) <= tonumber(ARGV[3]) then return false end
local parts = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', row .. ':order', '(' .. ARGV[4], '+inf')) do
  parts[#parts + 1] = name
  parts[#parts + 1] = redis.call('HGET', row, name)
end
if ARGV[5] ~= '0' then
  redis.call('HSET', row, 'created', ARGV[5])
  sort(ARGV[1], ARGV[2], there[1], there[2], ARGV[5], tonumber(ARGV[6]))
end
return {there, parts}

-- ## read_many
-- ARGV: places and ids, one after the other.
local records = {}
for i = 1, #ARGV, 2 do
  local row = KEYS[1] .. ARGV[i] .. ':' .. ARGV[i + 1]
  records[#records + 1] = redis.call('HMGET', row, 'tenant', 'owner', 'created', 'sealed', 'revision', 'owner_name')
end
return records

-- ## delete
-- ARGV: a sorted set in which the records may stand although they are gone, then places and ids.
local gone = 0
for i = 2, #ARGV, 2 do
  gone = gone + forget(ARGV[i], ARGV[i + 1])
  redis.call('ZREM', ARGV[1], ARGV[i] .. ':' .. ARGV[i + 1])
end
return gone

-- ## migrate_sessions
-- Takes over the research sessions of earlier versions, which had keys of their own: a hash and `:order` each, a set for
-- each owner, a hash of owners for each tenant, and one set of all. ARGV[1] is their prefix.
local live = ARGV[1] .. 's:live'
if redis.call('EXISTS', live) == 0 then return 0 end
local owners, old, moved = {}, {live}, 0
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. 's:tenant:*')) do
  local names = redis.call('HGETALL', key)
  for i = 1, #names, 2 do owners[names[i]] = {string.sub(key, #ARGV[1] + #'s:tenant:' + 1), names[i + 1]} end
  old[#old + 1] = key
end
for _, key in ipairs(redis.call('ZRANGE', live, 0, -1)) do
  local owner, id = string.match(string.sub(key, #ARGV[1] + 2), '^([^:]+):([^:]+)$')
  local whose = owner and owners[owner]
  local there = redis.call('HMGET', key, 'used', 'head')
  if whose and there[1] then
    local row, left = KEYS[1] .. owner .. ':' .. id, redis.call('PTTL', key)
    redis.call('RENAME', key, row)
    if redis.call('EXISTS', key .. ':order') == 1 then redis.call('RENAME', key .. ':order', row .. ':order') end
    redis.call('HSET', row, 'tenant', whose[1], 'owner', owner, 'owner_name', whose[2])
    redis.call('HSET', row, 'created', there[1], 'sealed', there[2])
    redis.call('HDEL', row, 'used', 'head')
    for i, set in ipairs({'at:' .. owner, 'owner:' .. owner, 'tenant:' .. whose[1], 'all'}) do
      redis.call('ZADD', KEYS[2] .. set, there[1], i == 1 and id or owner .. ':' .. id)
      if i < 4 and redis.call('PTTL', KEYS[2] .. set) < left then redis.call('PEXPIRE', KEYS[2] .. set, left) end
    end
    moved = moved + 1
  end
  if owner then old[#old + 1] = ARGV[1] .. 's:' .. owner end
end
for _, key in ipairs(old) do redis.call('DEL', key) end
return moved
