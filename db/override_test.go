package db_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// An override seats a party in a slot that is full, with its reason in the log and for staff; what is left is never
// below zero, and no diner gets more for it. It is refused beyond the fire limit, and changes nothing where the plan
// has seats.
func TestOverride_SeatsOverPlan(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.SetFireLimit(t, 13)
	slot, host := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	if out := h.ServeAlone(t, testkit.OverPlan(h.Guest(host, slot), 8)); !out.Reserves() || out.Overridden {
		t.Fatalf("with seats left: %+v", out)
	}
	plain := h.Guest(host, slot)
	plain.PartySize = 4
	if out := h.ServeAlone(t, plain); !errors.Is(out.Err, booking.ErrSoldOut) {
		t.Fatalf("without an override: %+v", out)
	}
	out := h.ServeAlone(t, testkit.OverPlan(h.Guest(host, slot), 4))
	if !out.Reserves() || !out.Overridden {
		t.Fatalf("with an override: %+v", out)
	}
	guest, err := h.Reservations.FindGuest(t.Context(), out.ReservationID)
	if err != nil || guest.Override != "단골, 30분만" {
		t.Errorf("staff read %q, %v", guest.Override, err)
	}
	if o := h.occupancyOf(t, slot); o.Held != 12 || o.Remaining() != 0 || o.Free() != 0 {
		t.Errorf("%d of %d are held, %d left", o.Held, o.Capacity, o.Remaining())
	}
	diner := h.Diners(t, 1, 0)[0]
	single := h.Request(diner, slot)
	single.PartySize = 1
	if out := h.ServeAlone(t, single); !errors.Is(out.Err, booking.ErrSoldOut) {
		t.Errorf("a diner got %+v", out)
	}
	var full *booking.FireLimitError
	beyond := h.ServeAlone(t, testkit.OverPlan(h.Guest(host, slot), 2))
	if !errors.As(beyond.Err, &full) || full.Limit != 13 || full.Inside != 12 {
		t.Errorf("beyond the fire limit: %+v", beyond)
	}
	if n := h.Count(t, `
		SELECT count(*)
		FROM audit_log
		WHERE action = 'reservation.override' AND detail->>'reason' = '단골, 30분만'`); n != 1 {
		t.Errorf("%d acts are in the log", n)
	}
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("the audit found %+v, %v", report.Wrong(), err)
	}
}

// Without a fire limit of its own a restaurant holds as many people as have a seat; where nothing has a name, as many
// as its capacity.
func TestOverride_LimitBySeats(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, host := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	limit := func(want int) {
		t.Helper()
		var full *booking.FireLimitError
		out := h.ServeAlone(t, testkit.OverPlan(h.Guest(host, slot), 15))
		if !errors.As(out.Err, &full) || full.Limit != want {
			t.Errorf("got %+v, want the limit %d", out, want)
		}
	}
	limit(10)
	h.OpenRoom(t)
	limit(12)
}

// A party over the plan gets a table that is free when it comes and taken soon. It holds it until then, and nobody
// loses what they have; where no table is free it gets none.
func TestOverride_TableTakenSoon(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.SetFireLimit(t, 40)
	table := h.OpenRoom(t)["T3"]
	first, later, host := h.Slot("18:30"), h.Slot("19:30"), h.Diners(t, 1, 0)[0]
	booked := h.Guest(host, later)
	booked.PartySize, booked.SeatIDs = 4, []int64{table}
	if out := h.ServeAlone(t, booked); !out.Reserves() {
		t.Fatalf("got %+v", out)
	}
	req := testkit.OverPlan(h.Guest(host, first), 4, table)
	req.Stay = []booking.TimeOfDay{later.Time}
	plain := req
	plain.Override, plain.IdempotencyKey = nil, "plain"
	if out := h.ServeAlone(t, plain); !errors.Is(out.Err, booking.ErrSeatTaken) {
		t.Fatalf("without an override: %+v", out)
	}
	out := h.ServeAlone(t, req)
	if !out.Overridden || !slices.Equal(out.SeatIDs, []int64{table}) {
		t.Fatalf("got %+v", out)
	}
	again := testkit.OverPlan(h.Guest(host, first), 4, table)
	again.Stay = req.Stay
	if out := h.ServeAlone(t, again); !errors.Is(out.Err, booking.ErrSeatTaken) {
		t.Errorf("the table was given twice: %+v", out)
	}
	for slot, want := range map[booking.SlotKey]int{first: 4, later: 8} { // in any order
		if o := h.occupancyOf(t, slot); o.Held != want || !o.Seats.Has(table) {
			t.Errorf("%s: %d are held, want %d", slot.Time, o.Held, want)
		}
	}
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("the audit found %+v, %v", report.Wrong(), err)
	}
	if _, err := h.Reservations.CancelByStaff(t.Context(), out.ReservationID, host, ""); err != nil {
		t.Fatal(err)
	}
	if o := h.occupancyOf(t, later); o.Held != 4 || !o.Seats.Has(table) {
		t.Errorf("after it has gone: %+v", o)
	}
}

// movedTo makes a request of a host that moves a guest to a slot over the plan.
func (h *harness) movedTo(t testing.TB, host, id string, slot booking.SlotKey, party int,
	seats ...int64) booking.Request {
	t.Helper()
	req := h.Wanting(t, id, at(slot))
	req.UserID, req.Change.ByStaff = host, true
	return testkit.OverPlan(req, party, seats...)
}

// A party is moved over the plan with a reason, which staff read and the log has, and never beyond the fire limit. Moved
// to where the plan has seats for it, it is in the plan again.
func TestOverride_MovesOverPlan(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.SetFireLimit(t, 13)
	slot, host := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	full := h.Guest(host, slot)
	full.PartySize = 10
	if out := h.ServeAlone(t, full); !out.Reserves() {
		t.Fatalf("got %+v", out)
	}
	id := h.ServeAlone(t, h.Guest(host, h.Slot("18:00"))).ReservationID
	is := func(overridden bool, held int) {
		t.Helper()
		guest, err := h.Reservations.FindGuest(t.Context(), id)
		if err != nil || guest.Override != "" != overridden {
			t.Errorf("staff read %q, %v", guest.Override, err)
		}
		if n := h.held(t, slot); n != held {
			t.Errorf("%d are held, want %d", n, held)
		}
		if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
			t.Errorf("the audit found %+v, %v", report.Wrong(), err)
		}
	}
	plain := h.movedTo(t, host, id, slot, 2)
	plain.Override = nil
	if out := h.ServeAlone(t, plain); !errors.Is(out.Err, booking.ErrSoldOut) {
		t.Fatalf("without an override: %+v", out)
	}
	if out := h.ServeAlone(t, h.movedTo(t, host, id, slot, 4)); !errors.Is(out.Err, booking.ErrFireLimit) {
		t.Fatalf("beyond the fire limit: %+v", out)
	}
	is(false, 10)
	out := h.ServeAlone(t, h.movedTo(t, host, id, slot, 2))
	if out.Changed == nil || !out.Overridden {
		t.Fatalf("with an override: %+v", out)
	}
	is(true, 12)
	if out := h.ServeAlone(t, h.movedTo(t, host, id, slot, 3)); !out.Overridden {
		t.Fatalf("with another person: %+v", out)
	}
	is(true, 13)
	if n := h.Count(t, `
		SELECT count(*)
		FROM audit_log
		WHERE action = 'reservation.override' AND detail->>'reason' = '단골, 30분만' AND detail->'was' IS NOT NULL`); n != 2 {
		t.Errorf("%d acts are in the log", n)
	}
	if out := h.ServeAlone(t, h.movedTo(t, host, id, h.Slot("18:00"), 2)); out.Changed == nil || out.Overridden {
		t.Fatalf("where the plan has seats: %+v", out)
	}
	is(false, 10)
}

// A party that is moved over the plan to a table that is taken soon holds it until then. Whoever has it later keeps it,
// also when the party is changed again; once nobody has it, the party can have it for all of its stay.
func TestOverride_MovesToTableTakenSoon(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.SetFireLimit(t, 40)
	table := h.OpenRoom(t)["T3"]
	first, later, host := h.Slot("18:30"), h.Slot("19:30"), h.Diners(t, 1, 0)[0]
	booked := h.Guest(host, later)
	booked.PartySize, booked.SeatIDs = 4, []int64{table}
	other := h.ServeAlone(t, booked).ReservationID
	id := h.ServeAlone(t, h.Guest(host, h.Slot("17:30"))).ReservationID
	lacks := func(want ...booking.SeatAt) {
		t.Helper()
		if guest, err := h.Reservations.FindGuest(t.Context(), id); err != nil || !slices.Equal(guest.Lacks, want) {
			t.Errorf("staff see that it lacks %+v, want %+v, %v", guest.Lacks, want, err)
		}
	}
	move := func(party int, over bool) {
		t.Helper()
		req := h.movedTo(t, host, id, first, party, table)
		req.Stay = []booking.TimeOfDay{later.Time}
		if out := h.ServeAlone(t, req); out.Changed == nil || out.Overridden != over ||
			!slices.Equal(out.Changed.SeatIDs(), []int64{table}) {
			t.Fatalf("got %+v", out)
		}
		if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
			t.Errorf("the audit found %+v, %v", report.Wrong(), err)
		}
	}
	move(4, true)
	lacks(booking.SeatAt{Time: later.Time, ID: table})
	move(3, true)
	if _, err := h.Reservations.CancelByStaff(t.Context(), other, host, ""); err != nil {
		t.Fatal(err)
	}
	move(4, false)
	lacks()
	if o := h.occupancyOf(t, later); o.Held != 4 || !o.Seats.Has(table) {
		t.Errorf("once nobody else has the table: %+v", o)
	}
}

// contendOver has hosts seat parties of two over the plan of a full slot at once, of which so many book and the others
// move a party there, where the house holds one of them. It returns how many people are held. Once the slot is full,
// weaken takes a guard away.
func contendOver(t *testing.T, h *harness, books, moves int, weaken func()) int {
	t.Helper()
	h.SetFireLimit(t, 12)
	slot, host := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	full := h.Guest(host, slot)
	full.PartySize = 10
	if out := h.ServeAlone(t, full); !out.Reserves() {
		t.Fatalf("got %+v", out)
	}
	var asked []booking.Request
	for range books {
		asked = append(asked, testkit.OverPlan(h.Guest(host, slot), 2))
	}
	for range moves {
		was := h.ServeAlone(t, h.Guest(host, h.Slot([]booking.TimeOfDay{"12:00", "18:00"}[len(asked)%2])))
		asked = append(asked, h.movedTo(t, host, was.ReservationID, slot, 2))
	}
	weaken()
	var group sync.WaitGroup
	start := make(chan struct{})
	for _, req := range asked {
		group.Go(func() {
			<-start
			outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1), []booking.Request{req})
			if err != nil || outcomes[0].Err != nil && !errors.Is(outcomes[0].Err, booking.ErrFireLimit) {
				t.Errorf("got %+v, %v", outcomes, err)
			}
		})
	}
	close(start)
	group.Wait()
	return h.held(t, slot)
}

// Hosts who seat parties over the plan at the same moment, new ones and such as they move, never fill the house beyond
// the fire limit. Without the lock on the slot they do.
func TestOverride_RaceForFireLimit(t *testing.T) {
	t.Parallel()
	for _, who := range []struct{ books, moves int }{{8, 0}, {0, 8}, {4, 4}} {
		if held := contendOver(t, setup(t), who.books, who.moves, func() {}); held != 12 {
			t.Errorf("%+v: %d people are in the house, want 12", who, held)
		}
	}
	h := setup(t)
	books := contendOver(t, h, 8, 0, func() {
		h.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded))
		h.Weaken(db.InsertReservations, dbtest.Meeting(2))
	})
	other := setup(t)
	moves := contendOver(t, other, 0, 8, func() {
		other.Weaken(db.LockSlotsOfChanges, dbtest.Instead(lockChangesUnguarded))
		other.Weaken(db.UpdateTerms, dbtest.Meeting(2))
	})
	if books <= 12 || moves <= 12 {
		t.Errorf("without the lock %d and %d people are in the house: the test above proves nothing", books, moves)
	}
}
