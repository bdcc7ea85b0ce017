-- Ends a lock, and publishes that.
-- KEYS[1] the lock. ARGV[1] the token of its holder, ARGV[2] the channel; empty: nothing is published.
-- Returns 1, or 0 where the caller has the lock no longer.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
if ARGV[2] ~= '' then
  redis.call('PUBLISH', ARGV[2], '')
end
return 1
