--[[ list: reads some of those who stand in a line, in order, and changes nothing.
ARGV 10 arrival number after which to read on, 11 how many at most
Returns status 1; then those that are being served, if it reads from the start (0), and those that wait: {ticket, arrival,
position, work, ticket, ...}, position 0 for the served. ]]
local after, most = tonumber(ARGV[10]), tonumber(ARGV[11])

local function described(found, position)
  local ids, read = {}, {}
  for i = 1, #found, 2 do ids[#ids + 1] = found[i] end
  for i, value in ipairs(#ids > 0 and call('HMGET', tickets, unpack(ids)) or {}) do
    local _, _, work = read_ticket(value or '\30')
    for _, part in ipairs({ids[i], found[2 * i], position and position + i or 0, work}) do read[#read + 1] = part end
  end
  return read
end

local served = {}
if after == 0 and r.ticket and tonumber(r['end']) > now then
  served = {r.ticket, r.arrival}
  for _, part in ipairs(call('ZRANGE', taken, 0, -1, 'WITHSCORES')) do served[#served + 1] = part end
end
local from, to = 0, call('ZCARD', waiting)
while from < to do
  local middle = math.floor((from + to) / 2)
  local at = call('ZRANGE', waiting, middle, middle, 'WITHSCORES')
  if tonumber(at[2]) > after then to = middle else from = middle + 1 end
end
return answer(1, described(served), described(call('ZRANGE', waiting, from, from + most - 1, 'WITHSCORES'), from))
