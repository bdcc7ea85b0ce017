package events_test

import (
	"testing"

	"lunchgo/app/events"
)

func TestEvent_Topic(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"lunchgo.reservation.no_show": "lunchgo.reservations",
		"lunchgo.slot.sold_out": "lunchgo.slots", "lunchgo.wallet.paid": "lunchgo.wallets", "lunchgo.mail.sent": "",
		"": ""} {
		if got := (events.Event{Type: kind}).Topic(); got != want {
			t.Errorf("%s: %q, not %q", kind, got, want)
		}
	}
}
