--[[ Stands in front of every operation of a client with a fallback. A call that lay in a connection while Redis stood
still must not act late: since then its node has given it up, and may have served the tickets by itself.
The last of ARGV, taken off here: when the call expires (us of Redis' clock), or 0.
Returns status -2 and the time if it has. ]]
local expiry = tonumber(table.remove(ARGV))
if expiry > 0 then
  clock = redis.call('TIME')
  local moment = clock[1] * 1000000 + clock[2]
  if moment > expiry then return {-2, moment, 0, 0, {}} end
end
