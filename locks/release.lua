--[[ release: ends a turn and gives the line to the next. The tickets taken along are done, like the holder; nodes that
lend some of them are told, with the results given for them.
ARGV 8 ticket, 9 fence, 10 how many tickets were served in the turn, then ticket and result, ticket and result, ...
Returns status 1 released, 2 was released before, 0 stale (nothing changed); then how long the turn lasted (us). ]]
local ticket, fence, served = ARGV[8], ARGV[9], tonumber(ARGV[10])
local done_by = 'released:' .. node -- a repeat may come when other nodes have had turns since

local results = {}
for i = 11, #ARGV, 2 do results[ARGV[i]] = ARGV[i + 1] end

local function tell(done, owners)
  local news = {}
  for i, value in ipairs(owners) do
    local owner, together = lender(value)
    if owner and owner ~= node then
      local to = owner .. '\31' .. together
      news[to] = news[to] or {owner = owner, together = together, served = {}}
      table.insert(news[to].served, {ticket = done[i], result = results[done[i]] or ''})
    end
  end
  for _, n in pairs(news) do publish(n.owner, {kind = 'served', served = n.served}, n.together) end
end

local function finish(alone)
  local done = alone and {} or call('ZRANGE', taken, 0, -1)
  done[#done + 1] = ticket
  local owners = call('HMGET', lent, unpack(done))
  tell(done, owners)
  if not alone or owners[1] then -- adopted while it was served
    drop(done)
  else
    call('HDEL', work, ticket)
  end
  vacate()
end

local status, held = 0, 0
each(function()
  local h = call('HMGET', holder, 'ticket', 'fence', 'acquired', 'take_request')
  if h[1] == ticket and h[2] == fence then
    status, held = 1, now - h[3]
    finish(not h[4])
    if served > 0 then
      local pace = recorded().pace or held / served
      tally(0, served, 'pace', whole(pace * 0.8 + held / served * 0.2), done_by, fence)
    else
      call('HSET', record, done_by, fence)
      rearm(record)
    end
    bury()
  elseif call('HGET', record, done_by) == fence then
    status = math.max(status, 2)
    reap()
  else
    reap()
  end
end)
promote()
return answer(status, held)
