--[[ hold: claims a grant (the first call) and renews its lease (later ones). Only for the owner, before the end.
ARGV 8 ticket, 9 fence, 10 lease (us), 11 longest turn (us)
Returns status 1 held, 0 stale. ]]
local ticket, fence, lease, longest = ARGV[8], ARGV[9], tonumber(ARGV[10]), tonumber(ARGV[11])

local held, last = true, 0
each_line(function()
  reap()
  local h = call('HMGET', holder, 'ticket', 'fence', 'node', 'acquired')
  held = held and h[1] == ticket and h[2] == fence and h[3] == node
  last = held and h[4] + longest
end)
if held then
  each_line(function()
    call('HSET', holder, 'claimed', 1, 'end', format_int(math.min(now + lease, last)))
    renew_life(holder, record, taken, work, counter)
  end)
end
promote()
return answer(held and 1 or 0)
