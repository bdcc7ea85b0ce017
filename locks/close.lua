--[[ close: empties the line at once and sends one message to every node that lent a ticket in it. The holder and those
it takes along finish their turn; who enters later stands in a fresh line.
ARGV 8 reason
Returns status 1, then how many tickets were sent away, then {tickets of the caller that stay, for they are being served}. ]]
local reason = ARGV[8]

local function served()
  local run = call('ZRANGE', taken, 0, -1)
  run[#run + 1] = call('HGET', holder, 'ticket') or nil
  return run
end
local function staying()
  local own = {}
  for _, ticket in ipairs(served()) do
    if call('HGET', lent, ticket) == node then own[#own + 1] = ticket end
  end
  return own
end

local before = call('HMGET', record, 'close_request', 'close_count')
if before[1] == request then return answer(1, tonumber(before[2]), staying()) end

reap()
promote()
local count = call('ZCARD', waiting) + call('ZCARD', parked)
local desks = {}
for _, value in ipairs(call('HVALS', lent)) do desks[value] = {} end

local spared, kept = served(), {}
for i, ticket in ipairs(spared) do
  kept[i] = {call('HGET', lent, ticket), call('ZSCORE', alive, ticket), call('HGET', work, ticket)}
end
call('DEL', waiting, parked, alive, lent, work)
for i, ticket in ipairs(spared) do
  if kept[i][1] and kept[i][2] then
    table.insert(desks[kept[i][1]], ticket)
    call('HSET', lent, ticket, kept[i][1])
    call('ZADD', alive, kept[i][2], ticket)
  end
  if kept[i][3] then call('HSET', work, ticket, kept[i][3]) end
end
call('HSET', record, 'closed', whole(now), 'reason', reason, 'close_request', request, 'close_count', count)
rearm(unpack(KEYS))
for value, stay in pairs(desks) do
  local owner, together = lender(value)
  publish(owner, {kind = 'closed', reason = reason, stay = #stay > 0 and stay or nil}, together)
end
return answer(1, count, staying())
