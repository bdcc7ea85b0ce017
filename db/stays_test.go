package db_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// The evening of these tests, slot by slot.
var eveningTimes = []booking.TimeOfDay{"18:00", "19:00", "20:00"}

// staying is a request of a party that stays for n slots.
func (h *harness) staying(userID string, from booking.TimeOfDay, party, n int) booking.Request {
	req := h.Request(userID, h.Slot(from))
	req.PartySize, req.Stay = party, h.Restaurant.StayFrom(from, n)
	return req
}

// eveningHeld is how many seats are held in each slot of the evening.
func (h *harness) eveningHeld(t testing.TB) (held []int) {
	t.Helper()
	for _, at := range eveningTimes {
		held = append(held, h.held(t, h.Slot(at)))
	}
	return held
}

func TestStay_HoldsSeatsInEverySlot(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 4, 0)
	first := h.staying(diners[0], "18:00", 4, 3)
	outcomes, after, err := h.Slots.Serve(t.Context(), h.TurnOf(first, 10, 0), []booking.Request{first})
	if err != nil || !outcomes[0].Reserves() || len(after) != 3 || after[2].Held != 4 {
		t.Fatalf("%+v, %+v, %v", outcomes, after, err)
	}
	h.Reserve(t, h.staying(diners[1], "20:00", 5, 1))
	if held := h.eveningHeld(t); !slices.Equal(held, []int{4, 4, 9}) {
		t.Errorf("held %v", held)
	}
	second := h.staying(diners[2], "18:00", 2, 3)
	outcomes, _, err = h.Slots.Serve(t.Context(), h.TurnOf(second, 10, 0), []booking.Request{second})
	var full *booking.SoldOutError
	if err != nil || !errors.As(outcomes[0].Err, &full) || full.Remaining != 1 {
		t.Errorf("into the fullest of three: %+v, %v", outcomes, err)
	}
	again := h.Request(diners[0], h.Slot("19:00"))
	outcomes, _, err = h.Slots.Serve(t.Context(), h.Turn(again.Slot, 10, 0), []booking.Request{again})
	if err != nil || !errors.Is(outcomes[0].Err, booking.ErrDuplicate) {
		t.Errorf("where the diner stays already: %+v, %v", outcomes, err)
	}
	outcomes, _, err = h.Slots.Serve(t.Context(), h.TurnOf(first, 10, 6), []booking.Request{first})
	if err != nil || outcomes[0].Existing == nil || !slices.Equal(outcomes[0].Existing.Stay, first.Stay) {
		t.Errorf("the same key again: %+v, %v", outcomes, err)
	}
	for _, at := range eveningTimes {
		guests, err := h.Reservations.ListGuests(t.Context(), h.Slot(at), keyset.Request{})
		if err != nil || !slices.ContainsFunc(guests.Items, func(g reserve.Guest) bool {
			return g.UserID == diners[0] && g.Slot == first.Slot
		}) {
			t.Errorf("at %s staff see %+v, %v", at, guests, err)
		}
	}
	checkBalances(t, h)
}

// A stale fence in one slot of a stay refuses the whole turn.
func TestServe_StaleFenceInOneSlot(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 2, 0)
	if _, _, err := h.Slots.Serve(t.Context(), h.Turn(h.Slot("19:00"), 10, 9), nil); err != nil {
		t.Fatal(err)
	}
	req := h.staying(diners[0], "18:00", 2, 2)
	var stale *booking.StaleFenceError
	if _, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 10, 8), []booking.Request{req}); !errors.As(err,
		&stale) || stale.Stored != 9 {
		t.Errorf("fence 8 after 9 in the second slot: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM slots WHERE service_time = '18:00'`); n != 0 {
		t.Error("something of it stayed")
	}
	wrong := h.staying(diners[1], "18:00", 2, 1)
	outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 10, 9), []booking.Request{req, wrong})
	if err != nil || !outcomes[0].Reserves() || !errors.Is(outcomes[1].Err, db.ErrOtherSlots) {
		t.Errorf("a request for other slots in the run: %+v, %v", outcomes, err)
	}
}

func TestStay_EndFreesEverySlot(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slots := h.Slot("18:00").Slots(eveningTimes[1:])
	for name, c := range map[string]struct {
		end  func(t *testing.T, id, diner string) []booking.SlotKey // says which slots came free, if it does
		paid bool
		held []int
	}{
		"cancelling": {func(t *testing.T, id, diner string) []booking.SlotKey {
			r, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
			if err != nil {
				t.Fatal(err)
			}
			return r.Slots()
		}, false, []int{0, 0, 0}},
		"expiry": {func(t *testing.T, id, _ string) []booking.SlotKey {
			h.MustExec(t, `UPDATE reservations SET hold_expires_at = now() WHERE id = $1`, id)
			freed, err := h.Reservations.ExpireHolds(t.Context(), 10)
			if err != nil {
				t.Fatal(err)
			}
			return freed
		}, false, []int{0, 0, 0}},
		"a refund": {func(t *testing.T, id, diner string) []booking.SlotKey {
			if _, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner}); err != nil {
				t.Fatal(err)
			}
			if held := h.eveningHeld(t); !slices.Equal(held, []int{2, 2, 2}) {
				t.Errorf("before the refund %v are held", held)
			}
			freed, err := h.Reservations.SettleRefunds(t.Context(), 10)
			if err != nil {
				t.Fatal(err)
			}
			return freed
		}, true, []int{0, 0, 0}},
		"not coming": {func(t *testing.T, id, _ string) []booking.SlotKey {
			return h.Mark(t, id, booking.NoShow).Slots()
		}, true, []int{0, 0, 0}},
		"coming": {func(t *testing.T, id, _ string) []booking.SlotKey {
			return h.Mark(t, id, booking.Arrived).Slots()
		}, true, []int{2, 2, 2}}, // the party is there
		"sitting": {func(t *testing.T, id, _ string) []booking.SlotKey {
			return h.Mark(t, id, booking.Seated).Slots()
		}, true, []int{2, 2, 2}},
		"leaving": {func(t *testing.T, id, _ string) []booking.SlotKey {
			return h.Mark(t, id, booking.Seated, booking.Completed).Slots()
		}, true, []int{0, 0, 0}},
		"coming, by a server of before": {func(t *testing.T, id, _ string) []booking.SlotKey {
			h.MustExec(t, `UPDATE reservations SET state = 'completed' WHERE id = $1`, id)
			return slots
		}, true, []int{0, 2, 2}}, // it keeps the later slots, as it did then
	} {
		t.Run(name, func(t *testing.T) {
			diner := h.Diners(t, 1, 100_000)[0]
			id := h.Reserve(t, h.staying(diner, "18:00", 2, 3))
			if c.paid {
				if _, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil {
					t.Fatal(err)
				}
			}
			freed := c.end(t, id, diner)
			slices.SortFunc(freed, func(a, b booking.SlotKey) int {
				return slices.Compare([]byte(a.Time), []byte(b.Time))
			})
			if !slices.Equal(freed, slots) {
				t.Errorf("it says of %v that they changed", freed)
			}
			if held := h.eveningHeld(t); !slices.Equal(held, c.held) {
				t.Errorf("%v are held, want %v", held, c.held)
			}
			checkBalances(t, h)
			h.MustExec(t, `DELETE FROM reservation_stays`)
			h.MustExec(t,
				`UPDATE reservations SET state = 'completed', ended_at = now() WHERE state IN ('arrived', 'seated')`)
		})
	}
}

// A late payment takes all slots of a stay again, or none.
func TestPayLate_AllSlotsOrNone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 4, 100_000)
	expired := func(diner string) string {
		req := h.staying(diner, "18:00", 4, 3)
		req.HoldTime = 0
		id := h.Reserve(t, req)
		h.sweepHolds(t)
		return id
	}
	id := expired(diners[0])
	if r, err := h.Pay(t, id, diners[0], booking.Deposit, "pay"); err != nil || r.State != booking.Confirmed {
		t.Fatalf("%+v, %v", r, err)
	}
	if held := h.eveningHeld(t); !slices.Equal(held, []int{4, 4, 4}) {
		t.Errorf("after the late payment %v are held", held)
	}
	id = expired(diners[1])
	h.MustExec(t, `UPDATE slots SET capacity = 7 WHERE service_time = '20:00'`) // three are left in the last slot
	if _, err := h.Pay(t, id, diners[1], booking.Deposit, "pay"); !errors.Is(err, booking.ErrReturned) {
		t.Errorf("with too few seats in the last slot: %v", err)
	}
	if held := h.eveningHeld(t); !slices.Equal(held, []int{4, 4, 4}) {
		t.Errorf("after the returned payment %v are held", held)
	}
	checkBalances(t, h)
}

// lockFirstSlotOnly raises the fences of all slots of a turn, but only the first is locked by the time its seats are
// counted: the others are read as they are, as by somebody who takes a stay for a matter of its first slot.
const lockFirstSlotOnly = `
	WITH locked AS (
		INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity, fence)
		SELECT $1, $2::date, min(at), $4, $5
		FROM unnest($3::time[]) AS turn (at)
		ON CONFLICT ON CONSTRAINT slots_one_per_time
		DO UPDATE SET fence = greatest(s.fence, excluded.fence)
		RETURNING id, capacity, closed, service_time
	)
	SELECT id, capacity, closed
	FROM (
		SELECT id, capacity, closed, service_time FROM locked
		UNION
		SELECT id, capacity, closed, service_time
		FROM slots
		WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = ANY ($3::time[])
			AND service_time > (SELECT min(at) FROM unnest($3::time[]) AS turn (at))
			AND COALESCE($6::text[], '{}') IS NOT NULL
	) turn
	ORDER BY service_time`

// contendForTheEvening serves requests at one moment, each for itself, at two instances, and returns
// how many seats each slot has given away.
func contendForTheEvening(t *testing.T, h *harness, requests []booking.Request) []int {
	t.Helper()
	stores := []*db.SlotStore{db.NewSlotStore(h.Instance(t)), db.NewSlotStore(h.Instance(t))}
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i, req := range requests {
		wg.Go(func() {
			<-start
			outcomes, _, err := stores[i%2].Serve(t.Context(), h.TurnOf(req, h.Restaurant.Capacity, 1),
				[]booking.Request{req})
			var full *booking.SoldOutError
			if err != nil || !outcomes[0].Reserves() && !errors.As(outcomes[0].Err, &full) {
				t.Errorf("%+v, %v", outcomes, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return h.eveningHeld(t)
}

// TestStay_NeverOversold has parties of two that stay for one, two or three slots ask for overlapping parts of an
// evening.
func TestStay_NeverOversold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	var requests []booking.Request
	for i, diner := range h.Diners(t, 120, 0) {
		from := i % 3
		requests = append(requests, h.staying(diner, eveningTimes[from], 2, 1+i/3%(3-from)))
	}
	held := contendForTheEvening(t, h, requests)
	for i, n := range held {
		if n > h.Restaurant.Capacity {
			t.Errorf("%d seats of %d are given away at %s", n, h.Restaurant.Capacity, eveningTimes[i])
		}
	}
	if slices.Max(held) < h.Restaurant.Capacity {
		t.Errorf("nothing was sold out: %v", held)
	}
	checkBalances(t, h)
}

// TestStay_WithoutOtherLocks has a party that comes at 18:00 and one that comes at 19:00 read that the last
// two seats at 19:00 are free, before either takes them.
func TestStay_WithoutOtherLocks(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 6, 0)
	for _, diner := range diners[:4] {
		h.Reserve(t, h.staying(diner, eveningTimes[1], 2, 1))
	}
	h.Weaken(db.LockSlots, dbtest.Instead(lockFirstSlotOnly))
	h.Weaken(db.InsertReservations, dbtest.Meeting(2))
	requests := []booking.Request{h.staying(diners[4], eveningTimes[0], 2, 2),
		h.staying(diners[5], eveningTimes[1], 2, 1)}
	if held := contendForTheEvening(t, h, requests); held[1] <= h.Restaurant.Capacity {
		t.Errorf("%v: with the first slot alone locked nothing was oversold: the test above proves nothing", held)
	}
}
