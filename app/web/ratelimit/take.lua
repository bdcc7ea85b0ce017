-- Takes one from each of some buckets, or none from any of them.
-- KEYS the buckets (STRING: when a bucket is full again, in µs since the epoch)
-- ARGV for each bucket: how many it holds, and µs until one comes back
-- Returns 0, or in how many µs all of them have one.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full, wait = {}, 0
-- No bucket is full later than so: one that says it is was used while the clock was ahead.
local function read(key, latest)
  local full = tonumber(redis.call('GET', key) or 0)
  if full <= latest then return full end
  redis.call('SET', key, string.format('%.0f', latest), 'PX', math.ceil((latest - now) / 1000))
  return latest
end
for i, key in ipairs(KEYS) do
  local burst, every = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  full[i] = math.max(read(key, now + burst * every), now) + every
  wait = math.max(wait, full[i] - now - burst * every)
end
if wait > 0 then return math.ceil(wait) end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f', full[i]), 'PX', math.ceil((full[i] - now) / 1000))
end
return 0
