-- Opens a lease of a person, if they have not too many.
-- KEYS[1] the person's leases (ZSET: lease, by its end in ms since the epoch)
-- ARGV[1] the lease, [2] how long it lasts in ms, [3] how many a person may have
-- Returns 1, or 0 when the person has as many already.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. now + ARGV[2], '+inf') -- opened while the clock was ahead; who lives renews it
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
