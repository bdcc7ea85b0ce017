--[[ take: gives the holder further tickets from the head of its lines, as long as its own node owns them or their work
is known, and they are first in all its lines. They keep their arrival numbers; reap stands them back if the lease ends.
ARGV 10 ticket, 11 fence, 12 how many at most
Returns status 1 or 0 (stale), then {ticket, arrival, 1 if another node owns it, its work or '', ticket, ...}. ]]
local ticket, fence, most = ARGV[10], ARGV[11], tonumber(ARGV[12])

local mine = true
each_line(function()
  reap()
  mine = mine and r.ticket == ticket and r.fence == fence and r.node == node
end)
if not mine then
  promote()
  return answer(0, {})
end

-- The tickets in order, to choose from or taken by the same request before.
select_line(1)
local before = call('HMGET', record, 'take_request', 'take_names')
local again = before[1] == request
local heads = {}
if again then
  heads = cjson.decode(before[2])
else
  if r.shared == '1' then most = math.min(most, 2000 - call('ZCARD', taken)) end -- scripts handle them all at once
  each_line(function(i)
    local here = most > 0 and call('ZRANGE', waiting, 0, most - 1) or {}
    local same = 0
    if i == 1 then heads = here end
    while same < #heads and heads[same + 1] == here[same + 1] do same = same + 1 end
    heads = {unpack(heads, 1, same)}
  end)
end
if #heads == 0 then return answer(1, {}) end

select_line(1)
local values = call('HMGET', tickets, unpack(heads))
local arrivals = call('ZMSCORE', again and taken or waiting, unpack(heads))
local run, ids, joining, dead = {}, {}, {}, {}
for i, id in ipairs(heads) do
  if arrivals[i] and values[i] then
    local owner, owner_session, work = read_ticket(values[i])
    local foreign = owner ~= node
    if not again and owner_session ~= session then break end
    if foreign and work == '' and not again then
      if beats(owner) then break end
      dead[#dead + 1], dead[#dead + 2] = id, arrivals[i]
    else
      ids[#ids + 1] = id
      joining[#joining + 1], joining[#joining + 2] = arrivals[i], id
      for _, value in ipairs({id, arrivals[i], foreign and 1 or 0, foreign and work or ''}) do run[#run + 1] = value end
    end
  end
end
if again then return answer(1, run) end
each_line(function(i)
  for k = 1, #dead, 2 do
    call('ZREM', waiting, dead[k])
    lose(dead[k], dead[k + 1])
  end
  if #ids == 0 then return end
  call('ZREM', waiting, unpack(ids))
  call('ZADD', taken, unpack(joining))
  if r.shared ~= '1' then set('shared', '1') end
  renew_life(taken)
  if i == 1 then set('take_request', request, 'take_names', cjson.encode(ids)) end
end)
return answer(1, run)
