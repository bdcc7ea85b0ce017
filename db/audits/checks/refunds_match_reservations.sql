-- What comes back for a reservation is in the wallet once it is refunded, and not before.
SELECT 'reservation ' || r.id || ' (' || r.state || ')' AS subject,
	r.refund_amount || ' won of ' || r.paid_amount || ' to come back, ' || COALESCE(refunded.amount, 0)
		|| ' in the ledger' AS problem
FROM reservations r
LEFT JOIN (
	SELECT reservation_id, sum(amount) AS amount
	FROM ledger_entries
	WHERE reservation_id = ANY (:reservations) AND kind = 'refund'
	GROUP BY reservation_id
) refunded ON refunded.reservation_id = r.id
WHERE r.id = ANY (:reservations) AND (COALESCE(refunded.amount, 0) <> CASE WHEN r.state IN ('refunded', 'expired') THEN r.refund_amount ELSE 0 END
	OR r.refund_amount > r.paid_amount
	OR (r.refund_amount <> 0 AND r.state NOT IN ('refund_pending', 'refunded', 'expired')))
