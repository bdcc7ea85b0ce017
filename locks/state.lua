--[[ state: reads whole lines and changes nothing.
Returns a list a line: 1 if somebody has the turn, us it has lasted, how many are served in it, moving average of us a
served ticket took (0 unmeasured), share of tickets that leave unserved (text), {waiting tickets in order}, 1 if the
line waits for older tickets, us until the line goes on that is kept still (negative: since; 0 it never was). ]]
local read = {}
each_line(function(i)
  local held = r.ticket and tonumber(r['end']) > now
  read[i] = {
    held and 1 or 0, held and now - r.acquired or 0, held and 1 + call('ZCARD', taken) or 0,
    tonumber(r.pace or 0), r.share or '0', call('ZRANGE', waiting, 0, -1), settling() and 1 or 0,
    r.suspended and r.suspended - now or 0,
  }
end)
return read
