--[[ rejoin: brings tickets of the calling node up to date that stood in its memory while it could not reach Redis. Those
that another live node owns by now, and those that are being served, stay as they are. Without tickets it only reports
whether Redis can be written to.
ARGV 10 the highest number that the node knows of; then ticket, arrival or 0 if it was served or left, work and
commitment, ticket, ...
Returns status 1. ]]
local highest = ARGV[10]

local function bring(ticket, arrival, work)
  local value = call('HGET', tickets, ticket)
  if r.ticket == ticket or call('ZSCORE', taken, ticket) then return false end
  if value and read_ticket(value) ~= node and beats(read_ticket(value)) then return false end
  if arrival ~= '0' then
    call('ZADD', waiting, arrival, ticket)
    call('HSET', tickets, ticket, ticket_value(node, session, work))
    return not value
  end
  if not value then return false end
  write_log('left ' .. call('ZSCORE', waiting, ticket))
  call('ZREM', waiting, ticket)
  call('HDEL', tickets, ticket)
  return false
end

-- A Redis without room for more refuses this, and not a mere change of a key's life.
call('SET', counter, call('GET', counter) or '0', 'PX', life)
if #ARGV > 10 then
  if tonumber(highest) > tonumber(call('GET', counter) or 0) then call('SET', counter, highest, 'PX', life) end
  each_line(function()
    detect_loss('0')
    reap()
    local alone = true -- then other nodes' tickets may be on their way back too
    for _, deadline in string.gmatch(r.nodes or '', '([^\30\31]+)\30([^\31]+)') do
      alone = alone and math.abs(deadline) <= now
    end
    if alone and not r.ticket then wait_until(now + pause) end
    await_nodes()
    local texts = {}
    for i = 11, #ARGV, 4 do
      if bring(ARGV[i], ARGV[i + 1], ARGV[i + 2]) then texts[#texts + 1] = ARGV[i + 1] .. ':' .. ARGV[i + 3] end
    end
    keep_node()
    if #texts > 0 then write_log('again ' .. table.concat(texts, ',')) end
    renew_life(waiting, tickets)
  end)
end
each_line(save)
return {1, now, reaped, lapsed, {}}
