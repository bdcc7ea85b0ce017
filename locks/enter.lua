--[[ enter: takes a place for a ticket, or finds the one it has and makes the calling node its owner.
ARGV 8 ticket, 9 arrival drawn earlier or 0, 10 life of the ticket without a beat (us), 11 work or '', 12 arrival of any
ticket that the caller knows of in the line or 0, 13 how long to wait for older tickets after a loss of data (us)
Returns status -1 the arrival cannot have been drawn here, 1 has the turn, 2 waits, 3 is served in another's turn;
then arrival, fence, position (0 unless 2), count in line, us until the turn may fall to it if it is first (else -1),
1 if the line waits for older tickets. ]]
local ticket, arrival, deadline = ARGV[8], ARGV[9], format_int(now + ARGV[10])
local notified = false

local function adopt(owner)
  if owner == node or notified then return end
  publish(owner, {kind = 'adopted', ticket = ticket}, session)
  notified = true
end

local function set_owner()
  call('HSET', owners, ticket, owner_value(node, session))
  call('ZADD', alive, deadline, ticket)
end

if arrival ~= '0' then
  local highest = tonumber(call('GET', counter) or 0)
  if tonumber(arrival) > math.max(now, highest) + 3600000000 then return answer(-1, 0, 0, 0, 0, -1, 0) end
  if tonumber(arrival) > highest then call('SET', counter, arrival, 'PX', life) end
end

local known_arrival, queued, turns, served = nil, {}, {}, false
each_line(function(i)
  detect_loss(ARGV[12], tonumber(ARGV[13]))
  local owner = owner_of(call('HGET', owners, ticket))
  if owner then -- before reap: a ticket that comes late is not dead
    adopt(owner)
    set_owner()
  end
  reap()
  turns[i] = call('HMGET', holder, 'ticket', 'node', 'claimed', 'arrival')
  if turns[i][1] == ticket then known_arrival = turns[i][4] end
  if not owner then return end
  local away = call('ZSCORE', parked, ticket)
  local along = call('ZSCORE', taken, ticket)
  queued[i] = along or call('ZSCORE', waiting, ticket)
  known_arrival, served = known_arrival or queued[i] or away, served or along
end)
if known_arrival then arrival = known_arrival elseif arrival == '0' then arrival = draw() end

each_line(function(i)
  local h = turns[i]
  if h[1] == ticket and h[2] ~= node and h[3] == '1' then
    set_owner() -- its turn goes on over there; owned here, it outlives that node
  elseif h[1] == ticket and h[2] ~= node then
    adopt(h[2])
    call('HSET', holder, 'node', node)
  elseif h[1] ~= ticket and not queued[i] then
    if known_arrival then call('ZREM', parked, ticket) end
    call('ZADD', waiting, arrival, ticket)
    set_owner()
  end
  if ARGV[11] ~= '' then call('HSET', work, ticket, ARGV[11]) end
end)
promote()

local position, count, wake, pause = 0, 0, -1, 0
each_line(function()
  renew_life(record, waiting, parked, alive, owners, work)
  count = math.max(count, call('ZCARD', waiting) + call('ZCARD', parked))
  local rank = call('ZRANK', waiting, ticket)
  if not rank then return end
  position = math.max(position, rank + 1 + call('ZCOUNT', parked, '-inf', '(' .. arrival))
  if settling() then pause = 1 end
  if rank == 0 then wake = math.max(wake, (call('HGET', holder, 'end') or load_record().till) - now) end
end)
select_line(1)
local h = call('HMGET', holder, 'ticket', 'arrival', 'fence')
if h[1] == ticket then return answer(1, tonumber(h[2]), tonumber(h[3]), 0, count, -1, 0) end
return answer(served and 3 or 2, tonumber(arrival), 0, position, count, wake, pause)
