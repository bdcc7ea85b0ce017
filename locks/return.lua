--[[ return: gives a turn back unserved. The holder and those taken along stand in line again where they stood, so the
next turn is most likely the same ticket's, under a new fence.
ARGV 7 ticket, 8 fence, 9 life of a ticket without a beat (us)
Returns status 1 returned, 2 was given back or released before, 0 stale (nothing changed). ]]
local ticket, fence = ARGV[7], ARGV[8]
local done_by = 'released:' .. node -- as in release

local status = 0
local h = call('HMGET', holder, 'ticket', 'fence', 'arrival', 'node')
if h[1] == ticket and h[2] == fence then
  call('ZADD', waiting, h[3], ticket)
  call('ZADD', alive, whole(now + ARGV[9]), ticket)
  call('HSETNX', lent, ticket, h[4]) -- unless another node lends it by now
  stand_again()
  call('DEL', holder, taken)
  call('HSET', record, done_by, fence)
  rearm(waiting, alive, lent, record)
  status = 1
elseif call('HGET', record, done_by) == fence then
  status = 2
end
reap()
promote()
return answer(status)
