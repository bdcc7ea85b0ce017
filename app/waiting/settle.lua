-- Stores the results of tickets. Of their requests outlines stay.
-- KEYS one a ticket: its person's tickets (HASH: ticket -> record; record.go says how one is written)
-- ARGV[1] time to live of a result in ms, [2] 1 when a turn gave the results, 0 when they had none and a result that is
--      stored already counts more; then two a ticket: id, record without its state and time
-- Returns {index, record, ...} of the tickets (from 0) whose stored record counts. A repeat stores the same again.
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))

local stored = {}
for i, person in ipairs(KEYS) do
  local ticket, counts, waits = ARGV[2 * i + 1], nil, false
  local records = redis.call('HGETALL', person)
  for k = 1, #records, 2 do
    local is_waiting = string.sub(records[k + 1], 1, 1) == 'w'
    if records[k] ~= ticket then
      waits = waits or is_waiting
    elseif not is_waiting and ARGV[2] == '0' then
      counts = records[k + 1]
    end
  end
  if counts then
    stored[#stored + 1], stored[#stored + 2] = i - 1, counts
  else
    redis.call('HSET', person, ticket, 'd\n' .. now .. '\n' .. ARGV[2 * i + 2])
    if not waits then redis.call('PEXPIRE', person, ARGV[1]) end
  end
end
return stored
