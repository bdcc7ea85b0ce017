-- Renews leases of a person, also those that Redis has lost.
-- KEYS[1] the person's leases (ZSET: lease, by its end in ms since the epoch)
-- ARGV[1] how long a lease lasts in ms, [2…] the leases
-- Returns how many were lost.
local time = redis.call('TIME')
local till = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local lost = 0
local most = 500 -- leases in a command: Lua unpacks no more than some thousand values
for from = 2, #ARGV, most do
  local pairs = {}
  for i = from, math.min(from + most - 1, #ARGV) do
    pairs[#pairs + 1] = till
    pairs[#pairs + 1] = ARGV[i]
  end
  lost = lost + redis.call('ZADD', KEYS[1], unpack(pairs))
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return lost
