-- Takes a fair lock, or a place in its queue. Those at its head whose time is over are passed by.
-- KEYS[1] the lock, KEYS[2] its queue, KEYS[3] the deadlines of those in the queue.
-- ARGV[1] the caller; in ms: ARGV[2] for how long the lock is taken, ARGV[3] the time, ARGV[4] the caller's deadline.
-- Returns 1 when the caller has the lock, else 0.
local first = redis.call('LINDEX', KEYS[2], 0)
while first and first ~= ARGV[1] and tonumber(redis.call('HGET', KEYS[3], first) or 0) <= tonumber(ARGV[3]) do
  redis.call('LPOP', KEYS[2])
  redis.call('HDEL', KEYS[3], first)
  first = redis.call('LINDEX', KEYS[2], 0)
end
if (not first or first == ARGV[1]) and redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if first then
    redis.call('LPOP', KEYS[2])
    redis.call('HDEL', KEYS[3], first)
  end
  return 1
end
if redis.call('HSETNX', KEYS[3], ARGV[1], ARGV[4]) == 1 then
  redis.call('RPUSH', KEYS[2], ARGV[1])
end
return 0
