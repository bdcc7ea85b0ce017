--[[ release: ends a turn and gives the line to the next. The tickets taken along are done, like the holder; nodes that
own some of them get a message, with the results given for them.
ARGV 10 ticket, 11 fence, 12 how many tickets were served in the turn, 13 1 if the tickets that follow are all that the
caller knows to have taken along: others go back to their places; then ticket and result, ticket and result, ...
Returns status 1 released, 2 was released before, 0 stale (nothing changed); then how long the turn lasted (us), and how
many wait behind the next turn, if the caller has it. ]]
local ticket, fence, served, names_all = ARGV[10], ARGV[11], tonumber(ARGV[12]), ARGV[13] == '1'

local results = {}
for i = 14, #ARGV, 2 do results[ARGV[i]] = ARGV[i + 1] end

local function notify(done)
  local news, values = {}, call('HMGET', tickets, unpack(done))
  for i, value in ipairs(values) do
    local owner, owner_session = read_ticket(value or '\30')
    if value and owner ~= node then
      local to = owner .. '\31' .. owner_session
      news[to] = news[to] or {owner = owner, owner_session = owner_session, served = {}}
      table.insert(news[to].served, {ticket = done[i], result = results[done[i]] or ''})
    end
  end
  for _, n in pairs(news) do publish(n.owner, {kind = 'served', served = n.served}, n.owner_session) end
end

local function finish()
  local done, arrivals = {ticket}, {r.arrival}
  if r.shared == '1' then
    local run = call('ZRANGE', taken, 0, -1, 'WITHSCORES')
    for i = 1, #run, 2 do
      if names_all and not results[run[i]] then
        put_back({ticket = run[i], arrival = run[i + 1]})
      else
        done[#done + 1], arrivals[#arrivals + 1] = run[i], run[i + 1]
      end
    end
    notify(done)
    call('DEL', taken)
  end
  call('HDEL', tickets, unpack(done))
  write_log('turn ' .. fence .. ' ' .. table.concat(arrivals, ','))
  free_line()
end

local status, held = 0, 0
each_line(function()
  if r.ticket == ticket and r.fence == fence then
    status, held = 1, now - r.acquired
    finish()
    if served > 0 then
      set('pace', format_int((r.pace or held / served) * 0.8 + held / served * 0.2))
      update_share(0, served)
    end
    set(ended, fence) -- a repeat may come when other nodes have had turns since
  else
    if r[ended] == fence then status = math.max(status, 2) end
    reap()
  end
end)
promote()
return answer(status, held, turn and count_waiting() or 0)
