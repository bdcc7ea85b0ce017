--[[ Prelude, 1 of 3: names and clock. Go puts prelude, reap and promote in front of every operation.
KEYS 1 holder HASH (there is none when the line is free): ticket, fence, arrival, node, acquired, end, claimed
     2 record HASH, what outlives a holder: released:<node>, pace, share, closed, reason, close_request, close_count
     3 waiting ZSET ticket -> arrival     4 alive ZSET ticket -> deadline, of all waiting and taken
     5 lent HASH ticket -> node, likewise 6 taken ZSET ticket -> arrival, those the holder serves along
     7 counter STRING, of the partition; the source of arrival numbers and fences
ARGV 1 calling node  2 request id  3 channel prefix  4 the line's key  5 claim window (us)  6 life of keys (ms)
     7... belong to the operation
Times are microseconds of Redis' own clock. Numbers near 2^53 are kept as text: Lua would write them as 1e+15. ]]
local holder, record, waiting, alive, lent, taken, counter = unpack(KEYS)
local node, request, channel, line = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local claim_window, life = tonumber(ARGV[5]), ARGV[6]
local call = redis.call
local reaped, lapsed, turn = 0, 0, nil

local clock = call('TIME')
local now = clock[1] * 1000000 + clock[2]

local function whole(number) return string.format('%.0f', number) end

-- A hybrid clock: it rises even if the counter was lost or the clock was set back.
local function draw()
  local number = whole(math.max((call('GET', counter) or 0) + 1, now))
  call('SET', counter, number, 'PX', life)
  return number
end

local function publish(to, message)
  message.line, message.at = line, whole(now)
  call('PUBLISH', channel .. to, cjson.encode(message))
end

-- Nothing stays for ever: whatever is written gets its life anew.
local function rearm(...)
  for _, key in ipairs({...}) do call('PEXPIRE', key, life) end
end
