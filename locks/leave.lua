--[[ leave: gives a ticket's place up, whichever node lends it.
ARGV 8 ticket
Returns status 1 left, 0 was not in line, 2 stays because it is being served. ]]
local ticket = ARGV[8]

local status, told = 0, false
each(function()
  reap()
  local h = call('HMGET', holder, 'ticket', 'claimed', 'node')
  local owner = lender(call('HGET', lent, ticket))
  local left = false
  if h[1] == ticket and h[2] ~= '1' then
    vacate()
    call('HDEL', work, ticket)
    owner, left = h[3], true
  elseif h[1] == ticket or call('ZSCORE', taken, ticket) then
    status = 2
  elseif owner then
    drop({ticket})
    left = true
  end
  if not left then return end
  tally(1, 1)
  status = 1
  if owner and owner ~= node and not told then
    publish(owner, {kind = 'left', ticket = ticket}, desk)
    told = true
  end
end)
promote()
return answer(status)
