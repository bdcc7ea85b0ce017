--[[ Prelude, 2 of 3: reap takes out a holder past its lease and up to 100 tickets past their deadline;
detect_loss notices that Redis lost a line. reap counts the dead in `reaped` and says in `lapsed` what ended: 1 a lease,
2 a claim window. ]]
-- Whether nobody has the turn, where a step has found out.
local free = {}
local function clear_holder(...)
  call('DEL', holder, ...)
  free[line] = true
end

local function drop(tickets) -- from everything but the holder
  for _, key in ipairs({waiting, taken, parked, alive}) do call('ZREM', key, unpack(tickets)) end
  call('HDEL', owners, unpack(tickets))
  call('HDEL', work, unpack(tickets))
end

-- Moves the share of tickets that go unserved (left is 1, or 0 for the served) and sets further fields of the record.
local function update_share(left, n, ...)
  local r = load_record()
  r.share = left + (r.share - left) * 0.98 ^ n
  call('HSET', record, 'share', string.format('%.6f', r.share), ...)
  if not r.born then renew_life(record) end -- else it has its life from whoever entered last
end

local function remove_expired()
  local dead = call('ZRANGEBYSCORE', alive, '-inf', format_int(now), 'LIMIT', 0, 100)
  if #dead == 0 then return end
  reaped = reaped + #dead
  update_share(1, #dead)
  drop(dead)
end

local function requeue_taken() -- those whom the holder served along, in their places
  local run = call('ZRANGE', taken, 0, -1, 'WITHSCORES')
  for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end
  renew_life(waiting)
end

local function end_turn(ticket, arrival) -- ends a turn that was not released
  if call('ZSCORE', alive, ticket) then
    call('ZADD', waiting, arrival, ticket) -- another node owns it by now
  else
    call('HDEL', work, ticket)
  end
  requeue_taken()
  clear_holder(taken)
end

local function reap()
  local h = call('HMGET', holder, 'ticket', 'end', 'claimed', 'arrival')
  free[line] = not h[1]
  if h[1] and tonumber(h[2]) <= now then
    lapsed = h[3] == '1' and 1 or 2
    end_turn(h[1], h[4])
  end
  remove_expired()
end

-- A caller that knows of a ticket older than the line itself shows that Redis lost data. Then nobody gets a turn for a
-- while (us), so that older tickets return first.
local function detect_loss(known, duration)
  local r = load_record()
  if not r.born then
    r.born = format_int(now)
    call('HSET', record, 'born', r.born)
  end
  if known == '0' or tonumber(known) >= tonumber(r.born) then return end
  local till = r.born + duration
  if till > now and till > r.till then
    r.till = till
    call('HSET', record, 'until', format_int(till))
  end
end

local function settling() return load_record().till > now end
