--[[ release: ends a turn and gives the line to the next. The tickets taken along are done, like the holder; nodes that
own some of them get a message, with the results given for them.
ARGV 8 ticket, 9 fence, 10 how many tickets were served in the turn, then ticket and result, ticket and result, ...
Returns status 1 released, 2 was released before, 0 stale (nothing changed); then how long the turn lasted (us). ]]
local ticket, fence, served = ARGV[8], ARGV[9], tonumber(ARGV[10])
local done_by = 'released:' .. node -- a repeat may come when other nodes have had turns since

local results = {}
for i = 11, #ARGV, 2 do results[ARGV[i]] = ARGV[i + 1] end

local function notify(done, owner_values)
  local news = {}
  for i, value in ipairs(owner_values) do
    local owner, owner_session = owner_of(value)
    if owner and owner ~= node then
      local to = owner .. '\31' .. owner_session
      news[to] = news[to] or {owner = owner, owner_session = owner_session, served = {}}
      table.insert(news[to].served, {ticket = done[i], result = results[done[i]] or ''})
    end
  end
  for _, n in pairs(news) do publish(n.owner, {kind = 'served', served = n.served}, n.owner_session) end
end

local function finish(alone)
  local done = alone and {} or call('ZRANGE', taken, 0, -1)
  done[#done + 1] = ticket
  local owner_values = call('HMGET', owners, unpack(done))
  notify(done, owner_values)
  if not alone or owner_values[1] then -- adopted while it was served
    drop(done)
  else
    call('HDEL', work, ticket)
  end
  clear_holder()
end

local status, held = 0, 0
each_line(function()
  local h = call('HMGET', holder, 'ticket', 'fence', 'acquired', 'take_request')
  if h[1] == ticket and h[2] == fence then
    status, held = 1, now - h[3]
    finish(not h[4])
    if served > 0 then
      local pace = load_record().pace or held / served
      update_share(0, served, 'pace', format_int(pace * 0.8 + held / served * 0.2), done_by, fence)
    else
      call('HSET', record, done_by, fence)
      renew_life(record)
    end
    remove_expired()
  elseif call('HGET', record, done_by) == fence then
    status = math.max(status, 2)
    reap()
  else
    reap()
  end
end)
promote()
return answer(status, held)
