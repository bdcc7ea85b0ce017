-- Ends a lease of a person.
-- KEYS[1] the person's leases (ZSET: lease, by its end in ms since the epoch)
-- ARGV[1] the lease
-- Returns how many were ended.
return redis.call('ZREM', KEYS[1], ARGV[1])
