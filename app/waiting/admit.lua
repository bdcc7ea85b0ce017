-- Finds the tickets of people's requests in lines, or makes them: one ticket that waits, a person and line.
-- KEYS one a request: the person's tickets (HASH: ticket -> record; record.go says how one is written)
-- ARGV[1] user lock in ms, [2] time to live of a ticket that waits in ms, [3] of a settled one, [4] how many lines of a
--      partition a person may wait in; then five a request: id of the new ticket, partition, line, idempotency key, rest of
--      the record
-- Returns {code, ticket, code, ticket, ...}: 1 new, 2 the ticket of an earlier request, 3 another request is in progress,
-- 4 too many lines, 5 new, of somebody who got a reservation lately.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local user_lock, life, repeats, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

-- What became of a person's earlier requests in a line: code and ticket, or 1 or 5 without one; drops what is over.
local function earlier(person, partition, line, key)
  local same, waits, since, lines, code = nil, nil, 0, 0, 1
  local records = redis.call('HGETALL', person)
  for i = 1, #records, 2 do
    local ticket = records[i]
    local state, at, of_partition, of_line, of_key =
      string.match(records[i + 1], '^(%a)\n(%d+)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n')
    if state and tonumber(at) > now then -- the clock was ahead: from now on it ages
      at = string.format('%.0f', now)
      redis.call('HSET', person, ticket, (string.gsub(records[i + 1], '%d+', at, 1)))
    end
    if not state or now - at >= (state == 'w' and life or repeats) then
      redis.call('HDEL', person, ticket)
      state = nil
    elseif of_partition == partition then
      if state == 'w' then lines = lines + 1 end
      if of_line == line then
        if of_key == key then same = ticket end
        if state == 'w' then waits, since = ticket, now - at end
      end
    end
    if state == 'd' and string.find(records[i + 1], '"state":"reserved"', 1, true) then code = 5 end
  end
  if same then return 2, same end
  if waits then return since < user_lock and 3 or 2, waits end
  if lines >= most then return 4, '' end
  return code
end

local answer = {}
for i, person in ipairs(KEYS) do
  local ticket, partition, line, key, rest = unpack(ARGV, 5 * i, 5 * i + 4)
  local code, found = earlier(person, partition, line, key)
  if not found then
    redis.call('HSET', person, ticket, table.concat({'w', string.format('%.0f', now), partition, line, key, rest}, '\n'))
    redis.call('PEXPIRE', person, life)
    found = ticket
  end
  answer[2 * i - 1], answer[2 * i] = code, found
end
return answer
