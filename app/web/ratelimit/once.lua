-- Takes one from a bucket for something new, and one from the bucket for repeats for what was marked before.
-- KEYS[1] the mark of what is counted, [2] the bucket, [3] the bucket for repeats
-- ARGV[1] how long a mark lives in ms, [2], [3] how many the bucket holds, and µs until one comes back, [4], [5] for repeats
-- Returns 0, or in how many µs the bucket has one.
local isNew = redis.call('SET', KEYS[1], '', 'PX', ARGV[1], 'NX')
local at = isNew and 2 or 3
local key, burst, every = KEYS[at], tonumber(ARGV[2 * at - 2]), tonumber(ARGV[2 * at - 1])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full, latest = tonumber(redis.call('GET', key) or 0), now + burst * every
if full > latest then -- as in take
  full = latest
  redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
end
full = math.max(full, now) + every
local wait = full - now - burst * every
if wait > 0 then
  if isNew then redis.call('DEL', KEYS[1]) end
  return math.ceil(wait)
end
redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
if not isNew then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return 0
