--[[ enter: takes places for tickets, or finds those they have, and makes the calling node their owner.
ARGV 10 arrival of any ticket that the caller knows of in the line or 0; then ticket, arrival drawn earlier, 0 or a lot
("lot <number> <us until which it counts>"), work or '', commitment for the log, ticket, ...
Returns status 1; then {status, arrival, fence, position (0 unless it waits), number of the log's text that tells of it
(0 if it stood here before), status, ...}, a ticket's status being -1 the arrival cannot have been drawn here, 1 has the
turn, 2 waits, 3 is served in another's turn; count in line; us until the turn may fall to the first of them if it is
first in line (else -1); 1 if the line waits for older tickets. ]]
local entries, ids, notified, lots, empty = {}, {}, {}, nil, lines == 1
for i = 11, #ARGV, 4 do
  local lot, till = string.match(ARGV[i + 1], '^lot (%d+) (%d+)$')
  entries[#entries + 1] = {ticket = ARGV[i], arrival = lot and '0' or ARGV[i + 1], work = ARGV[i + 2],
    commitment = ARGV[i + 3], lot = lot and tonumber(till) > now and lot, status = 2, position = 0, waits = {}, stands = {}}
  lots = lots or lot
  ids[#ids + 1] = ARGV[i]
end

-- Numbers that the tickets bring move the counter; those in the future cannot have been drawn here.
local function take_numbers()
  local highest, brought = nil, 0
  for _, e in ipairs(entries) do
    if e.arrival ~= '0' then
      highest = highest or tonumber(call('GET', counter) or 0)
      if tonumber(e.arrival) > math.max(now, highest) + 3600000000 then
        e.status = -1
      else
        brought, e.brought = math.max(brought, e.arrival), true
      end
    end
  end
  if highest and brought > highest then call('SET', counter, format_int(brought), 'PX', life) end
end

-- Finds the tickets that stand in the line already. They are this node's from now on, with the work they had unless they
-- bring other. Where nobody has the turn and nobody waits, nobody stands.
local function find(i)
  if not r.ticket and call('ZCARD', waiting) == 0 then return keep_node_if_due() end
  empty = false
  local values, found = call('HMGET', tickets, unpack(ids)), false
  for k, e in ipairs(entries) do
    if values[k] and e.status ~= -1 then
      local owner, _, work = read_ticket(values[k])
      if e.work == '' then e.work = work end
      e.stands[i], found = true, true
      local value = ticket_value(node, session, e.work)
      if value ~= values[k] then call('HSET', tickets, e.ticket, value) end
      e.owner = owner
    end
  end
  keep_node_if_due()
  reap()
  if not found then return end
  local waits = call('ZMSCORE', waiting, unpack(ids))
  local along = r.shared == '1' and call('ZMSCORE', taken, unpack(ids)) or {}
  for k, e in ipairs(entries) do
    local has_turn = r.ticket == e.ticket
    if e.stands[i] then
      if has_turn and r.node ~= node then
        set('shared', '1') -- its turn goes on over there; owned here, it is notified of the end
      elseif e.owner ~= node and e.owner ~= '' and not notified[e.ticket] then
        publish(e.owner, {kind = 'adopted', ticket = e.ticket}, session)
        notified[e.ticket] = true
      end
      e.known = has_turn and r.arrival or waits[k] or along[k] or e.known
      e.served = e.served or along[k]
      if along[k] then set('shared', '1') end
      e.waits[i] = waits[k]
    end
  end
end

-- A lot is lower than every number of the clock. Where somebody stands by such a number, lots would pass them.
local function use_lots()
  each_line(function()
    local last = call('ZRANGE', waiting, -1, -1, 'WITHSCORES')
    if last[2] and tonumber(last[2]) >= 2 ^ 50 then lots = nil end
  end)
  for _, e in ipairs(entries) do
    if lots and e.lot and not e.known then e.arrival = e.lot end
  end
end

-- With a number of the clock for each that has none goes one for the fence, where the first of them has the turn at once:
-- the line is free, and nobody brings a lower number.
local function draw_numbers()
  local drawn = {}
  for _, e in ipairs(entries) do
    if e.known then e.arrival = e.known elseif e.arrival == '0' then drawn[#drawn + 1] = e end
  end
  if #drawn == 0 then return end
  local at_once = empty and #drawn == #entries and goes_on() <= now
  local first = draw(at_once and #drawn + 1 or #drawn)
  for k, e in ipairs(drawn) do e.arrival, e.behind = format_int(first + k - 1), #drawn - k end
  if at_once then drawn[1].fence = format_int(first + #drawn) end
end

local function stand(i)
  local scores, values, texts = {}, {}, {}
  for _, e in ipairs(entries) do
    if not e.stands[i] and e.status ~= -1 then
      values[#values + 1], values[#values + 2] = e.ticket, ticket_value(node, session, e.work)
      texts[#texts + 1] = e.arrival .. ':' .. e.commitment
      if not e.fence then
        scores[#scores + 1], scores[#scores + 2] = e.arrival, e.ticket
        e.waits[i] = e.arrival
      end
      if e.brought then note_doubt(e.arrival) end
    end
  end
  if #texts == 0 then return end
  if #scores > 0 then call('ZADD', waiting, unpack(scores)) end
  call('HSET', tickets, unpack(values))
  local logged = call('RPUSH', log, 'enter ' .. table.concat(texts, ','))
  if logged == 1 then renew_life(log) end
  if empty or call('ZCARD', waiting) == #texts then renew_life(tickets, #scores > 0 and waiting or nil) end
  if i > 1 then return end
  for _, e in ipairs(entries) do e.logged = not e.stands[1] and logged or 0 end
end

local function all_refused()
  for _, e in ipairs(entries) do
    if e.status ~= -1 then return false end
  end
  return true
end

take_numbers()
if all_refused() then
  local states = {}
  for _ = 1, #entries do states[#states + 1] = -1 for _ = 1, 4 do states[#states + 1] = 0 end end
  return answer(1, states, 0, -1, 0)
end
each_line(function(i)
  detect_loss(ARGV[10])
  find(i)
end)
if lots then use_lots() end
draw_numbers()
each_line(stand)
if entries[1].fence then
  grant({ticket = entries[1].ticket, arrival = entries[1].arrival, owner = node, session = session}, entries[1].fence)
else
  promote()
end

local count, wake, settles = 0, -1, 0
each_line(function(i)
  local length = entries[1].fence and #entries - 1 or call('ZCARD', waiting)
  count = math.max(count, length)
  for _, e in ipairs(entries) do
    if e.waits[i] and r.ticket ~= e.ticket then
      local position = e.behind and length - e.behind or (call('ZRANK', waiting, e.ticket) or -1) + 1
      e.position = math.max(e.position, position)
      if position == 1 then wake = math.max(wake, (r.ticket and r['end'] or math.max(goes_on(), now)) - now) end
      if settling() then settles = 1 end
    end
  end
end)
local states = {}
select_line(1)
for _, e in ipairs(entries) do
  local holds = r.ticket == e.ticket and e.status ~= -1
  local status = e.status == -1 and -1 or holds and 1 or e.served and 3 or 2
  states[#states + 1], states[#states + 2] = status, tonumber(e.arrival)
  states[#states + 1], states[#states + 2] = holds and tonumber(r.fence) or 0, status == 2 and e.position or 0
  states[#states + 1] = e.logged or 0
end
return answer(1, states, count, wake, settles)
