package testkit

import "testing"

// CheckBooks fails unless every balance is the sum of its ledger, every version the number of its entries, and every
// entry's balance the one before it and its amount.
func (h *Harness) CheckBooks(t testing.TB) {
	t.Helper()
	wrong := h.Count(t, `
		SELECT count(*)
		FROM accounts a
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(amount), 0) AS balance, count(*) AS version
			FROM ledger_entries
			WHERE user_id = a.user_id
		) ledger
		WHERE a.balance <> ledger.balance OR a.version <> ledger.version`)
	if wrong != 0 {
		t.Errorf("%d balances are not the sum of their ledger", wrong)
	}
	wrong = h.Count(t, `
		SELECT count(*)
		FROM (
			SELECT balance_after, sum(amount) OVER (PARTITION BY user_id ORDER BY version) AS running
			FROM ledger_entries
		) e
		WHERE balance_after <> running`)
	if wrong != 0 {
		t.Errorf("%d entries tell a wrong balance", wrong)
	}
}
