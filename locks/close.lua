--[[ close: empties the line at once and sends one message to every node that owned a ticket in it. The holder and those
it takes along finish their turn; who enters later stands in a fresh line.
ARGV 8 reason
Returns status 1, then how many tickets were sent away, then {tickets of the caller that stay because they are being
served}. ]]
local reason = ARGV[8]

local function served()
  local run = call('ZRANGE', taken, 0, -1)
  run[#run + 1] = call('HGET', holder, 'ticket') or nil
  return run
end
local function staying()
  local own = {}
  for _, ticket in ipairs(served()) do
    if call('HGET', owners, ticket) == node then own[#own + 1] = ticket end
  end
  return own
end

local before = call('HMGET', record, 'close_request', 'close_count')
if before[1] == request then return answer(1, tonumber(before[2]), staying()) end

reap()
promote()
local count = call('ZCARD', waiting) + call('ZCARD', parked)
local sessions = {}
for _, value in ipairs(call('HVALS', owners)) do sessions[value] = {} end

local serving, kept = served(), {}
for i, ticket in ipairs(serving) do
  kept[i] = {call('HGET', owners, ticket), call('ZSCORE', alive, ticket), call('HGET', work, ticket)}
end
call('DEL', waiting, parked, alive, owners, work)
for i, ticket in ipairs(serving) do
  if kept[i][1] and kept[i][2] then
    table.insert(sessions[kept[i][1]], ticket)
    call('HSET', owners, ticket, kept[i][1])
    call('ZADD', alive, kept[i][2], ticket)
  end
  if kept[i][3] then call('HSET', work, ticket, kept[i][3]) end
end
call('HSET', record, 'closed', format_int(now), 'reason', reason, 'close_request', request, 'close_count', count)
renew_life(unpack(KEYS))
for value, stay in pairs(sessions) do
  local owner, owner_session = owner_of(value)
  publish(owner, {kind = 'closed', reason = reason, stay = #stay > 0 and stay or nil}, owner_session)
end
return answer(1, count, staying())
