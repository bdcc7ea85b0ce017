--[[ Prelude, 1 of 3: names, clock and record. Go puts prelude, reap and promote in front of every operation.
KEYS five a line, in this order, then the partition's counter:
  record  HASH, the turn and what outlives it. The turn, if `ticket` is not empty: ticket, fence, arrival, node, session,
          acquired, end, adopted (1: its node took it over from a dead one), shared (1: it serves others along, or another
          node owns its ticket by now), take_request, take_names. The line: nodes (see beats), born, until,
          awaits (1: until ends when all nodes are heard of again), doubt (see reap), suspended, ready, ready_until,
          pace, share, lives, ended:<node>, closed, reason, close_*, evict_*
  waiting ZSET ticket -> arrival    taken ZSET ticket -> arrival, those the holder serves along
  tickets HASH ticket -> node\30work, all of waiting, taken and the holder; node\31session\30work in a joint line
  log     LIST of what happened, see Line.Log
  counter STRING, the source of arrival numbers and fences
ARGV 1 calling node  2 request id  3 channel prefix  4 session: the line's key, or the keys of a joint line with
     \31 between
     5 claim window (us)  6 life of keys (ms)  7 PUBLISH or SPUBLISH  8 life of a node without a beat (us), negative if
     the calling one does not serve orphans  9 how long nobody gets a turn while nodes come back (us)
     10... belong to the operation
Times are microseconds of Redis' own clock. Numbers near 2^53 are kept as text: Lua would write them as 1e+15. ]]
local node, request, channel, session = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local claim_window, life, publish_command = tonumber(ARGV[5]), ARGV[6], ARGV[7]
local node_life, adopts, pause = math.abs(ARGV[8]), tonumber(ARGV[8]) > 0, tonumber(ARGV[9])
local counter, lines = KEYS[#KEYS], (#KEYS - 1) / 5
local call = redis.call
local reaped, lapsed, turn = 0, 0, nil

local names = {session}
if lines > 1 then
  names = {}
  for name in string.gmatch(session, '[^\31]+') do names[#names + 1] = name end
end

clock = clock or call('TIME')
local now = clock[1] * 1000000 + clock[2]

local function format_int(number) return string.format('%.0f', number) end
local now_text = format_int(now)

-- The record of a line is read once and written once; what an operation changes of it goes through set.
local ended = 'ended:' .. node
local function load_record(key)
  local v = call('HMGET', key, 'ticket', 'fence', 'arrival', 'node', 'session', 'acquired', 'end', 'adopted', 'shared',
    'nodes', 'born', 'until', 'ready', 'ready_until', 'pace', 'share', 'lives', ended, 'suspended',
    'awaits', 'doubt')
  return {
    ticket = v[1] ~= '' and v[1] or nil, fence = v[2], arrival = v[3], node = v[4], session = v[5], acquired = v[6],
    ['end'] = v[7], adopted = v[8], shared = v[9], nodes = v[10], born = v[11], ['until'] = v[12], ready = v[13],
    ready_until = v[14], pace = v[15], share = v[16], lives = v[17], [ended] = v[18], suspended = v[19],
    awaits = v[20], doubt = v[21],
    changes = {},
  }
end

-- Everything works on one line at a time: the one that select_line chose last, whose record is r.
local records = {}
local line, record, waiting, taken, tickets, log, r
local function select_line(i)
  line = names[i]
  record, waiting, taken, tickets, log = unpack(KEYS, 5 * i - 4, 5 * i)
  r = records[i]
  if not r then
    r = load_record(record)
    records[i] = r
  end
end
local function each_line(act)
  for i = 1, lines do
    select_line(i)
    act(i)
  end
end

select_line(1)

local function set(...)
  local given, changes = {...}, r.changes
  for i = 1, #given, 2 do
    r[given[i]] = given[i + 1]
    changes[#changes + 1], changes[#changes + 2] = given[i], given[i + 1]
  end
end

-- Nothing stays for ever. A key that may be new gets its life at once, all get it anew when half of it is over.
local function renew_life(...)
  for _, key in ipairs({...}) do call('PEXPIRE', key, life) end
end
local function save()
  if #r.changes == 0 then return end
  local due = tonumber(r.lives or 0) < now + life * 500
  if due then set('lives', format_int(now + life * 1000)) end
  call('HSET', record, unpack(r.changes))
  if due then renew_life(record, waiting, taken, tickets, log, counter) end
  r.changes = {}
end

-- Draws n numbers in a row and returns the first. A hybrid clock: it rises even if the counter was lost or the clock
-- was set back.
local function draw(n)
  local first = now
  local last = call('SET', counter, n == 1 and now_text or format_int(first + n - 1), 'PX', life, 'GET')
  if last and tonumber(last) >= first then
    first = last + 1
    call('SET', counter, format_int(first + n - 1), 'PX', life)
  end
  return first
end

-- Messages name the session that owns the ticket: the line, unless it is a joint one.
local function publish(to, message, owner_session)
  message.line, message.at = owner_session or line, now_text
  call(publish_command, channel .. to, cjson.encode(message))
end

local function write_log(text)
  if call('RPUSH', log, text) == 1 then renew_life(log) end
end

-- What is kept of a ticket: its owner, the session it stands in, and what another node needs to serve it, or ''.
local function read_ticket(value)
  local cut = string.find(value, '\30', 1, true)
  local owner, work = string.sub(value, 1, cut - 1), string.sub(value, cut + 1)
  local joint = string.find(owner, '\31', 1, true)
  if joint then return string.sub(owner, 1, joint - 1), string.sub(owner, joint + 1), work end
  return owner, line, work
end
local function ticket_value(owner, owner_session, work)
  return (owner_session == line and owner or owner .. '\31' .. owner_session) .. '\30' .. work
end
