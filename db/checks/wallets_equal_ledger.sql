-- Every balance is the sum of its ledger and not below zero, every version the number of its entries.
SELECT 'wallet of ' || user_id AS subject,
	COALESCE(a.balance || ' won at version ' || a.version, 'no account') || ', but ' || COALESCE(l.entries, 0)
		|| ' entries of ' || COALESCE(l.amount, 0) AS problem
FROM accounts a
FULL JOIN (
	SELECT user_id, sum(amount) AS amount, count(*) AS entries
	FROM ledger_entries
	GROUP BY user_id
) l USING (user_id)
WHERE a.balance IS NULL OR a.balance < 0 OR a.balance <> COALESCE(l.amount, 0) OR a.version <> COALESCE(l.entries, 0)
