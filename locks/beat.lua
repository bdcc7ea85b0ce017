--[[ beat: keeps tickets of the calling node alive and tells it about them; without tickets it only reaps and promotes.
ARGV 7 life of a ticket without a beat (us), 8... tickets
Returns status 1, then one letter a ticket: w waits or is taken along, h has a turn (see answer for whether it is
the caller's), a is lent by another node, g gone; us until the present turn's end if the first in line is lent by
the caller (else -1); when the line was last closed (0 never), and the reason. ]]
local deadline = whole(now + ARGV[7])
local tickets, refreshed, marks = {unpack(ARGV, 8)}, {}, {}

if #tickets > 0 then
  local owners = call('HMGET', lent, unpack(tickets))
  local current = call('HGET', holder, 'ticket')
  for i, ticket in ipairs(tickets) do
    marks[i] = ticket == current and 'h' or owners[i] == node and 'w' or owners[i] and 'a' or 'g'
    if owners[i] == node then
      refreshed[#refreshed + 1] = deadline
      refreshed[#refreshed + 1] = ticket
    end
  end
  if #refreshed > 0 then call('ZADD', alive, unpack(refreshed)) end
end
reap()
promote()
rearm(unpack(KEYS))
local wake = -1
local head = call('ZRANGE', waiting, 0, 0)
if head[1] and call('HGET', lent, head[1]) == node then
  wake = call('HGET', holder, 'end') - now
end
local last = call('HMGET', record, 'closed', 'reason')
return answer(1, table.concat(marks), wake, tonumber(last[1] or 0), last[2] or '')
