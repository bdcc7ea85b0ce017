--[[ Prelude, 3 of 3: promote gives a free line to its first live ticket, so that "free" and "a live ticket waits"
never hold together; answer builds what every operation returns: {status, now, reaped, lapsed, turn, ...}, turn = {} or,
when the calling node has it, {ticket, fence, arrival, acquired, us until its end, 1 if granted by this very call}. ]]
local function grant(ticket, arrival, owner)
  call('ZREM', waiting, ticket)
  call('ZREM', alive, ticket)
  call('HDEL', lent, ticket)
  local fence = draw()
  call('HSET', holder, 'ticket', ticket, 'fence', fence, 'arrival', arrival, 'node', owner,
    'acquired', whole(now), 'end', whole(now + claim_window), 'claimed', owner == node and 1 or 0)
  rearm(holder)
  if owner ~= node then return publish(owner, {kind = 'granted', ticket = ticket, fence = fence}) end
  turn = {ticket, fence, arrival, now, claim_window, 1}
end

local function promote()
  if call('EXISTS', holder) == 1 then return end
  while true do
    local head = call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    if not head[1] then return end
    if tonumber(call('ZSCORE', alive, head[1]) or 0) > now then
      return grant(head[1], head[2], call('HGET', lent, head[1]))
    end
    bury()
    if call('ZREM', waiting, head[1]) == 1 then drop({head[1]}) end
  end
end

local function answer(status, ...)
  if turn then return {status, now, reaped, lapsed, turn, ...} end
  local h = call('HMGET', holder, 'node', 'ticket', 'fence', 'arrival', 'acquired', 'end', 'claimed')
  if h[1] ~= node then return {status, now, reaped, lapsed, {}, ...} end
  if h[7] ~= '1' then -- the caller learns of its grant here: that is the claim
    h[6] = whole(now + claim_window)
    call('HSET', holder, 'claimed', 1, 'end', h[6])
  end
  return {status, now, reaped, lapsed, {h[2], h[3], h[4], h[5], h[6] - now, 0}, ...}
end
