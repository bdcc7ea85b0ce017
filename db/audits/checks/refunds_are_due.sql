-- A refund that the provider has not made yet belongs to a payment of which a job takes the next step.
SELECT 'payment ' || p.id AS subject, refund.amount || ' won are to go back and nobody asks the provider' AS problem
FROM payment_refunds refund
JOIN payments p ON p.id = refund.payment_id
WHERE p.reservation_id = ANY (:reservations) AND refund.state = 'asked' AND (p.due_at IS NULL OR p.state NOT IN ('capturing', 'refunding'))
