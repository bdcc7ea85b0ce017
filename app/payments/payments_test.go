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
