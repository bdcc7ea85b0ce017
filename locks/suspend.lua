--[[ suspend: keeps the line still for a while: nobody gets a turn. A turn that lasts goes on to its end.
ARGV 10 us from now, instead of what was set before; 0 lets the line go on at once
Returns status 1. ]]
local till = format_int(now + ARGV[10])
each_line(function()
  reap()
  set('suspended', till)
end)
promote()
return answer(1)
