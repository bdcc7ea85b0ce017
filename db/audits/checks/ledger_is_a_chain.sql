-- The entries of every wallet are numbered from 1 on, each number once, and each tells the balance before it and its own amount.
SELECT 'entry ' || e.id || ' of ' || e.user_id AS subject,
	'number ' || e.version || ' of ' || e.amount || ' tells ' || e.balance_after || ' won; the one before it '
		|| COALESCE(before.balance_after::text, 'is missing') AS problem
FROM ledger_entries e
LEFT JOIN ledger_entries before ON before.user_id = e.user_id AND before.version = e.version - 1
WHERE e.id = ANY (:entries)
	AND ((e.version = 1) <> (before.id IS NULL) OR e.balance_after <> COALESCE(before.balance_after, 0) + e.amount
		OR EXISTS (
			SELECT FROM ledger_entries other
			WHERE other.user_id = e.user_id AND other.version = e.version AND other.id <> e.id
		))
