--[[ beat: says that the calling node is alive, and reports on its tickets. Without tickets it only looks after the line.
ARGV 10 arrival of any ticket that the caller knows of in the line or 0, 11 1 if the node has tickets here, 12... tickets
Returns status 1, then one letter a ticket: w waits or is taken along, h has a turn (see answer for whether it is
the caller's), a is owned by another node, g gone, l gone because Redis lost data: restore it; us until the turn may
fall to the first in line if the caller may serve that ticket (else -1); when the line was last closed (0 never), and
the reason; how many stand in line, the holder included. ]]
local ids, marks = {unpack(ARGV, 12)}, {}

local function mark_tickets()
  local values = call('HMGET', tickets, unpack(ids))
  local turn_of = r.ticket and r.session == session and tonumber(r['end']) > now and r.ticket
  local lost = settling() and 'l' or 'g'
  for i, ticket in ipairs(ids) do
    local owner = values[i] and read_ticket(values[i])
    local mark = ticket == turn_of and 'h' or owner == node and 'w' or owner and 'a' or lost
    if not marks[i] or mark == 'g' or marks[i] ~= 'g' and mark == 'l' then marks[i] = mark end
  end
end

each_line(function()
  detect_loss(ARGV[10])
  if ARGV[11] == '1' then keep_node() end
  if #ids > 0 then mark_tickets() end
  reap()
  end_await()
end)
if lines > 1 then -- gone from one of its lines, it is gone from all
  for i, ticket in ipairs(ids) do
    if marks[i] == 'g' then
      each_line(function()
        local arrival = call('ZSCORE', waiting, ticket)
        if not arrival then return end
        call('ZREM', waiting, ticket)
        lose(ticket, arrival)
      end)
    end
  end
end
promote()
local wake, closed, reason, standing = -1, 0, '', 0
each_line(function()
  local head = call('ZRANGE', waiting, 0, 0)
  if head[1] then
    local owner = read_ticket(call('HGET', tickets, head[1]))
    local till = tonumber(r.ticket and r['end'] or goes_on())
    if till > now and (owner == node or adopts and not beats(owner)) then wake = math.max(wake, till - now) end
  end
  standing = standing + #head + (r.ticket and 1 or 0)
  local c = call('HMGET', record, 'closed', 'reason')
  if tonumber(c[1] or 0) > closed then closed, reason = tonumber(c[1]), c[2] end
end)
return answer(1, table.concat(marks), wake, closed, reason, standing)
