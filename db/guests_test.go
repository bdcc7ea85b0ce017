package db_test

import (
	"errors"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/testkit"
)

// A run of staff and diners: everybody gets seats from the same stock. A guest is confirmed or there at once, without
// money, account or letter; the host has no limit, and may come as a diner too.
func TestServe_GuestsWithoutAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	slot, host := h.Slot("18:00"), h.Host(t)
	called, arrived, sits := h.Guest(host, slot), testkit.WalkIn(h.Guest(host, slot), booking.Arrived),
		testkit.WalkIn(h.Guest(host, slot), booking.Seated)
	called.Items = []booking.Item{{MenuItemID: h.Menu[0].ID, Name: h.Menu[0].Name, Quantity: 3, UnitPrice: 32_000}}
	own := h.Request(host, slot)
	own.IdempotencyKey, own.Items = called.IdempotencyKey, nil
	late := h.Guest(host, slot)
	late.PartySize = 3
	outcomes, after, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1),
		[]booking.Request{called, arrived, own, sits, late})
	dbtest.Must(t, err)
	var full *booking.SoldOutError
	if !errors.As(outcomes[4].Err, &full) || full.Remaining != 2 || after[0].Held != 8 || after[0].OnHold != 2 {
		t.Errorf("the last of the run: %v; %+v", outcomes[4].Err, after)
	}
	for i, want := range []booking.State{booking.Confirmed, booking.Arrived, booking.Temporary, booking.Seated} {
		g, err := h.Reservations.FindGuest(t.Context(), outcomes[i].ReservationID)
		if err != nil || g.State != want || g.PaidAmount != 0 || (g.UserID == "") != (g.BookedBy == host) {
			t.Errorf("%d: %+v, %v; want %s", i, g, err, want)
		}
		if i == 0 && (g.Name != "김하늘" || g.Phone != "010-1234-5678" || g.Source != booking.Phone ||
			g.MenuAmount != 96_000) {
			t.Errorf("the caller: %+v", g)
		}
	}
	listed, err := h.Reservations.ListGuests(t.Context(), slot, keyset.Request{})
	if err != nil || len(listed.Items) != 4 || listed.Items[1].Name != "워크인" {
		t.Errorf("the guests: %+v, %v", listed.Items, err)
	}
	again, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 2), []booking.Request{called, own})
	if err != nil || again[0].ReservationID != outcomes[0].ReservationID ||
		again[1].ReservationID != outcomes[2].ReservationID {
		t.Errorf("the same keys again: %+v, %v", again, err)
	}
	elsewhere := called
	elsewhere.Slot = h.Slot("19:00")
	if out, _, err := h.Slots.Serve(t.Context(), h.Turn(elsewhere.Slot, 10, 1),
		[]booking.Request{elsewhere}); err != nil ||
		!errors.Is(out[0].Err, booking.ErrKeyReused) {
		t.Errorf("the same key in another slot: %+v, %v", out, err)
	}
	if n := h.Count(t,
		`SELECT count(*) FROM audit_log WHERE action = 'reservation.book' AND staff_id = $1 AND slot_id IS NOT NULL`,
		host); n != 3 {
		t.Errorf("%d bookings are written down, want 3", n)
	}
	if n := h.Count(t, `SELECT count(*) FROM mails`); n != 0 || h.Left(t, slot)[h.Menu[0].ID] != 2 {
		t.Errorf("%d letters, %d portions left", n, h.Left(t, slot)[h.Menu[0].ID])
	}
	checkBalances(t, h)
}

// A guest's booking lives like others: it is marked, marks are taken back one by one or all at once, and it is
// cancelled without a refund, which returns seats and dishes. Nobody is written to.
func TestGuest_LivesWithoutAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	slot, host := h.Slot("18:00"), h.Host(t)
	book := func(req booking.Request) booking.Reservation {
		t.Helper()
		req.Items = []booking.Item{{MenuItemID: h.Menu[0].ID, Name: h.Menu[0].Name, Quantity: 1, UnitPrice: 32_000}}
		r, err := h.Reservations.Find(t.Context(), h.Reserve(t, req))
		dbtest.Must(t, err)
		return r
	}
	r, gone, missed := book(h.Guest(host, slot)), book(h.Guest(host, slot)), book(h.Guest(host, slot))
	r = h.Mark(t, r.ID, booking.Arrived, booking.Seated, booking.Completed)
	back, err := h.AtStart().UndoTo(t.Context(), r, booking.Arrived, host)
	if err != nil || back.State != booking.Arrived || !back.Attendance.SeatedAt.IsZero() {
		t.Errorf("back to arrived: %+v, %v", back, err)
	}
	if _, err := h.AtStart().UndoTo(t.Context(), r, booking.Confirmed, host); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("a second host who still sees it completed: %v", err)
	}
	if back, err = h.AtStart().UndoTo(t.Context(), back, booking.Confirmed, host); err != nil ||
		back.State != booking.Confirmed {
		t.Errorf("back to confirmed: %+v, %v", back, err)
	}
	h.Mark(t, missed.ID, booking.NoShow)
	cancelled, err := h.Reservations.CancelByStaff(t.Context(), gone.ID, host, "전화로 취소")
	if err != nil || cancelled.State != booking.Cancelled || cancelled.RefundAmount != 0 {
		t.Errorf("cancelled: %+v, %v", cancelled, err)
	}
	if held, left := h.held(t, slot), h.Left(t, slot)[h.Menu[0].ID]; held != 2 || left != 3 {
		t.Errorf("%d seats held, %d portions left", held, left)
	}
	h.MustExec(t, `UPDATE slots SET service_date = current_date + 1`)
	h.MustExec(t, `UPDATE menu_stock SET service_date = current_date + 1`)
	if err := letters.NewMailStore(h.Pool).AddReminders(t.Context(), 72*3600e9); err != nil ||
		h.Count(t, `SELECT count(*) FROM mails`) != 0 {
		t.Errorf("letters to nobody: %v", err)
	}
	if n := h.Count(t,
		`SELECT count(*) FROM audit_log WHERE action = 'reservation.cancelled' AND detail->>'reason' = '전화로 취소'`); n != 1 {
		t.Errorf("%d cancellations are written down with their reason", n)
	}
	checkBalances(t, h)
}

// The constraints refuse a reservation of nobody, a web booking without account, and money without one.
func TestSchema_EveryReservationIsSomebodys(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner, host := h.Diners(t, 1, 0)[0], h.Host(t)
	id, guest := h.Reserve(t, h.Request(diner, h.Slot("18:00"))), h.Reserve(t, h.Guest(host, h.Slot("18:00")))
	for _, c := range []struct{ query, id string }{
		{`UPDATE reservations SET user_id = NULL WHERE id = $1`, id},
		{`UPDATE reservations SET guest_name = 'Ann' WHERE id = $1`, id},
		{`UPDATE reservations SET source = 'phone' WHERE id = $1`, id},
		{`UPDATE reservations SET source = 'web' WHERE id = $1`, guest},
		{`UPDATE reservations SET guest_name = NULL WHERE id = $1`, guest},
		{`UPDATE reservations SET guest_name = '' WHERE id = $1`, guest},
		{`UPDATE reservations SET booked_by = NULL WHERE id = $1`, guest},
		{`UPDATE reservations SET paid_amount = 1 WHERE id = $1`, guest},
		{`UPDATE reservations SET state = 'refund_pending' WHERE id = $1`, guest},
	} {
		if err := h.Exec(t.Context(), c.query, c.id); err == nil {
			t.Errorf("%s was done", c.query)
		}
	}
}

// Staff choose seats freely, but never those of somebody else.
func TestServe_GuestsSeatsAreTheirs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seats := h.OpenRoom(t)
	slot, host := h.Slot("18:00"), h.Host(t)
	first, second := h.Guest(host, slot), h.Guest(host, slot)
	first.SeatIDs, second.SeatIDs = []int64{seats["T3"]}, []int64{seats["T3"]} // T3 is for three and more
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1), []booking.Request{first, second})
	dbtest.Must(t, err)
	var taken *booking.SeatTakenError
	if outcomes[0].Err != nil || !errors.As(outcomes[1].Err, &taken) ||
		!slices.Equal(taken.Taken, []int64{seats["T3"]}) || len(taken.Instead) == 0 {
		t.Errorf("%v, %v", outcomes[0].Err, outcomes[1].Err)
	}
	if names, err := h.Reservations.ListSeated(t.Context(), slot); err != nil || names[seats["T3"]] != "김하늘" {
		t.Errorf("who sits where: %v, %v", names, err)
	}
	checkBalances(t, h)
}
