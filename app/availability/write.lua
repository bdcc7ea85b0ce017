-- Stores what was read of a restaurant's date, slot by slot: a slot keeps the value of a newer reading, and the date its time
-- to live.
-- KEYS[1] occupancy of the date (HASH: time -> "version capacity held onHold closed"; '-' is there once all of it was stored)
-- ARGV[1] version of the reading, [2] time to live in ms, 0: only some slots were read, the date ends as it would have;
-- then two a slot: its time, its value without the version
-- Returns how many were stored; -1, and stores nothing, for some slots of a date that is not there or in which somebody waits.
local version, stored = tonumber(ARGV[1]), 0
if ARGV[2] == '0' then
  local built = redis.call('HGET', KEYS[1], '-')
  if not built or string.find(built, 'waited', 1, true) then
    return -1
  end
end
for i = 3, #ARGV, 2 do
  local old = redis.call('HGET', KEYS[1], ARGV[i])
  if not old or tonumber(string.match(old, '^%d+')) <= version then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[1] .. ' ' .. ARGV[i + 1])
    stored = stored + 1
  end
end
if stored > 0 and ARGV[2] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return stored
