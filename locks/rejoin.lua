--[[ rejoin: puts tickets of the calling node in their places that waited in its memory while it could not reach Redis.
Those that another node owns by now, and those that are being served, stay as they are. Without tickets it only reports
whether Redis can be written to.
ARGV 8 life of a ticket without a beat (us), 9 the highest number that the node knows of, 10 how long nobody gets a turn
(us) if the line is idle, for then other nodes' tickets may be on their way back too; then ticket, arrival, 0 or the
life of a parked ticket (us) and work, ticket, arrival, ...
Returns status 1. ]]
local highest, pause = ARGV[9], tonumber(ARGV[10])

local function lives(ticket) return tonumber(call('ZSCORE', alive, ticket) or 0) > now end

local function add(ticket, arrival, grace, load)
  if call('HGET', holder, 'ticket') == ticket or call('ZSCORE', taken, ticket) then return end
  if lives(ticket) and owner_of(call('HGET', owners, ticket)) ~= node then return end
  drop({ticket})
  call('ZADD', grace == '0' and waiting or parked, arrival, ticket)
  call('ZADD', alive, format_int(now + (grace == '0' and ARGV[8] or grace)), ticket)
  call('HSET', owners, ticket, owner_value(node, session))
  if load ~= '' then call('HSET', work, ticket, load) end
end

-- A Redis without room for more refuses this, and not a mere change of a key's life.
call('SET', counter, call('GET', counter) or '0', 'PX', life)
if #ARGV > 10 then
  if tonumber(highest) > tonumber(call('GET', counter) or 0) then call('SET', counter, highest, 'PX', life) end
  each_line(function()
    detect_loss('0', 0)
    reap()
    if not has_holder() and call('ZCOUNT', alive, '(' .. format_int(now), '+inf') == 0 then
      load_record().till = now + pause
      call('HSET', record, 'until', format_int(now + pause))
    end
    for i = 11, #ARGV, 4 do add(unpack(ARGV, i, i + 3)) end
    renew_life(record, waiting, parked, alive, owners, work)
  end)
end
return {1, now, reaped, lapsed, {}}
