package db_test

import (
	"slices"
	"testing"

	"lunchgo/app/keyset"
	"lunchgo/db/testkit"
)

func TestSchema_HistoryIsAppendOnly(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("18:00")))
	for n := 3; n < 6; n++ {
		if _, err := h.Change(t, id, testkit.Party(n)); err != nil {
			t.Fatal(err)
		}
	}
	page, err := h.Reservations.ListChanges(t.Context(), id, keyset.Request{})
	past := page.Items
	if err != nil || len(past) != 3 || past[1].From.PartySize != 3 || past[1].To.PartySize != 4 ||
		!slices.Equal(past[0].To.Items, past[1].From.Items) {
		t.Errorf("%+v, %v", past, err)
	}
	for _, query := range []string{`UPDATE reservation_changes SET kept = 0`, `DELETE FROM reservation_changes`,
		`TRUNCATE reservation_changes`} {
		if err := h.Exec(t.Context(), query); err == nil {
			t.Errorf("%s was done", query)
		}
	}
}
