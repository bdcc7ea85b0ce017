--[[ return: gives a turn back unserved. The holder and the tickets taken along go back to their places in line, so the
next turn is most likely the same ticket's, under a new fence.
ARGV 10 ticket, 11 fence
Returns status 1 returned, 2 was given back or released before, 0 stale (nothing changed). ]]
local ticket, fence = ARGV[10], ARGV[11]

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
return answer(status)
