--[[ return: gives a turn back unserved. The holder and the tickets taken along go back to their places in line, so the
next turn is most likely the same ticket's, under a new fence.
ARGV 10 ticket, 11 fence, 12 a number that is below every number drawn from now on
Returns status 1 returned, 2 was given back or released before, 0 stale (no turn changed); then 1 if the next number would
have been no higher than that one. ]]
local ticket, fence, stored = ARGV[10], ARGV[11], tonumber(ARGV[12] or 0)
local raised = stored >= now and stored > tonumber(call('GET', counter) or 0)
if raised then call('SET', counter, format_int(stored), 'PX', life) end

local status = 0
each_line(function()
  if r.ticket == ticket and r.fence == fence then
    end_turn(true)
    set(ended, fence) -- as in release
    status = 1
  elseif status == 0 and r[ended] == fence then
    status = 2
  end
  reap()
end)
promote()
return answer(status, raised and 1 or 0)
