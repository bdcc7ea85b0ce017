-- What a reservation was paid with and what its changes kept is what left the wallet for it, and one that was not confirmed cost nothing, or has
-- given a payment that came too late back.
SELECT 'reservation ' || r.id || ' (' || r.state || ')' AS subject,
	r.paid_amount || ' won paid, ' || COALESCE(paid.amount, 0) || ' in the ledger' AS problem
FROM reservations r
LEFT JOIN (
	SELECT reservation_id, -sum(amount) AS amount
	FROM ledger_entries
	WHERE reservation_id = ANY (:reservations) AND (kind IN ('deposit', 'prepay') OR kind = 'change')
	GROUP BY reservation_id
) paid ON paid.reservation_id = r.id
LEFT JOIN (
	SELECT reservation_id, sum(kept) AS amount
	FROM reservation_changes
	WHERE reservation_id = ANY (:reservations)
	GROUP BY reservation_id
) kept ON kept.reservation_id = r.id
WHERE r.id = ANY (:reservations) AND (r.paid_amount + COALESCE(kept.amount, 0) <> COALESCE(paid.amount, 0)
	OR (r.paid_amount <> 0 AND r.state IN ('temporary', 'cancelled'))
	OR (r.paid_amount <> r.refund_amount AND r.state = 'expired'))
