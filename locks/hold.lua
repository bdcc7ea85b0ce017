--[[ hold: renews the lease of a turn. Only for the node that has it, before its end.
ARGV 10 ticket, 11 fence, 12 lease (us), 13 longest turn (us)
Returns status 1 held, 0 stale. ]]
local ticket, fence, lease, longest = ARGV[10], ARGV[11], tonumber(ARGV[12]), tonumber(ARGV[13])

local held, last = true, 0
each_line(function()
  reap()
  held = held and r.ticket == ticket and r.fence == fence and r.node == node
  last = held and r.acquired + longest
end)
if held then
  each_line(function()
    set('end', format_int(math.min(now + lease, last)))
    keep_node_if_due()
  end)
end
promote()
return answer(held and 1 or 0)
