--[[ restore: puts tickets of the calling node back in their places while the line waits for them after a loss of data.
Nobody is served in that time, so none of them can have had its turn since.
ARGV 8 life of a ticket without a beat (us), then ticket, arrival and work, ticket, arrival and work, ...
Returns status 1, or 0 when the line waits no more (nothing changed). ]]
local deadline = whole(now + ARGV[8])

at(1)
if not settling() then return answer(0) end
local highest = tonumber(call('GET', counter) or 0)
for i = 9, #ARGV, 3 do highest = math.max(highest, tonumber(ARGV[i + 1])) end
call('SET', counter, whole(highest), 'PX', life)
each(function()
  for i = 9, #ARGV, 3 do
    local ticket, arrival, load = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if call('HSETNX', lent, ticket, loan(node, desk)) == 1 then
      call('ZADD', waiting, arrival, ticket)
      call('ZADD', alive, deadline, ticket)
      if load ~= '' then call('HSET', work, ticket, load) end
    end
  end
  rearm(record, waiting, alive, lent, work)
end)
return answer(1)
