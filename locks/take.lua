--[[ take: gives the holder further live tickets from the head of the line, as long as its own node owns them or their
work is known. They keep their beats and their arrival numbers; reap stands them back if the lease ends.
ARGV 8 ticket, 9 fence, 10 how many at most
Returns status 1 or 0 (stale), then {ticket, arrival, 1 if another node owns it, its work or '', ticket, ...}. ]]
local ticket, fence, most = ARGV[8], ARGV[9], tonumber(ARGV[10])

reap()
local h = call('HMGET', holder, 'ticket', 'fence', 'node', 'take_request', 'take_names')
if h[1] ~= ticket or h[2] ~= fence or h[3] ~= node then
  promote()
  return answer(0, {})
end

-- The tickets in order, to choose from or taken by the same request before.
local again = h[4] == request
local heads, names = {}, {}
most = math.min(most, 2000 - call('ZCARD', taken)) -- scripts handle all of a turn's tickets at once
if again then
  heads = cjson.decode(h[5])
elseif most > 0 then
  heads = call('ZRANGE', waiting, 0, most - 1)
end
if #heads == 0 then return answer(1, {}) end
local owner_values = call('HMGET', owners, unpack(heads))
local loads = call('HMGET', work, unpack(heads))
local deadlines = call('ZMSCORE', alive, unpack(heads))
local arrivals = call('ZMSCORE', again and taken or waiting, unpack(heads))
local run, joining = {}, {}
for i, name in ipairs(heads) do
  local owner, owner_session = owner_of(owner_values[i])
  local foreign = owner ~= node
  if not again and (owner_session ~= line or foreign and not loads[i]) then break end
  if arrivals[i] and (again or tonumber(deadlines[i] or 0) > now) then
    names[#names + 1] = name
    joining[#joining + 1], joining[#joining + 2] = arrivals[i], name
    for _, value in ipairs({name, arrivals[i], foreign and 1 or 0, foreign and loads[i] or ''}) do
      run[#run + 1] = value
    end
  end
end
if #names > 0 and not again then
  call('ZREM', waiting, unpack(names))
  call('ZADD', taken, unpack(joining))
  renew_life(taken)
  call('HSET', holder, 'take_request', request, 'take_names', cjson.encode(names))
end
return answer(1, run)
