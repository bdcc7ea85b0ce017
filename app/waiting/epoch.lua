-- Says for how long a server has kept its data: since a mark in them was made. A server that lost all has no mark, and
-- one that was started again, or leads in another's place, has another history and may lack the last of the data.
-- KEYS[1] the mark (STRING: ms since the epoch, id of the server's history, 1 once nothing is known to be lost)
-- ARGV[1] time to live of the mark in ms, [2] when it was made, if nothing is known to be lost since, else empty,
--      [3] 1 to have it live on
-- Returns {when the mark was made, ms since then, 1 when nothing is known to be lost}
local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or ''
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local since, of, whole = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%w*) ([01])$')
local kept = since ~= nil and of == history
if not kept then since, whole = string.format('%.0f', now), '0' end
local found = kept and ARGV[2] == since
if found then whole = '1' end
if not kept or found or ARGV[3] == '1' then
  redis.call('SET', KEYS[1], since .. ' ' .. history .. ' ' .. whole, 'PX', ARGV[1])
end
return {since, now - since, tonumber(whole)}
