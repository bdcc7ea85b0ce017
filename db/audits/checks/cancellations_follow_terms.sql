-- Whoever cancels gets back all while it is free, and else the share of one of the agreed tiers, or nothing: of what is left
-- where staff gave some back before. What a refused capture did not bring comes back besides.
SELECT 'reservation ' || id AS subject,
	refund_amount || ' won of ' || paid_amount || ' come back for a cancellation at ' || diner_cancelled_at
		|| CASE WHEN free THEN ', which is free' ELSE ', which no tier says' END AS problem
FROM reservations r
CROSS JOIN LATERAL (
	SELECT COALESCE(diner_cancelled_at <= confirmed_at + (policy ->> 'freeCancelMinutes')::integer * interval '1 minute', false) AS free
) moment
WHERE id = ANY (:reservations) AND diner_cancelled_at IS NOT NULL AND state IN ('refund_pending', 'refunded') AND NOT CASE
	WHEN free THEN refund_amount BETWEEN paid_amount - given_back AND paid_amount
	ELSE refund_amount = 0 OR EXISTS (
		SELECT FROM jsonb_path_query(policy, '$.tiers[*].percent') AS share
		WHERE refund_amount BETWEEN LEAST(paid_amount * share::bigint / 100, paid_amount - given_back) AND paid_amount * share::bigint / 100
	)
END AND NOT EXISTS (
	SELECT FROM payments p
	JOIN ledger_entries e ON e.user_id = p.user_id AND e.idempotency_key = 'card_refused:' || p.id
	WHERE p.reservation_id = r.id
)
