--[[ Prelude, 3 of 3: promote gives a free line to its first ticket, so that "free" and "a ticket waits that somebody can
serve" never hold together. An orphan goes to a live node. answer builds what every operation returns:
{status, now, reaped, lapsed, turn, ...}, turn = {} or, when the calling session has it, {ticket, fence, arrival,
acquired, us until its end, 1 if this call granted it, work if the ticket was an orphan}. ]]
local function set_holder(head, fence)
  if head.adopted then
    call('HSET', tickets, head.ticket, ticket_value(head.owner, head.session, head.work))
  end
  set('ticket', head.ticket, 'fence', fence, 'arrival', head.arrival, 'node', head.owner, 'session', head.session,
    'acquired', now_text, 'end', format_int(now + claim_window))
  local adopted = head.adopted and '1' or '0'
  if (r.adopted or '0') ~= adopted then set('adopted', adopted) end
  if (r.shared or '0') ~= '0' then set('shared', '0') end
end

-- Who waits is notified by a message, the caller by the answer.
local function announce(head, fence)
  local work = head.adopted and head.work or ''
  if head.owner == node and head.session == session then
    turn = {head.ticket, fence, head.arrival, now_text, claim_window, 1, work}
    return
  end
  publish(head.owner, {
    kind = 'granted', ticket = head.ticket, fence = fence, arrival = head.arrival, left = claim_window, work = work,
  }, head.session)
end

-- Takes the first ticket out of the line and finds the node that is to serve it; nil if there is none. Those that nobody
-- can serve go.
local function pop_head()
  while true do
    local first = call('ZPOPMIN', waiting, 1)
    if not first[1] then return nil end
    local head = {ticket = first[1], arrival = first[2]}
    head.owner, head.session, head.work = read_ticket(call('HGET', tickets, first[1]))
    if beats(head.owner) then return head end
    if head.work ~= '' then
      head.before, head.owner, head.adopted = head.owner, adopter(), true
      return head
    end
    lose(head.ticket, head.arrival)
  end
end
local function put_back(head)
  call('ZADD', waiting, head.arrival, head.ticket)
  renew_life(waiting)
end

-- Its node may only have been late.
local function tell_former_owner(head)
  if head.before and head.before ~= '' then publish(head.before, {kind = 'adopted', ticket = head.ticket}, head.session) end
end

local function grant(head, fence)
  if (r.ready or '') ~= '' then set('ready', '') end -- it may get ready again after this turn
  set_holder(head, fence)
  announce(head, fence)
end

local function promote_line()
  if r.ticket or settling() then return end
  if suspended() then return end
  local head = pop_head()
  if not head then return end
  if head.session == line and head.owner then
    grant(head, format_int(draw(1)))
    return tell_former_owner(head)
  end
  put_back(head)
  -- It stands in several lines, and only a call from its own session can see them all. Published once.
  if head.session == session or not head.owner then return end
  if r.ready ~= head.ticket or head.adopted and tonumber(r.ready_until) <= now then
    set('ready', head.ticket, 'ready_until', format_int(now + claim_window))
    publish(head.owner, {kind = 'ready', ticket = head.ticket}, head.session)
  end
end

-- Gives all lines of a joint session to one ticket, if it is first in all of them and all are free; else none.
local function grant_joint()
  local heads, ready = {}, true
  each_line(function(i)
    heads[i] = ready and not r.ticket and not settling() and not suspended() and pop_head() or nil
    ready = heads[i] and heads[i].owner and heads[i].ticket == heads[1].ticket and heads[i].session == session
  end)
  if not ready then
    return each_line(function(i)
      if heads[i] then put_back(heads[i]) end
    end)
  end
  local fence = format_int(draw(1))
  each_line(function(i)
    heads[i].owner, heads[i].adopted = heads[1].owner, heads[1].adopted
    if (r.ready or '') ~= '' then set('ready', '') end
    set_holder(heads[i], fence)
  end)
  select_line(1)
  announce(heads[1], fence)
  tell_former_owner(heads[1])
end

local function promote()
  each_line(promote_line)
  if lines > 1 then grant_joint() end
end

-- How many wait in the longest of the lines.
local function count_waiting()
  local count = 0
  each_line(function() count = math.max(count, call('ZCARD', waiting)) end)
  return count
end

local function answer(status, ...)
  each_line(save)
  if turn then return {status, now, reaped, lapsed, turn, ...} end
  select_line(1)
  if not r.ticket or r.node ~= node or r.session ~= session then return {status, now, reaped, lapsed, {}, ...} end
  local work = ''
  if r.adopted == '1' then
    local _, _, kept = read_ticket(call('HGET', tickets, r.ticket))
    work = kept
  end
  return {status, now, reaped, lapsed, {r.ticket, r.fence, r.arrival, r.acquired, r['end'] - now, 0, work}, ...}
end
