--[[ close: empties the line at once and sends one message to every session that owned a ticket in it. The holder and
those it takes along finish their turn; who enters later stands in a fresh line.
ARGV 10 reason
Returns status 1, or 0 while somebody waits who may have been served (nothing changed); then how many tickets were
sent away, then {tickets of the caller that stay because they are being served}. ]]
local reason = ARGV[10]

local sessions = {} -- node and session -> {tickets that stay}
local function note(ids, stay)
  for i, value in ipairs(#ids > 0 and call('HMGET', tickets, unpack(ids)) or {}) do
    if value then
      local to = string.match(value, '^[^\30]*')
      sessions[to] = sessions[to] or {}
      if stay then table.insert(sessions[to], ids[i]) end
    end
  end
end
local function note_served()
  local served = call('ZRANGE', taken, 0, -1)
  served[#served + 1] = r.ticket
  note(served, true)
end
local function staying() return sessions[node] or {} end

local before = call('HMGET', record, 'close_request', 'close_count')
if before[1] == request then
  note_served()
  return answer(1, tonumber(before[2]), staying())
end

reap()
promote()
local first = call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
if tonumber(first[2] or math.huge) <= tonumber(r.doubt or 0) then return answer(0, 0, {}) end
note_served()
local count = 0
while true do
  local part = call('ZPOPMIN', waiting, 1000)
  if #part == 0 then break end
  local ids, arrivals = {}, {}
  for i = 1, #part, 2 do ids[#ids + 1], arrivals[#arrivals + 1] = part[i], part[i + 1] end
  note(ids, false)
  call('HDEL', tickets, unpack(ids))
  write_log('closed ' .. table.concat(arrivals, ','))
  count = count + #ids
end
set('closed', now_text, 'reason', reason, 'close_request', request, 'close_count', count)
for value, stay in pairs(sessions) do
  local owner, owner_session = read_ticket(value .. '\30')
  publish(owner, {kind = 'closed', reason = reason, stay = #stay > 0 and stay or nil}, owner_session)
end
return answer(1, count, staying())
