--[[ restore: puts tickets of the calling node back in their places while the line waits for them after a loss of data.
Nobody is served in that time, so none of them can have had its turn since.
ARGV 8 life of a ticket without a beat (us), then ticket, arrival and work, ticket, arrival and work, ...
Returns status 1, or 0 when the line waits no more (nothing changed). ]]
local deadline = format_int(now + ARGV[8])

select_line(1)
if not settling() then return answer(0) end
local highest = tonumber(call('GET', counter) or 0)
for i = 9, #ARGV, 3 do highest = math.max(highest, tonumber(ARGV[i + 1])) end
call('SET', counter, format_int(highest), 'PX', life)
each_line(function()
  for i = 9, #ARGV, 3 do
    local ticket, arrival, load = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if call('HSETNX', owners, ticket, owner_value(node, session)) == 1 then
      call('ZADD', waiting, arrival, ticket)
      call('ZADD', alive, deadline, ticket)
      if load ~= '' then call('HSET', work, ticket, load) end
    end
  end
  renew_life(record, waiting, alive, owners, work)
end)
return answer(1)
