-- Renews leases of a person, also those that Redis has lost.
-- KEYS[1] the person's leases (ZSET: lease, by its end in ms since the epoch)
-- ARGV[1] how long a lease lasts in ms, [2…] the leases
-- Returns how many were lost.
local time = redis.call('TIME')
local till = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local lost = 0
for i = 2, #ARGV do lost = lost + redis.call('ZADD', KEYS[1], till, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return lost
