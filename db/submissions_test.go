package db_test

import (
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/db/coupons"
	"lunchgo/db/dbtest"
)

// What was submitted is found by who submitted it and the key, as the two are unique: of a diner, and of staff.
func TestFindReserved_FindsSubmissions(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner, host, slot := h.Diners(t, 1, 0)[0], h.Host(t), h.Slot("19:00")
	own, guest := h.Request(diner, slot), h.Guest(host, slot)
	ownID, guestID := h.Reserve(t, own), h.Reserve(t, guest)
	as := func(userID, key string, byStaff bool) booking.Submission {
		return booking.Submission{UserID: userID, IdempotencyKey: key, ByStaff: byStaff}
	}
	asked := []booking.Submission{as(diner, "another", false), own.Submission(), as(diner, own.IdempotencyKey, true),
		guest.Submission(), as(host, guest.IdempotencyKey, false), as("nobody", own.IdempotencyKey, false)}
	found, err := h.Reservations.FindReserved(t.Context(), asked)
	if err != nil || len(found) != 2 || found[own.Submission()].ID != ownID || found[guest.Submission()].ID != guestID {
		t.Fatalf("found %+v, %v", found, err)
	}
	if again := found[own.Submission()].Request(); again.Fingerprint() != own.Fingerprint() {
		t.Errorf("a reservation is another request than the one that made it: %+v", again)
	}
	if again := found[guest.Submission()].Request(); again.Fingerprint() != guest.Fingerprint() {
		t.Errorf("a guest's is another request than the one that made it: %+v", again)
	}
}

func TestFindChanged_FindsSubmissions(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 1_000_000)[0]
	id := h.Reserve(t, h.Request(diner, h.Slot("19:00")))
	req := h.Wanting(t, id, func(r *booking.Request) { r.PartySize = 3 })
	if out, _ := h.Serve(t, req); out.Err != nil {
		t.Fatal(out.Err)
	}
	staff := req.Submission()
	staff.ByStaff = true
	found, err := h.Reservations.FindChanged(t.Context(), []booking.Submission{staff, req.Submission()})
	if err != nil || len(found) != 1 || found[req.Submission()] != id {
		t.Errorf("found %v, %v", found, err)
	}
}

// A fence is the time of its turn.
func TestServedSince_GoesByTheFences(t *testing.T) {
	t.Parallel()
	h := setup(t)
	campaign, now := h.Campaign(t, "one", 5), time.Now()
	served := func() (since []bool) {
		for _, before := range []time.Duration{2 * time.Minute, 0} {
			found, err := h.Slots.ServedSince(t.Context(), now.Add(-before))
			dbtest.Must(t, err)
			since = append(since, found)
		}
		return since
	}
	h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00"))) // under no fence of a line
	if got := served(); !slices.Equal(got, []bool{false, false}) {
		t.Errorf("a new installation: %v", got)
	}
	fence := now.Add(-time.Minute).UnixMicro()
	req := h.Request(h.Diners(t, 1, 0)[0], h.Slot("20:00"))
	if _, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 10, fence), []booking.Request{req}); err != nil {
		t.Fatal(err)
	}
	if got := served(); !slices.Equal(got, []bool{true, false}) {
		t.Errorf("a minute after a turn: %v", got)
	}
	h.MustExec(t, `UPDATE slots SET fence = 0`)
	if _, _, err := coupons.NewStore(h.Pool).Serve(t.Context(), coupon.Turn{CouponID: campaign, Fence: fence},
		nil); err != nil {
		t.Fatal(err)
	}
	if got := served(); !slices.Equal(got, []bool{true, false}) {
		t.Errorf("a minute after a turn of a campaign: %v", got)
	}
}
