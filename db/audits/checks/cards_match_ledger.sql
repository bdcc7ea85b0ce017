-- What the payment provider has brought, or is about to, less what goes back there, is what it moved in the ledger.
SELECT 'payment ' || p.id || ' (' || p.state || ')' AS subject,
	p.amount || ' won, ' || p.returned || ' of them returned, but ' || COALESCE(moved.amount, 0) || ' in the ledger' AS problem
FROM payments p
LEFT JOIN LATERAL (
	SELECT sum(e.amount) AS amount
	FROM ledger_entries e
	WHERE e.user_id = p.user_id AND e.idempotency_key = ANY (ARRAY(
		SELECT unnest(ARRAY['card:' || p.id, 'card_refused:' || p.id])
		UNION ALL
		SELECT prefix || refund.id
		FROM payment_refunds refund
		CROSS JOIN unnest(ARRAY['card_refund:', 'card_refund_refused:']) AS prefix
		WHERE refund.payment_id = p.id
	))
) moved ON true
WHERE p.reservation_id = ANY (:reservations) AND COALESCE(moved.amount, 0) <> CASE
	WHEN p.state IN ('capturing', 'paid', 'refunding', 'partly_refunded', 'refunded') THEN p.amount - p.returned
	ELSE 0
END
