package payments_test

import (
	"testing"

	"lunchgo/app/payments"
)

func TestState_FollowsAnother(t *testing.T) {
	t.Parallel()
	all := []payments.State{payments.Started, payments.Authorised, payments.Capturing, payments.Paid, payments.Refused,
		payments.Cancelled, payments.Refunding, payments.Refunded, payments.PartlyRefunded}
	for _, last := range []payments.State{payments.Refused, payments.Cancelled, payments.Refunded} {
		for _, to := range all {
			if last.MayBecome(to) {
				t.Errorf("%s may become %s", last, to)
			}
		}
	}
	if !payments.Started.MayBecome(payments.Capturing) || payments.Paid.MayBecome(payments.Cancelled) ||
		payments.Capturing.MayBecome(payments.Refunded) {
		t.Error("the states do not follow each other as they should")
	}
}

func TestByCard_IsWhatTheWalletLacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ total, balance, want int64 }{
		{20_000, 0, 20_000}, {20_000, 5_000, 15_000}, {20_000, 19_500, 1_000}, {20_000, 20_000, 0}, {20_000, 90_000, 0},
		{500, 0, 500}, {0, 0, 0},
	} {
		if got := payments.ByCard(c.total, c.balance); got != c.want {
			t.Errorf("of %d, with %d in the wallet: %d, want %d", c.total, c.balance, got, c.want)
		}
	}
}
