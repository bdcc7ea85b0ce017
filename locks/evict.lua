--[[ evict: ends the present turn by force, whichever node has it. Its node gets a message; the tickets taken
along wait in line again.
Returns status 1, or 0 when nobody had the turn; then the ticket whose turn was ended, and its fence. ]]
local before = call('HMGET', record, 'evict_request', 'evict_ticket', 'evict_fence')
if before[1] == request then
  return answer(before[2] == '' and 0 or 1, before[2], tonumber(before[3]))
end

reap()
local h = call('HMGET', holder, 'ticket', 'arrival', 'fence', 'node', 'session')
call('HSET', record, 'evict_request', request, 'evict_ticket', h[1] or '', 'evict_fence', h[3] or 0)
renew_life(record)
if h[1] then
  end_turn(h[1], h[2])
  if h[4] ~= node or h[5] ~= session then publish(h[4], {kind = 'evicted', ticket = h[1], fence = h[3]}, h[5]) end
end
promote()
return answer(h[1] and 1 or 0, h[1] or '', tonumber(h[3] or 0))
