-- The money of a reservation moved in the wallet of the diner whose it is.
SELECT 'entry ' || e.id || ' of ' || e.user_id AS subject,
	'reservation ' || e.reservation_id || ' is of ' || COALESCE(r.user_id, 'nobody') AS problem
FROM ledger_entries e
LEFT JOIN reservations r ON r.id = e.reservation_id
WHERE e.id = ANY (:entries) AND e.reservation_id IS NOT NULL AND e.user_id IS DISTINCT FROM r.user_id
