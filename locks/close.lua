--[[ close: empties the line at once and sends one message to every node that lent a ticket in it. The holder and those
it takes along finish their turn; who enters later stands in a fresh line.
ARGV 7 reason
Returns status 1, then how many tickets were sent away. ]]
local reason = ARGV[7]

local before = call('HMGET', record, 'close_request', 'close_count')
if before[1] == request then return answer(1, tonumber(before[2])) end

reap()
promote()
local count = call('ZCARD', waiting)
local nodes = {}
for _, owner in ipairs(call('HVALS', lent)) do nodes[owner] = true end

local spared = call('ZRANGE', taken, 0, -1)
spared[#spared + 1] = call('HGET', holder, 'ticket') or nil
local owners, deadlines = {}, {}
for i, ticket in ipairs(spared) do
  owners[i], deadlines[i] = call('HGET', lent, ticket), call('ZSCORE', alive, ticket)
end
call('DEL', waiting, alive, lent)
for i, ticket in ipairs(spared) do
  if owners[i] and deadlines[i] then
    call('HSET', lent, ticket, owners[i])
    call('ZADD', alive, deadlines[i], ticket)
  end
end
call('HSET', record, 'closed', whole(now), 'reason', reason, 'close_request', request, 'close_count', count)
rearm(unpack(KEYS))
for owner in pairs(nodes) do publish(owner, {kind = 'closed', reason = reason}) end
return answer(1, count)
