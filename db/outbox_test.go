package db_test

import (
	"slices"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/events"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

func shortTypes(list []events.Event) (types []string) {
	for _, e := range list {
		types = append(types, strings.TrimPrefix(e.Type, "lunchgo."))
	}
	return types
}

func TestOutbox_FollowsAReservation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.WantEvents(t)
	b := h.bookings(t, 1)[0]
	for _, e := range []event{pays(booking.Deposit), dinerChanges, dinerCancels, settles} {
		if err := e.happen(t, b); err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
	}
	list := h.Written(t, b.id)
	want := []string{"reservation.held", "reservation.confirmed", "reservation.changed", "reservation.cancelled",
		"reservation.refunded"}
	if got := shortTypes(list); !slices.Equal(got, want) {
		t.Fatalf("%v, not %v", got, want)
	}
	if got := testkit.EventState(t, list[2], "state", "time", "partySize", "paidAmount",
		"changes"); got != `"confirmed" "03:33" 3 30000 1` {
		t.Errorf("the change says %s: %s", got, list[2].Data)
	}
	if got := shortTypes(h.Written(t, b.diner)); !slices.Equal(got,
		[]string{"wallet.charged", "wallet.paid", "wallet.paid", "wallet.refunded"}) {
		t.Errorf("of the wallet: %v", got)
	}
}

func TestOutbox_IsEmptyWhereNothingWantsEvents(t *testing.T) {
	t.Parallel()
	h := setup(t)
	play := func() {
		dbtest.Must(t, pays(booking.Deposit).happen(t, h.bookings(t, 1)[0]))
	}
	play()
	h.WantEvents(t)
	h.MustExec(t, `UPDATE event_feeds SET wanted_until = clock_timestamp()`)
	play()
	if n := len(h.Written(t, "")) + h.Count(t, `SELECT count(*) FROM touched_days`); n != 0 {
		t.Errorf("%d rows that nothing wants", n)
	}
	h.WantEvents(t)
	h.MustExec(t, `UPDATE restaurants SET shadow = true`)
	b := h.bookings(t, 1)[0]
	dbtest.Must(t, pays(booking.Deposit).happen(t, b))
	if n := len(h.Written(t, b.id)) + h.Count(t,
		`SELECT count(*) FROM outbox WHERE type = 'lunchgo.wallet.paid'`); n != 0 {
		t.Errorf("%d events of a rehearsal", n)
	}
}
