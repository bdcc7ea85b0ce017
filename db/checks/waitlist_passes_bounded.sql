-- Nobody on a waitlist was passed more often than three times, and every offer that passed somebody is counted.
SELECT 'entry ' || id AS subject, 'was passed ' || passes || ' times' AS problem
FROM waitlist_entries
WHERE passes > 3
UNION ALL
SELECT 'entry ' || early.id, count(*) || ' offers passed it, and ' || early.passes || ' are counted'
FROM waitlist_entries early
JOIN slots s ON s.id = early.slot_id AND s.capacity >= early.party_size
	AND NOT EXISTS (SELECT FROM audit_log a WHERE a.slot_id = s.id AND a.action = 'slot.capacity')
JOIN waitlist_entries late ON late.slot_id = early.slot_id AND late.ordinal > early.ordinal
	AND late.offered_at < COALESCE(early.offered_at, early.ended_at, 'infinity')
GROUP BY early.id
HAVING count(*) > early.passes
