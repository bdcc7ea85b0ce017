--[[ Prelude, 2 of 3: reap takes out a holder past its lease and up to 100 waiting tickets past their deadline.
It counts them in `reaped` and tells in `lapsed` what ended: 1 a lease, 2 a claim window. ]]
local function drop(tickets) -- from everything but the holder
  call('ZREM', waiting, unpack(tickets))
  call('ZREM', taken, unpack(tickets))
  call('ZREM', alive, unpack(tickets))
  call('HDEL', lent, unpack(tickets))
end

-- Moves the share of tickets that go unserved (left is 1, or 0 for the served) and sets further fields of the record.
local function tally(left, n, ...)
  local share = tonumber(call('HGET', record, 'share') or 0)
  call('HSET', record, 'share', string.format('%.6f', left + (share - left) * 0.98 ^ n), ...)
  rearm(record)
end

local function bury()
  local dead = call('ZRANGEBYSCORE', alive, '-inf', whole(now), 'LIMIT', 0, 100)
  if #dead == 0 then return end
  reaped = reaped + #dead
  tally(1, #dead)
  drop(dead)
end

local function stand_again() -- those whom the holder served along, where they stood
  local run = call('ZRANGE', taken, 0, -1, 'WITHSCORES')
  for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end
  rearm(waiting)
end

local function reap()
  local h = call('HMGET', holder, 'ticket', 'end', 'claimed', 'arrival')
  if h[1] and tonumber(h[2]) <= now then
    lapsed = h[3] == '1' and 1 or 2
    if call('ZSCORE', alive, h[1]) then call('ZADD', waiting, h[4], h[1]) end -- another node lends it by now
    stand_again()
    call('DEL', holder, taken)
  end
  bury()
end
