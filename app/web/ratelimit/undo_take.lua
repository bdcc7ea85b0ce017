-- Undoes a take from some buckets.
-- KEYS the buckets (STRING: when a bucket is full again, in µs since the epoch)
-- ARGV for each bucket µs until one comes back; 0: the bucket is full again at once
-- Returns 0.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for i, key in ipairs(KEYS) do
  local full = tonumber(redis.call('GET', key) or 0) - ARGV[i]
  if full <= now or ARGV[i] == '0' then
    redis.call('DEL', key)
  else
    redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
  end
end
return 0
