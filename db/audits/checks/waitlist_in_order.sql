-- No party of a waitlist was offered seats before one that waited longer and needed the same; nor, unless named seats are only for larger ones, fewer.
SELECT 'entry ' || late.id AS subject,
	'party of ' || late.party_size || ' was offered seats before entry ' || early.id || ', a party of ' || early.party_size AS problem
FROM waitlist_entries late
JOIN waitlist_entries early ON early.slot_id = late.slot_id AND early.ordinal < late.ordinal AND early.times = late.times
	AND (early.party_size = late.party_size OR early.party_size < late.party_size
		AND NOT EXISTS (SELECT FROM seats n WHERE n.restaurant_id = late.restaurant_id))
WHERE late.slot_id = ANY (:slots) AND late.offered_at < COALESCE(early.offered_at, early.ended_at, 'infinity')
