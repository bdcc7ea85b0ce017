--[[ release: ends a turn and gives the line to the next. The tickets taken along are done, like the holder.
ARGV 7 ticket, 8 fence, 9 how many tickets were served in the turn
Returns status 1 released, 2 was released before, 0 stale (nothing changed); then how long the turn lasted (us). ]]
local ticket, fence, served = ARGV[7], ARGV[8], tonumber(ARGV[9])
local done_by = 'released:' .. node -- a repeat may come when other nodes have had turns since

local status, held = 0, 0
local h = call('HMGET', holder, 'ticket', 'fence', 'acquired')
if h[1] == ticket and h[2] == fence then
  status, held = 1, now - h[3]
  local done = call('ZRANGE', taken, 0, -1)
  if #done > 0 then drop(done) end
  if call('HDEL', lent, ticket) == 1 then call('ZREM', alive, ticket) end -- adopted while it was served
  call('DEL', holder)
  if served > 0 then
    local pace = tonumber(call('HGET', record, 'pace') or held / served)
    tally(0, served, 'pace', whole(pace * 0.8 + held / served * 0.2), done_by, fence)
  else
    call('HSET', record, done_by, fence)
    rearm(record)
  end
elseif call('HGET', record, done_by) == fence then
  status = 2
end
reap()
promote()
return answer(status, held)
