--[[ leave: gives a ticket's place up, whichever node owns it.
ARGV 10 ticket
Returns status 1 left, 0 was not in line, 2 stays because it is being served. ]]
local ticket = ARGV[10]

local status, notified = 0, false
each_line(function()
  reap()
  local value = call('HGET', tickets, ticket)
  if not value then return end
  if r.ticket == ticket or r.shared == '1' and call('ZSCORE', taken, ticket) then
    status = 2
    return
  end
  local arrival, owner = call('ZSCORE', waiting, ticket), read_ticket(value)
  call('ZREM', waiting, ticket)
  call('HDEL', tickets, ticket)
  write_log('left ' .. arrival)
  update_share(1, 1)
  status = 1
  if owner ~= node and not notified then
    publish(owner, {kind = 'left', ticket = ticket}, session)
    notified = true
  end
end)
promote()
return answer(status)
