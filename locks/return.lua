--[[ return: gives a turn back unserved. The holder and those taken along stand in line again where they stood, so the
next turn is most likely the same ticket's, under a new fence.
ARGV 7 ticket, 8 fence, 9 life of a ticket without a beat (us)
Returns status 1 returned, 2 was given back or released before, 0 stale (nothing changed). ]]
local ticket, fence = ARGV[7], ARGV[8]
local done_by = 'released:' .. node -- as in release

local status = 0
local h = call('HMGET', holder, 'ticket', 'fence', 'arrival', 'node')
if h[1] == ticket and h[2] == fence then
  local run = call('ZRANGE', taken, 0, -1, 'WITHSCORES')
  for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end
  call('ZADD', waiting, h[3], ticket)
  call('ZADD', alive, whole(now + ARGV[9]), ticket)
  call('HSET', lent, ticket, h[4])
  call('DEL', holder, taken)
  call('HSET', record, done_by, fence)
  rearm()
  status = 1
elseif call('HGET', record, done_by) == fence then
  status = 2
end
reap()
promote()
return answer(status)
