-- The money of a reservation moved in one wallet: of the diner whose it is, or of the owner who was the first to pay.
SELECT 'entry ' || e.id || ' of ' || e.user_id AS subject,
	'reservation ' || e.reservation_id || ' is paid by ' || COALESCE(r.payer_id, r.user_id, 'nobody') AS problem
FROM ledger_entries e
LEFT JOIN reservations r ON r.id = e.reservation_id
WHERE e.reservation_id IS NOT NULL AND e.user_id IS DISTINCT FROM COALESCE(r.payer_id, r.user_id)
