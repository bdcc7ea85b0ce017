--[[ lines: keeps the caller's lines in the registry, and finds those that no live node answers for.
KEYS 1 ZSET line -> until when a node answers for it (us)
ARGV 1 how long the caller answers for a line (us), 2 how long for one that it finds (us; 0: find none), 3 life of the
registry (ms), 4 how many lines to keep, then these; then line and deadline of each that was found and is empty
Returns {line, deadline, line, ...}, the lines found. ]]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local keep, found, kept = {}, {}, tonumber(ARGV[4])
local function after(duration) return string.format('%.0f', now + duration) end

for i = 5, 4 + kept do keep[#keep + 1], keep[#keep + 2] = after(ARGV[1]), ARGV[i] end
for i = 5 + kept, #ARGV, 2 do -- unless somebody has answered for it since
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
if #keep > 0 then redis.call('ZADD', KEYS[1], unpack(keep)) end
if ARGV[2] ~= '0' then
  for _, line in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', after(0), 'LIMIT', 0, 100)) do
    found[#found + 1], found[#found + 2] = line, after(ARGV[2])
    redis.call('ZADD', KEYS[1], after(ARGV[2]), line)
  end
end
if #keep + #found > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return found
