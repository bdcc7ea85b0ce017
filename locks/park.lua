--[[ park: takes a ticket of the calling node out of the line but not out of its place: it gets no turn until it enters
again, and keeps its place if that is within the grace. A grant that nobody has claimed yet passes on.
ARGV 8 ticket, 9 grace (us)
Returns status 1 parked, 0 not in line here, 2 stays because it is being served, 3 another node owns it. ]]
local ticket, deadline = ARGV[8], format_int(now + ARGV[9])

local status = 0
each_line(function()
  reap()
  local h = call('HMGET', holder, 'ticket', 'claimed', 'node', 'arrival')
  local owner = owner_of(call('HGET', owners, ticket))
  if h[1] == ticket then owner = h[3] end
  if owner and owner ~= node then
    status = 3
  elseif h[1] == ticket and h[2] == '1' or call('ZSCORE', taken, ticket) then
    status = 2
  elseif owner then
    local arrival = h[1] == ticket and h[4] or call('ZSCORE', waiting, ticket) or call('ZSCORE', parked, ticket)
    call('ZADD', parked, arrival, ticket)
    call('ZREM', waiting, ticket)
    call('ZADD', alive, deadline, ticket)
    call('HSET', owners, ticket, owner_value(node, session))
    if h[1] == ticket then clear_holder() end
    renew_life(record, waiting, parked, alive, owners, work)
    status = 1
  end
end)
promote()
return answer(status)
