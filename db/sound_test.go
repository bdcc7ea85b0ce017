package db_test

import (
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// No statement leaves a reservation that breaks a rule, and the refusal names the rule.
func TestReservations_BreakNoRule(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")))
	for change, broken := range map[string]string{
		`state = 'eaten'`:                    "reservations_state",
		`party_size = 0`:                     "reservations_party_size",
		`idempotency_key = ''`:               "reservations_key_given",
		`deposit_amount = -1`:                "reservations_amounts",
		`refund_amount = 1`:                  "reservations_refund",
		`state = 'expired', paid_amount = 1`: "reservations_returned",
		`paid_amount = 1`:                    "reservations_unpaid",
		`state = 'seated'`:                   "reservations_present",
		`discount_amount = 1`:                "reservations_discount",
		`discount_use = 'tip'`:               "reservations_discount",
		`source = 'phone'`:                   "reservations_whose",
		`source = 'post'`:                    "reservations_whose",
		`user_id = NULL, source = 'phone', booked_by = user_id,
			guest_name = 'A', guest_phone = '', deposit_amount = 1`: "reservations_without_account",
	} {
		err := h.Exec(t.Context(), `UPDATE reservations SET `+change+` WHERE id = $1`, id)
		if refused := pq.As(err, pqerror.CheckViolation); refused == nil || refused.Constraint != broken {
			t.Errorf("%s: %v, want %s", change, err, broken)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE state = 'temporary'`); n != 1 {
		t.Errorf("%d are as they were, want 1", n)
	}
}
