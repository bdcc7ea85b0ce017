-- No hold outlives its deadline by more than 15 seconds; sweepers look for such every second.
SELECT 'reservation ' || id AS subject,
	'its hold ended at ' || hold_expires_at AS problem
FROM reservations
WHERE state = 'temporary' AND hold_expires_at < now() - interval '15 seconds'
