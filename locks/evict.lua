--[[ evict: ends the present turn by force, whichever node has it. Its node gets a message; the tickets taken along
wait in line again, the holder does not.
Returns status 1, or 0 when nobody had the turn; then the ticket whose turn was ended, and its fence. ]]
local before = call('HMGET', record, 'evict_request', 'evict_ticket', 'evict_fence')
if before[1] == request then
  return answer(before[2] == '' and 0 or 1, before[2], tonumber(before[3]))
end

reap()
local ticket, fence, holder, owner_session = r.ticket, r.fence, r.node, r.session
set('evict_request', request, 'evict_ticket', ticket or '', 'evict_fence', ticket and fence or 0)
if ticket then
  end_turn(false)
  if holder ~= node or owner_session ~= session then
    publish(holder, {kind = 'evicted', ticket = ticket, fence = fence}, owner_session)
  end
end
promote()
return answer(ticket and 1 or 0, ticket or '', tonumber(ticket and fence or 0))
