--[[ restore: puts tickets of the calling node back in their places while the line waits for them after a loss of data.
Nobody is served in that time, so none of them can have had its turn since.
ARGV 10... ticket, arrival, work and commitment, ticket, arrival, work and commitment, ...
Returns status 1, or 0 when the line waits no more (nothing changed). ]]
if not settling() then return answer(0) end

local highest = tonumber(call('GET', counter) or 0)
for i = 10, #ARGV, 4 do highest = math.max(highest, ARGV[i + 1]) end
call('SET', counter, format_int(highest), 'PX', life)
each_line(function()
  local texts = {}
  for i = 10, #ARGV, 4 do
    local ticket, arrival, work = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if call('HSETNX', tickets, ticket, ticket_value(node, session, work)) == 1 then
      call('ZADD', waiting, arrival, ticket)
      note_doubt(arrival)
      texts[#texts + 1] = arrival .. ':' .. ARGV[i + 3]
    end
  end
  keep_node()
  if #texts == 0 then return end
  write_log('again ' .. table.concat(texts, ','))
  renew_life(waiting, tickets)
end)
return answer(1)
