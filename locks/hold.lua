--[[ hold: claims a grant (the first call) and renews its lease (later ones). Only for the owner, before the end.
ARGV 7 ticket, 8 fence, 9 lease (us), 10 longest turn (us)
Returns status 1 held, 0 stale. ]]
local ticket, fence, lease, longest = ARGV[7], ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10])

reap()
local status = 0
local h = call('HMGET', holder, 'ticket', 'fence', 'node', 'acquired')
if h[1] == ticket and h[2] == fence and h[3] == node then
  local last = h[4] + longest
  call('HSET', holder, 'claimed', 1, 'end', whole(math.min(now + lease, last)))
  rearm(holder, record, taken, counter)
  status = 1
end
promote()
return answer(status)
