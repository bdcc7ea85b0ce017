--[[ leave: gives a ticket's place up, whichever node owns it.
ARGV 8 ticket
Returns status 1 left, 0 was not in line, 2 stays because it is being served. ]]
local ticket = ARGV[8]

local status, notified = 0, false
each_line(function()
  reap()
  local h = call('HMGET', holder, 'ticket', 'claimed', 'node')
  local owner = owner_of(call('HGET', owners, ticket))
  local left = false
  if h[1] == ticket and h[2] ~= '1' then
    clear_holder()
    call('HDEL', work, ticket)
    owner, left = h[3], true
  elseif h[1] == ticket or call('ZSCORE', taken, ticket) then
    status = 2
  elseif owner then
    drop({ticket})
    left = true
  end
  if not left then return end
  update_share(1, 1)
  status = 1
  if owner and owner ~= node and not notified then
    publish(owner, {kind = 'left', ticket = ticket}, session)
    notified = true
  end
end)
promote()
return answer(status)
