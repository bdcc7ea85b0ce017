--[[ leave: gives a ticket's place up, whichever node lends it.
ARGV 7 ticket
Returns status 1 left, 0 was not in line, 2 stays because it is being served. ]]
local ticket = ARGV[7]

reap()
local status = 0
local h = call('HMGET', holder, 'ticket', 'claimed', 'node')
local owner = call('HGET', lent, ticket)
if h[1] == ticket and h[2] ~= '1' then
  call('DEL', holder)
  owner = h[3]
  status = 1
elseif h[1] == ticket or call('ZSCORE', taken, ticket) then
  status = 2
elseif call('ZSCORE', waiting, ticket) then
  drop({ticket})
  status = 1
end
if status == 1 then
  tally(1, 1)
  if owner and owner ~= node then publish(owner, {kind = 'left', ticket = ticket}) end
end
promote()
return answer(status)
