-- Keeps the records of tickets that wait from being taken for forgotten ones: as if half their life were left.
-- KEYS one a ticket: its person's tickets, as in admit.lua
-- ARGV[1] life of a ticket that waits in ms; then one a ticket: id
-- Returns how many wait.
local time = redis.call('TIME')
local now, life, waits = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[1]), 0
for i, person in ipairs(KEYS) do
  local state, at, rest = string.match(redis.call('HGET', person, ARGV[i + 1]) or '', '^(%a)\n(%d+)(\n.*)$')
  if state == 'w' then
    local kept = math.max(tonumber(at), now - life / 2)
    redis.call('HSET', person, ARGV[i + 1], 'w\n' .. string.format('%.0f', kept) .. rest)
    redis.call('PEXPIRE', person, life)
    waits = waits + 1
  end
end
return waits
