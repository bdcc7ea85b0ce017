-- What staff gave back of a reservation is written down with a reason, is in the wallet once, and is no more than was paid.
SELECT 'reservation ' || r.id || ' (' || r.state || ')' AS subject,
	r.given_back || ' won given back, ' || COALESCE(noted.amount, 0) || ' with a reason, ' || COALESCE(moved.amount, 0)
		|| ' in the ledger' AS problem
FROM reservations r
LEFT JOIN (
	SELECT reservation_id, sum(amount) AS amount
	FROM reservation_refunds
	WHERE reservation_id = ANY (:reservations)
	GROUP BY reservation_id
) noted ON noted.reservation_id = r.id
LEFT JOIN (
	SELECT reservation_id, sum(amount) AS amount
	FROM ledger_entries
	WHERE reservation_id = ANY (:reservations) AND kind = 'given_back'
	GROUP BY reservation_id
) moved ON moved.reservation_id = r.id
WHERE r.id = ANY (:reservations) AND (r.given_back <> COALESCE(noted.amount, 0) OR r.given_back <> COALESCE(moved.amount, 0)
	OR r.given_back > 0 AND (
		SELECT sum(amount)
		FROM ledger_entries
		WHERE reservation_id = r.id AND (kind IN ('deposit', 'prepay') OR kind IN ('change', 'given_back') OR kind = 'refund')
	) > 0)
