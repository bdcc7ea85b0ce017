--[[ return: gives a turn back unserved. The holder and the tickets taken along go back to their places in line, so the
next turn is most likely the same ticket's, under a new fence.
ARGV 8 ticket, 9 fence, 10 life of a ticket without a beat (us)
Returns status 1 returned, 2 was given back or released before, 0 stale (nothing changed). ]]
local ticket, fence = ARGV[8], ARGV[9]
local done_by = 'released:' .. node -- as in release

local status = 0
each_line(function()
  local h = call('HMGET', holder, 'ticket', 'fence', 'arrival', 'node', 'session')
  if h[1] == ticket and h[2] == fence then
    call('ZADD', waiting, h[3], ticket)
    call('ZADD', alive, format_int(now + ARGV[10]), ticket)
    call('HSETNX', owners, ticket, owner_value(h[4], h[5])) -- unless another node owns it by now
    requeue_taken()
    clear_holder(taken)
    call('HSET', record, done_by, fence)
    renew_life(waiting, alive, owners, work, record)
    status = 1
  elseif status == 0 and call('HGET', record, done_by) == fence then
    status = 2
  end
  reap()
end)
promote()
return answer(status)
