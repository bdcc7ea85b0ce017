--[[ Prelude, 3 of 3: promote gives a free line to its first live ticket, so that "free" and "a live ticket waits"
never hold together; answer builds what every operation returns: {status, now, reaped, lapsed, turn, ...}, turn = {} or,
when the calling desk has it, {ticket, fence, arrival, acquired, us until its end, 1 if granted by this very call}. ]]
local function seat(ticket, arrival, owner, together, fence)
  call('ZREM', waiting, ticket)
  call('ZREM', alive, ticket)
  call('HDEL', lent, ticket)
  local here = owner == node and together == desk
  call('HSET', holder, 'ticket', ticket, 'fence', fence, 'arrival', arrival, 'node', owner, 'desk', together,
    'acquired', whole(now), 'end', whole(now + claim_window), 'claimed', here and 1 or 0)
  rearm(holder)
  free[line] = false
  if here then turn = {ticket, fence, arrival, now, claim_window, 1} end
  return here
end

local function grant(ticket, arrival, owner, together)
  local fence = draw()
  if not seat(ticket, arrival, owner, together, fence) then
    publish(owner, {kind = 'granted', ticket = ticket, fence = fence}, together)
  end
end

local function busy()
  if free[line] == nil then free[line] = call('EXISTS', holder) == 0 end
  return not free[line]
end

local function promote_line()
  if busy() then return end
  if settling() then return end
  while true do
    local head = call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    if not head[1] then return end
    if tonumber(call('ZSCORE', alive, head[1]) or 0) > now then
      local owner, together = lender(call('HGET', lent, head[1]))
      if together == line then
        if recorded().ready then call('HDEL', record, 'ready') end -- it may get ready again after this turn
        return grant(head[1], head[2], owner, together)
      end
      -- It stands in several lines, and only a call from its own desk can see them all. Told once.
      if together ~= desk and recorded().ready ~= head[1] then
        call('HSET', record, 'ready', head[1])
        rearm(record)
        publish(owner, {kind = 'ready', ticket = head[1]}, together)
      end
      return
    end
    bury()
    if call('ZREM', waiting, head[1]) == 1 then drop({head[1]}) end
  end
end

-- Gives all lines of a joint desk to one ticket, if it is first in all of them and all are free; else none.
local function unite()
  at(1)
  local first = call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
  local owner, together = lender(first[1] and call('HGET', lent, first[1]))
  local ready = owner and together == desk
  each(function()
    local head = call('ZRANGE', waiting, 0, 0)
    ready = ready and head[1] == first[1] and not busy() and not settling()
  end)
  if not ready then return end
  local fence, here = draw(), false
  each(function()
    call('HDEL', record, 'ready')
    here = seat(first[1], first[2], owner, together, fence)
  end)
  if not here then publish(owner, {kind = 'granted', ticket = first[1], fence = fence}, together) end
end

local function promote()
  each(promote_line)
  if lines > 1 then unite() end
end

local function answer(status, ...)
  if turn then return {status, now, reaped, lapsed, turn, ...} end
  at(1)
  local h = call('HMGET', holder, 'node', 'ticket', 'fence', 'arrival', 'acquired', 'end', 'claimed', 'desk')
  if h[1] ~= node or h[8] ~= desk then return {status, now, reaped, lapsed, {}, ...} end
  if h[7] ~= '1' then -- the caller learns of its grant here: that is the claim
    h[6] = whole(now + claim_window)
    each(function()
      if call('HGET', holder, 'fence') == h[3] then call('HSET', holder, 'claimed', 1, 'end', h[6]) end
    end)
  end
  return {status, now, reaped, lapsed, {h[2], h[3], h[4], h[5], h[6] - now, 0}, ...}
end
