--[[ state: reads a whole line and changes nothing.
Returns 1 if somebody has the turn, us it has lasted, how many are served in it, moving average of us a served
ticket took (0 unmeasured), share of tickets that leave unserved (text), {waiting tickets in order}. ]]
local h = call('HMGET', holder, 'acquired', 'end')
local r = call('HMGET', record, 'pace', 'share')
local order = call('ZRANGE', waiting, 0, -1)
local pace, share = tonumber(r[1] or 0), r[2] or '0'
if not h[1] or tonumber(h[2]) <= now then return {0, 0, 0, pace, share, order} end
return {1, now - h[1], 1 + call('ZCARD', taken), pace, share, order}
