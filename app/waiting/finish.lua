-- Stores the results of a run of tickets of one line, and frees their persons for another press.
-- KEYS two a ticket: the ticket (HASH), its person's presses (HASH)
-- ARGV[1] line, [2] time to live in ms, then two a ticket: id, result (JSON)
-- Returns how many were stored. A repeat stores the same again.
for i = 1, #KEYS / 2 do
  local ticket, person = KEYS[2 * i - 1], KEYS[2 * i]
  local id, result = ARGV[1 + 2 * i], ARGV[2 + 2 * i]
  redis.call('HSET', ticket, 'result', result)
  redis.call('PEXPIRE', ticket, ARGV[2])
  local raw = redis.call('HGET', person, ARGV[1])
  if raw then
    local press = cjson.decode(raw)
    if press.ticket == id then
      press.done = true
      redis.call('HSET', person, ARGV[1], cjson.encode(press))
    end
  end
end
return #KEYS / 2
