-- No party of a waitlist was passed more often than three times before seats were kept for it, nor while they were; every offer that passed somebody is counted; and seats were kept for half an hour at most, twice at most, and never in the last hour.
SELECT 'entry ' || id AS subject, 'was passed ' || passes || ' times, and seats were kept for it ' || keeps || ' times, the last from '
	|| COALESCE(kept_since::text, 'never') || ' to ' || COALESCE(kept_until::text, 'never') AS problem
FROM waitlist_entries
WHERE slot_id = ANY (:slots)
	AND (passes > 3 OR keeps > 2 OR kept_until > kept_since + interval '30 minutes' OR kept_until > keep_before)
UNION ALL
SELECT 'entry ' || early.id, count(*) || ' offers passed it since seats were kept for it last, and ' || early.passes || ' are counted'
FROM waitlist_entries early
JOIN slots s ON s.id = early.slot_id AND s.capacity >= early.party_size
JOIN waitlist_entries late ON late.slot_id = early.slot_id AND late.ordinal > early.ordinal
	AND late.offered_at < COALESCE(early.offered_at, early.ended_at, 'infinity')
	AND late.offered_at > COALESCE(early.kept_since, '-infinity')
WHERE early.slot_id = ANY (:slots) AND early.passes < 3
GROUP BY early.id
HAVING count(*) > early.passes AND NOT EXISTS (
	SELECT FROM audit_log a WHERE a.restaurant_id = early.restaurant_id AND a.slot_id = early.slot_id AND a.action = 'slot.capacity'
)
UNION ALL
SELECT 'entry ' || early.id, 'entry ' || late.id || ' was offered seats that were kept for it'
FROM waitlist_entries early
JOIN waitlist_entries late ON late.slot_id = early.slot_id AND late.ordinal > early.ordinal
	AND late.offered_at > early.kept_since AND late.offered_at < early.kept_until
	AND late.offered_at < COALESCE(early.offered_at, early.ended_at, 'infinity')
WHERE early.slot_id = ANY (:slots)
