-- Draws a version higher than all before it, also after Redis lost its data: a counter that never falls behind the clock.
-- KEYS[1] the last version of the date (STRING)
-- ARGV[1] time to live in ms
-- Returns the version, in microseconds since 1970 or above.
local time = redis.call('TIME')
local version = math.max(tonumber(redis.call('GET', KEYS[1]) or 0) + 1, time[1] * 1000000 + time[2])
redis.call('SET', KEYS[1], string.format('%.0f', version), 'PX', ARGV[1])
return version
