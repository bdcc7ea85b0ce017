--[[ take: gives the holder further live tickets from the head of the line, as long as its own node lends them.
They keep their beats and their arrival numbers; reap stands them back if the lease ends.
ARGV 7 ticket, 8 fence, 9 how many at most
Returns status 1 or 0 (stale), then {ticket, arrival, ticket, arrival, ...}. ]]
local ticket, fence, most = ARGV[7], ARGV[8], tonumber(ARGV[9])

reap()
local h = call('HMGET', holder, 'ticket', 'fence', 'node', 'take_request', 'take_answer')
if h[1] ~= ticket or h[2] ~= fence or h[3] ~= node then
  promote()
  return answer(0, {})
end
if h[4] == request then return answer(1, cjson.decode(h[5])) end

local heads = call('ZRANGE', waiting, 0, most - 1, 'WITHSCORES')
local names = {}
for i = 1, #heads, 2 do names[#names + 1] = heads[i] end
local owners = #names > 0 and call('HMGET', lent, unpack(names)) or {}
local deadlines = #names > 0 and call('ZMSCORE', alive, unpack(names)) or {}
local run, leaving, joining = {}, {}, {}
for i, name in ipairs(names) do
  if owners[i] ~= node then break end
  if tonumber(deadlines[i] or 0) > now then
    local arrival = heads[2 * i]
    leaving[#leaving + 1] = name
    joining[#joining + 1], joining[#joining + 2] = arrival, name
    run[#run + 1], run[#run + 2] = name, arrival
  end
end
if #run > 0 then
  call('ZREM', waiting, unpack(leaving))
  call('ZADD', taken, unpack(joining))
  rearm(taken)
end
call('HSET', holder, 'take_request', request, 'take_answer', cjson.encode(run))
return answer(1, run)
