-- Finds the ticket of a person's request in a line, or makes one: one ticket a person and line.
-- KEYS[1] the person's requests in this partition (HASH: line -> JSON of the latest request)
-- KEYS[2] the new ticket (HASH)
-- ARGV[1] line, [2] new ticket id, [3] idempotency key, [4] request (JSON), [5] user lock in ms, [6] time to live in ms,
--      [7] how many lines a person may wait in, [8] outline of the request, which stays when the ticket is settled (JSON)
-- Returns {code, ticket}: 1 new, 2 the ticket of an earlier request, 3 another request is in progress, 4 too many lines.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local waiting = 0
for _, raw in ipairs(redis.call('HVALS', KEYS[1])) do
  if not cjson.decode(raw).done then waiting = waiting + 1 end
end

local raw = redis.call('HGET', KEYS[1], ARGV[1])
local latest = raw and cjson.decode(raw)
if latest and not (latest.till and now >= latest.till) then -- else its result is gone, and it is as if there was none
  if latest.key == ARGV[3] then return {2, latest.ticket} end
  if not latest.done then
    if now - latest.at < tonumber(ARGV[5]) then return {3, latest.ticket} end
    return {2, latest.ticket}
  end
elseif waiting >= tonumber(ARGV[7]) then
  return {4, ''}
end

redis.call('HSET', KEYS[1], ARGV[1], cjson.encode({ticket = ARGV[2], key = ARGV[3], at = now, done = false}))
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('HSET', KEYS[2], 'wish', ARGV[4], 'outline', ARGV[8])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return {1, ARGV[2]}
