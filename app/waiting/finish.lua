-- Stores the results of tickets of one line, and frees their persons for another request. Of the requests the outlines
-- stay.
-- KEYS two a ticket: the ticket (HASH), its person's requests (HASH)
-- ARGV[1] line, [2] time to live of a result in ms, [3] 1 when a turn gave the results, 0 when they had none and a
--      result that is stored already counts more; then two a ticket: id, result (JSON)
-- Returns {index, result, ...} of the tickets (from 0) whose stored result counts. A repeat stores the same again.
local time = redis.call('TIME')
local till = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]

local function waits(person)
  for _, raw in ipairs(redis.call('HVALS', person)) do
    if not cjson.decode(raw).done then return true end
  end
end

local stored = {}
for i = 1, #KEYS / 2 do
  local ticket, person = KEYS[2 * i - 1], KEYS[2 * i]
  local id, result = ARGV[2 + 2 * i], ARGV[3 + 2 * i]
  if ARGV[3] == '1' then
    redis.call('HSET', ticket, 'result', result)
  elseif redis.call('HSETNX', ticket, 'result', result) == 0 then
    stored[#stored + 1] = i - 1
    stored[#stored + 1] = redis.call('HGET', ticket, 'result')
  end
  if redis.call('HEXISTS', ticket, 'outline') == 1 then redis.call('HDEL', ticket, 'wish') end
  redis.call('PEXPIRE', ticket, ARGV[2])
  local raw = redis.call('HGET', person, ARGV[1])
  if raw then
    local latest = cjson.decode(raw)
    if latest.ticket == id then
      latest.done, latest.till = true, till
      redis.call('HSET', person, ARGV[1], cjson.encode(latest))
      if not waits(person) then redis.call('PEXPIRE', person, ARGV[2]) end
    end
  end
end
return stored
