-- Ends a caller's fair lock, or the place in its queue, and wakes the first who waits if the lock is free.
-- KEYS[1] the lock, KEYS[2] its queue, KEYS[3] the deadlines of those in the queue.
-- ARGV[1] the caller, ARGV[2] what the channels of those who wait begin with.
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then
  redis.call('DEL', KEYS[1])
  holder = false
elseif redis.call('HDEL', KEYS[3], ARGV[1]) == 1 then
  redis.call('LREM', KEYS[2], 1, ARGV[1])
end
local first = redis.call('LINDEX', KEYS[2], 0)
if first and not holder then
  redis.call('PUBLISH', ARGV[2] .. first, '')
end
return 0
