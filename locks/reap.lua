--[[ Prelude, 2 of 3: which nodes are alive; reap ends a turn past its lease; detect_loss notices that Redis lost a line.
`reaped` counts the tickets that nobody could serve, `lapsed` says what ended: 1 a lease, 2 a claim window. ]]
-- A line's nodes are one text, \31 node \30 deadline \31 node \30 deadline \31. A deadline is negative if the node
-- serves no orphans.
local function deadline_of(name)
  local _, at = string.find(r.nodes or '', '\31' .. name .. '\30', 1, true)
  return at and tonumber(string.match(r.nodes, '^[^\31]+', at + 1)) or 0
end
local function beats(name) return name == node or math.abs(deadline_of(name)) > now end

-- Who serves an orphan: the caller, else the node that beat last; nil if there is none.
local function adopter()
  if adopts then return node end
  local best, latest = nil, now
  for name, deadline in string.gmatch(r.nodes or '', '([^\30\31]+)\30([^\31]+)') do
    if tonumber(deadline) > latest then best, latest = name, tonumber(deadline) end
  end
  return best
end

-- No wait ends later than so: one that says it does was begun while the clock was ahead.
local longest_wait = 2 * (pause + node_life + claim_window)
local function settling()
  local till = tonumber(r['until'] or 0)
  return till > now and till <= now + longest_wait
end

local function wait_until(till)
  if till <= now then return end
  if r.awaits == '1' then set('awaits', '') end
  if not settling() or till > tonumber(r['until']) then set('until', format_int(till)) end
end

-- A node that takes places says only when half of its life is over that it is alive. So it may have been heard of, in another
-- call, that long after what its deadline says, and is remembered so much longer.
local memory = node_life / 2

-- Whether another node has been silent for more than a beat, and not for so long that it cannot have been cut off with the
-- calling one: its tickets may stand in its memory.
local function misses_a_node()
  for name, deadline in string.gmatch(r.nodes or '', '([^\30\31]+)\30([^\31]+)') do
    local left = math.abs(deadline) - now
    if name ~= node and left > -memory and node_life - left > pause * 0.8 then return true end
  end
  return false
end

-- A line without a turn waits for such a node, until it is heard of, for a while at most.
local function await_nodes()
  if r.ticket or settling() or not misses_a_node() then return end
  set('until', format_int(now + pause), 'awaits', '1')
end
local function end_await()
  if r.awaits == '1' and not misses_a_node() then set('until', now_text, 'awaits', '') end
end

-- Notes that the calling node is alive, and forgets those that have been dead for a while. When all of several are late and tickets wait, Redis stood
-- still: nobody gets a turn for a while, so that the others come back before they count as dead.
local function keep_node()
  local list = '\31' .. node .. '\30' .. (adopts and '' or '-') .. format_int(now + node_life) .. '\31'
  local others, late = 0, deadline_of(node) ~= 0 and math.abs(deadline_of(node)) <= now
  for name, deadline in string.gmatch(r.nodes or '', '([^\30\31]+)\30([^\31]+)') do
    if name ~= node then
      others = others + 1
      if math.abs(deadline) > now - memory then list = list .. name .. '\30' .. deadline .. '\31' end
      if math.abs(deadline) > now then late = false end
    end
  end
  set('nodes', list)
  if late and others > 0 and call('EXISTS', waiting) == 1 then wait_until(now + pause) end
end
local function keep_node_if_due()
  if math.abs(deadline_of(node)) < now + node_life / 2 then keep_node() end
end

-- Moves the share of tickets that go unserved (left is 1, or 0 for the served).
local function update_share(left, n)
  local share = tonumber(r.share or 0)
  set('share', string.format('%.6f', left + (share - left) * 0.98 ^ n))
end

-- A ticket without work, whose node is dead, can be served by nobody.
local function lose(ticket, arrival)
  call('HDEL', tickets, ticket)
  write_log('lost ' .. arrival)
  reaped = reaped + 1
  update_share(1, 1)
end

local function free_line() set('ticket', '') r.ticket = nil end

-- Notes that tickets up to an arrival may have been served in a turn of which the line has not heard the end, or has
-- forgotten it.
local function note_doubt(arrival)
  if tonumber(arrival) > tonumber(r.doubt or 0) then set('doubt', format_int(tonumber(arrival))) end
end

-- Ends a turn that was not released: those it served along wait again in their places, the holder too if it may.
local function end_turn(may)
  local ticket, arrival = r.ticket, r.arrival
  local run = r.shared == '1' and call('ZRANGE', taken, 0, -1, 'WITHSCORES') or {}
  free_line()
  for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end
  if #run > 0 then call('DEL', taken) end
  note_doubt(math.max(tonumber(arrival), tonumber(run[#run] or 0)))
  if may then call('ZADD', waiting, arrival, ticket) else lose(ticket, arrival) end
  renew_life(waiting)
end

-- A turn past its lease is over. Its ticket waits again if others can serve it, or if its node is another one by now, or
-- is the caller and has not taken the turn up. A node that was given a turn and has not been heard of loses the ticket.
local function reap()
  if not r.ticket or tonumber(r['end']) > now then return end
  lapsed = tonumber(r['end']) == r.acquired + claim_window and 2 or 1
  local owner, owner_session, work = read_ticket(call('HGET', tickets, r.ticket) or '\30')
  if lapsed == 2 and work ~= '' and owner == r.node and owner ~= node then
    call('HSET', tickets, r.ticket, ticket_value('', owner_session, work))
  end
  end_turn(work ~= '' or beats(owner) and (owner ~= r.node or lapsed == 2 and owner == node))
end

-- A caller that knows of a ticket older than the line itself shows that Redis lost data. Then nobody gets a turn for a
-- while, so that older tickets return first.
local function detect_loss(known)
  if not r.born then set('born', now_text) end
  if known ~= '0' and tonumber(known) < tonumber(r.born) then wait_until(r.born + pause) end
end

-- Somebody keeps the line still: nobody gets a turn.
local function suspended() return tonumber(r.suspended or 0) > now end
-- When a line without a turn goes on, if it stands still.
local function goes_on() return math.max(settling() and tonumber(r['until']) or 0, tonumber(r.suspended or 0)) end
