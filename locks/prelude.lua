--[[ Prelude, 1 of 3: names and clock. Go puts prelude, reap and promote in front of every operation.
KEYS nine a line, in this order, then the partition's counter:
  holder  HASH (there is none when the line is free): ticket, fence, arrival, node, session, acquired, end, claimed
  record  HASH, what outlives a holder: born, until, ready, released:<node>, pace, share, closed, reason, close_*,
          evict_*
  waiting ZSET ticket -> arrival    taken  ZSET ticket -> arrival, those the holder serves along
  parked  ZSET ticket -> arrival, those whose place is kept while they are away
  alive   ZSET ticket -> deadline   owners HASH ticket -> node, both of all waiting, taken and parked
  work    HASH ticket -> what another node needs to serve it
  log     LIST of what happened
  counter STRING, the source of arrival numbers and fences
ARGV 1 calling node  2 request id  3 channel prefix  4 session: the line's key, or the keys of a joint line with
     \31 between
     5 claim window (us)  6 life of keys (ms)  7 PUBLISH or SPUBLISH
     8... belong to the operation
Times are microseconds of Redis' own clock. Numbers near 2^53 are kept as text: Lua would write them as 1e+15. ]]
local node, request, channel, session = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local claim_window, life, publish_command = tonumber(ARGV[5]), ARGV[6], ARGV[7]
local counter, lines = KEYS[#KEYS], (#KEYS - 1) / 9
local call = redis.call
local reaped, lapsed, turn = 0, 0, nil

local names = {session}
if lines > 1 then
  names = {}
  for name in string.gmatch(session, '[^\31]+') do names[#names + 1] = name end
end

-- Everything works on one line at a time: the one that select_line chose last.
local line, holder, record, waiting, taken, parked, alive, owners, work
local function select_line(i)
  line = names[i]
  holder, record, waiting, taken, parked, alive, owners, work = unpack(KEYS, 9 * i - 8, 9 * i)
end
local function each_line(act)
  for i = 1, lines do
    select_line(i)
    act(i)
  end
end
select_line(1)

local clock = call('TIME')
local now = clock[1] * 1000000 + clock[2]

local function format_int(number) return string.format('%.0f', number) end

-- A hybrid clock: it rises even if the counter was lost or the clock was set back.
local function draw()
  local number = format_int(now)
  local last = call('SET', counter, number, 'PX', life, 'GET')
  if not last or tonumber(last) < now then return number end
  number = format_int(last + 1)
  call('SET', counter, number, 'PX', life)
  return number
end

-- Messages name the session that owns the ticket: the line, unless it is a joint one.
local function publish(to, message, owner_session)
  message.line, message.at = owner_session or line, format_int(now)
  call(publish_command, channel .. to, cjson.encode(message))
end

-- A ticket of a joint line is stored as node, \31, session.
local function owner_of(value)
  if not value then return nil, line end
  local cut = string.find(value, '\31', 1, true)
  if not cut then return value, line end
  return string.sub(value, 1, cut - 1), string.sub(value, cut + 1)
end
local function owner_value(owner, owner_session)
  return owner_session == line and owner or owner .. '\31' .. owner_session
end

-- What several steps of an operation need of the record, read once a line; who changes a field of it says so here too.
local read = {}
local function load_record()
  if not read[line] then
    local r = call('HMGET', record, 'born', 'until', 'ready', 'pace', 'share')
    read[line] = {
      born = r[1], till = tonumber(r[2] or 0), ready = r[3], pace = tonumber(r[4]), share = tonumber(r[5] or 0),
    }
  end
  return read[line]
end

-- Nothing stays for ever: whatever is written gets its life anew.
local function renew_life(...)
  for _, key in ipairs({...}) do call('PEXPIRE', key, life) end
end
