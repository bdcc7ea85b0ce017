--[[ beat: keeps tickets of the calling node alive and reports on each; without tickets it only reaps and promotes.
ARGV 8 life of a ticket without a beat (us), 9 arrival of any ticket that the caller knows of in the line or 0, 10 how
long to wait for older tickets after a loss of data (us), 11... tickets
Returns status 1, then one letter a ticket: w waits or is taken along, h has a turn (see answer for whether it is
the caller's), a is owned by another node, g gone, l gone because Redis lost data: restore it; us until the turn may
fall to the first in line if the caller owns that ticket (else -1); when the line was last closed (0 never), and the
reason. ]]
local deadline = format_int(now + ARGV[8])
local tickets, marks = {unpack(ARGV, 11)}, {}

local function mark_tickets()
  local owner_values, refreshed = call('HMGET', owners, unpack(tickets)), {}
  local h = call('HMGET', holder, 'ticket', 'session', 'end')
  local turn_of = h[1] and h[2] == session and tonumber(h[3]) > now and h[1]
  local lost = settling() and 'l' or 'g'
  for i, ticket in ipairs(tickets) do
    local owner = owner_of(owner_values[i])
    local mark = ticket == turn_of and 'h' or owner == node and 'w' or owner and 'a' or lost
    if owner == node then
      refreshed[#refreshed + 1] = deadline
      refreshed[#refreshed + 1] = ticket
    end
    if not marks[i] or mark == 'g' or marks[i] ~= 'g' and mark == 'l' then marks[i] = mark end
  end
  if #refreshed > 0 then call('ZADD', alive, 'GT', unpack(refreshed)) end -- a parked ticket lives longer
end

each_line(function()
  detect_loss(ARGV[9], tonumber(ARGV[10]))
  if #tickets > 0 then mark_tickets() end
  reap()
end)
if lines > 1 then -- gone from one of its lines, it is gone from all
  for i, ticket in ipairs(tickets) do
    if marks[i] == 'g' then each_line(function() drop({ticket}) end) end
  end
end
promote()
local wake, closed, reason = -1, 0, ''
each_line(function()
  renew_life(unpack(KEYS))
  local head = call('ZRANGE', waiting, 0, 0)
  local r = call('HMGET', record, 'closed', 'reason')
  if head[1] and owner_of(call('HGET', owners, head[1])) == node then
    local till = tonumber(call('HGET', holder, 'end') or load_record().till)
    if till > now then wake = math.max(wake, till - now) end
  end
  if tonumber(r[1] or 0) > closed then closed, reason = tonumber(r[1]), r[2] end
end)
return answer(1, table.concat(marks), wake, closed, reason)
