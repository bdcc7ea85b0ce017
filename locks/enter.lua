--[[ enter: takes a place for a ticket, or finds the one it has and lends the ticket to the calling node.
ARGV 7 ticket, 8 arrival drawn earlier or 0, 9 life of the ticket without a beat (us)
Returns status -1 the arrival cannot have been drawn here, 1 has the turn, 2 waits, 3 is served in another's turn;
then arrival, fence, position (0 unless 1; 2), count that wait, us until the turn's end if it is first (else -1). ]]
local ticket, arrival, deadline = ARGV[7], ARGV[8], whole(now + ARGV[9])

local function lend(owner)
  if owner and owner ~= node then publish(owner, {kind = 'adopted', ticket = ticket}) end
  call('HSET', lent, ticket, node)
  call('ZADD', alive, deadline, ticket)
end

if arrival ~= '0' then
  local highest = tonumber(call('GET', counter) or 0)
  if tonumber(arrival) > math.max(now, highest) + 3600000000 then return answer(-1, 0, 0, 0, 0, -1) end
  if tonumber(arrival) > highest then call('SET', counter, arrival, 'PX', life) end
end
local owner = call('HGET', lent, ticket)
if owner then lend(owner) end -- before reap: a ticket that comes late is not dead
reap()
local h = call('HMGET', holder, 'ticket', 'node', 'claimed')
local stood = owner and (call('ZSCORE', waiting, ticket) or call('ZSCORE', taken, ticket))
if h[1] == ticket and h[2] ~= node and h[3] == '1' then
  if not owner then lend() end -- its turn goes on over there; lent here, it outlives that node
elseif h[1] == ticket and h[2] ~= node then
  call('HSET', holder, 'node', node)
  publish(h[2], {kind = 'adopted', ticket = ticket})
elseif h[1] ~= ticket and not stood then
  if arrival == '0' then arrival = draw() end
  call('ZADD', waiting, arrival, ticket)
  lend()
end
promote()
rearm(waiting, alive, lent)
h = call('HMGET', holder, 'ticket', 'arrival', 'fence', 'end')
local count, place = call('ZCARD', waiting), call('ZRANK', waiting, ticket)
if h[1] == ticket then return answer(1, tonumber(h[2]), tonumber(h[3]), 0, count, -1) end
if not place then return answer(3, tonumber(stood), 0, 0, count, -1) end
return answer(2, tonumber(stood or arrival), 0, place + 1, count, place == 0 and h[4] - now or -1)
