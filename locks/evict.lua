--[[ evict: ends the present turn by force, whoever has it. Its node is told; those taken along stand in line again.
Returns status 1, or 0 when nobody had the turn; then the ticket whose turn was ended. ]]
reap()
local h = call('HMGET', holder, 'ticket', 'arrival', 'fence', 'node', 'desk')
if not h[1] then
  promote()
  return answer(0, '')
end
unseat(h[1], h[2])
if h[4] ~= node or h[5] ~= desk then publish(h[4], {kind = 'evicted', ticket = h[1], fence = h[3]}, h[5]) end
promote()
return answer(1, h[1], tonumber(h[3]))
