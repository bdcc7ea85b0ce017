--[[ Prelude, 3 of 3: promote gives a free line to its first live ticket, so that "free" and "a live ticket waits"
never hold together; answer builds what every operation returns: {status, now, reaped, lapsed, turn, ...}, turn = {} or,
when the calling session has it, {ticket, fence, arrival, acquired, us until its end, 1 if this call granted it}. ]]
local function set_holder(ticket, arrival, owner, owner_session, fence)
  call('ZREM', waiting, ticket)
  call('ZREM', alive, ticket)
  call('HDEL', owners, ticket)
  local here = owner == node and owner_session == session
  call('HSET', holder, 'ticket', ticket, 'fence', fence, 'arrival', arrival, 'node', owner, 'session', owner_session,
    'acquired', format_int(now), 'end', format_int(now + claim_window), 'claimed', here and 1 or 0)
  renew_life(holder)
  free[line] = false
  if here then turn = {ticket, fence, arrival, now, claim_window, 1} end
  return here
end

local function grant(ticket, arrival, owner, owner_session)
  local fence = draw()
  if not set_holder(ticket, arrival, owner, owner_session, fence) then
    publish(owner, {kind = 'granted', ticket = ticket, fence = fence}, owner_session)
  end
end

local function has_holder()
  if free[line] == nil then free[line] = call('EXISTS', holder) == 0 end
  return not free[line]
end

local function promote_line()
  if has_holder() then return end
  if settling() then return end
  while true do
    local head = call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    if not head[1] then return end
    if tonumber(call('ZSCORE', alive, head[1]) or 0) > now then
      local owner, owner_session = owner_of(call('HGET', owners, head[1]))
      if owner_session == line then
        if load_record().ready then call('HDEL', record, 'ready') end -- it may get ready again after this turn
        return grant(head[1], head[2], owner, owner_session)
      end
      -- It stands in several lines, and only a call from its own session can see them all. Published once.
      if owner_session ~= session and load_record().ready ~= head[1] then
        call('HSET', record, 'ready', head[1])
        renew_life(record)
        publish(owner, {kind = 'ready', ticket = head[1]}, owner_session)
      end
      return
    end
    remove_expired()
    if call('ZREM', waiting, head[1]) == 1 then drop({head[1]}) end
  end
end

-- Gives all lines of a joint session to one ticket, if it is first in all of them and all are free; else none.
local function grant_joint()
  select_line(1)
  local first = call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
  local owner, owner_session = owner_of(first[1] and call('HGET', owners, first[1]))
  local ready = owner and owner_session == session
  each_line(function()
    local head = call('ZRANGE', waiting, 0, 0)
    ready = ready and head[1] == first[1] and not has_holder() and not settling()
  end)
  if not ready then return end
  local fence, here = draw(), false
  each_line(function()
    call('HDEL', record, 'ready')
    here = set_holder(first[1], first[2], owner, owner_session, fence)
  end)
  if not here then publish(owner, {kind = 'granted', ticket = first[1], fence = fence}, owner_session) end
end

local function promote()
  each_line(promote_line)
  if lines > 1 then grant_joint() end
end

local function answer(status, ...)
  if turn then return {status, now, reaped, lapsed, turn, ...} end
  select_line(1)
  local h = call('HMGET', holder, 'node', 'ticket', 'fence', 'arrival', 'acquired', 'end', 'claimed', 'session')
  if h[1] ~= node or h[8] ~= session then return {status, now, reaped, lapsed, {}, ...} end
  if h[7] ~= '1' then -- the caller learns of its grant here: that is the claim
    h[6] = format_int(now + claim_window)
    each_line(function()
      if call('HGET', holder, 'fence') == h[3] then call('HSET', holder, 'claimed', 1, 'end', h[6]) end
    end)
  end
  return {status, now, reaped, lapsed, {h[2], h[3], h[4], h[5], h[6] - now, 0}, ...}
end
