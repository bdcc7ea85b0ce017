--[[ state: reads whole lines and changes nothing.
Returns a list a line: 1 if somebody has the turn, us it has lasted, how many are served in it, moving average of us a
served ticket took (0 unmeasured), share of tickets that leave unserved (text), {waiting tickets in order}, {a number
for each parked ticket: how many waiting ones stand ahead of it}, 1 if the line waits for older tickets. ]]
local read = {}
each_line(function(i)
  local h = call('HMGET', holder, 'acquired', 'end')
  local r = call('HMGET', record, 'pace', 'share')
  local held = h[1] and tonumber(h[2]) > now
  local away = call('ZRANGE', parked, 0, -1, 'WITHSCORES')
  local ahead = {}
  for k = 2, #away, 2 do ahead[k / 2] = call('ZCOUNT', waiting, '-inf', '(' .. away[k]) end
  read[i] = {
    held and 1 or 0, held and now - h[1] or 0, held and 1 + call('ZCARD', taken) or 0,
    tonumber(r[1] or 0), r[2] or '0', call('ZRANGE', waiting, 0, -1), ahead, settling() and 1 or 0,
  }
end)
return read
