package db_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/columns"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// Each mark is possible from its time on, by the database's clock, and is written down; what is refused changes
// nothing.
func TestMark_ByTheClock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	host := h.Diners(t, 1, 0)[0]
	for _, c := range []struct {
		in    time.Duration
		state booking.State
		err   error
	}{
		{40 * time.Minute, booking.Arrived, booking.ErrTooEarly},
		{20 * time.Minute, booking.Arrived, nil},
		{20 * time.Minute, booking.Seated, nil},
		{20 * time.Minute, booking.NoShow, booking.ErrTooEarly},
		{-2 * time.Minute, booking.NoShow, nil},
		{-2 * time.Minute, booking.Completed, booking.ErrWrongState},
		{-2 * time.Minute, booking.Expired, booking.ErrWrongState},
		{-2 * time.Minute, booking.Confirmed, booking.ErrWrongState},
	} {
		id, _ := h.Confirmed(t, h.StartingIn(c.in))
		got, err := h.Reservations.Mark(t.Context(), id, c.state, host)
		if !errors.Is(err, c.err) || err == nil && got.State != c.state {
			t.Errorf("%s in %v: %s, %v; want %v", c.state, c.in, got.State, err, c.err)
		}
		if now, err := h.Reservations.Find(t.Context(), id); err != nil || c.err != nil &&
			now.State != booking.Confirmed {
			t.Errorf("%s in %v was refused, and it is %s (%v)", c.state, c.in, now.State, err)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE staff_id = $1`, host); n != 3 {
		t.Errorf("%d acts in the audit log, want 3", n)
	}
	temporary := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.StartingIn(0)))
	if _, err := h.Reservations.Mark(t.Context(), temporary, booking.Arrived, host); !errors.Is(err,
		booking.ErrWrongState) {
		t.Errorf("a temporary one: %v", err)
	}
	if _, err := h.Reservations.Mark(t.Context(), "none", booking.Arrived, host); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("none: %v", err)
	}
}

// Undoing leads back the way that the marks have come, writes to nobody, and is written down.
func TestUndo_LeadsBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	host := h.Diners(t, 1, 0)[0]
	undo := func(id string, mark booking.State) booking.State {
		t.Helper()
		r, err := h.AtStart().Undo(t.Context(), id, mark, host)
		if err != nil {
			t.Errorf("undoing %s: %v", mark, err)
		}
		stored, err := h.Reservations.Find(t.Context(), id)
		if err != nil || stored.State != r.State || stored.Attendance != r.Attendance {
			t.Errorf("undoing %s stored %+v (%v), want %+v", mark, stored.Attendance, err, r.Attendance)
		}
		return r.State
	}
	deposit, _ := h.Confirmed(t, h.Slot("19:00"))
	prepaying := h.Diners(t, 1, 100_000)[0]
	prepaid := h.Reserve(t, h.Request(prepaying, h.Slot("19:00")))
	h.MustPay(t, prepaid, prepaying, booking.Prepay, "pay")
	letters := h.Count(t, `SELECT count(*) FROM mails`)
	for id, paid := range map[string]booking.State{deposit: booking.Confirmed, prepaid: booking.PrepaidConfirmed} {
		h.Mark(t, id, booking.Arrived, booking.Seated, booking.Completed)
		got := []booking.State{undo(id, booking.Completed), undo(id, booking.Seated), undo(id, booking.Arrived)}
		if want := []booking.State{booking.Seated, booking.Arrived, paid}; !slices.Equal(got, want) {
			t.Errorf("back through %v, want %v", got, want)
		}
		h.Mark(t, id, booking.Seated)
		if got := undo(id, booking.Seated); got != paid {
			t.Errorf("seated at once, back to %s, want %s", got, paid)
		}
		h.Mark(t, id, booking.NoShow)
		if got := undo(id, booking.NoShow); got != paid {
			t.Errorf("a no-show, back to %s, want %s", got, paid)
		}
		if _, err := h.AtStart().Undo(t.Context(), id, booking.NoShow, host); !errors.Is(err, booking.ErrWrongState) {
			t.Errorf("undoing twice: %v", err)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM mails`); n != letters {
		t.Errorf("%d letters were written for marks", n-letters)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'reservation.undo' AND staff_id = $1`,
		host); n != 10 {
		t.Errorf("%d of 10 are written down", n)
	}
}

// What a mark has freed comes back only while nobody else has it: covers, a named seat, the diner's own place.
func TestUndo_OnlyWhileTheSeatsAreFree(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seat := h.OpenRoom(t)["T1"]
	host := h.Diners(t, 1, 0)[0]
	for name, take := range map[string]func(slot booking.SlotKey, diner string){
		"covers": func(slot booking.SlotKey, _ string) {
			dbtest.Must(t, h.SetCapacity(t, slot, 1, host))
		},
		"the seat": func(slot booking.SlotKey, _ string) {
			h.Reserve(t, h.at(h.Diners(t, 1, 0)[0], slot, seat))
		},
		"the diner": func(slot booking.SlotKey, diner string) {
			h.Reserve(t, h.Request(diner, slot))
		},
	} {
		slot := h.Slot(map[string]booking.TimeOfDay{"covers": "11:00", "the seat": "12:00", "the diner": "13:00"}[name])
		diner := h.Diners(t, 1, 100_000)[0]
		id := h.Reserve(t, h.at(diner, slot, seat))
		h.MustPay(t, id, diner, booking.Deposit, "pay")
		h.Mark(t, id, booking.NoShow)
		take(slot, diner)
		if _, err := h.AtStart().Undo(t.Context(), id, booking.NoShow, host); !errors.Is(err, booking.ErrSeatsGiven) {
			t.Errorf("%s: %v, want %v", name, err, booking.ErrSeatsGiven)
		}
		if r, err := h.Reservations.Find(t.Context(), id); err != nil || r.State != booking.NoShow {
			t.Errorf("%s: %s (%v) afterwards", name, r.State, err)
		}
	}
}

// fourStates is what held seats before parties could arrive.
const fourStates = `('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')`

// arrivalAgainstPresses marks a party of two as arrived, in a slot of which two seats are left, while twenty others
// press for them, and returns how many seats are held afterwards.
func arrivalAgainstPresses(t *testing.T, h *harness, slot booking.SlotKey) int {
	t.Helper()
	id, _ := h.Confirmed(t, slot)
	host := h.Diners(t, 1, 0)[0]
	var wg sync.WaitGroup
	start := make(chan struct{})
	wg.Go(func() {
		<-start
		if _, err := h.AtStart().Mark(t.Context(), id, booking.Arrived, host); err != nil {
			t.Error(err)
		}
	})
	for _, diner := range h.Diners(t, 20, 0) {
		wg.Go(func() {
			<-start
			if _, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 4, 1),
				[]booking.Request{h.Request(diner, slot)}); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return h.held(t, slot)
}

func TestArrival_NeverOversells(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for minute := range 10 {
		slot := h.Slot(booking.TimeOfDay("12:" + twoDigits(minute)))
		h.makeSlot(t, slot, 4)
		if held := arrivalAgainstPresses(t, h, slot); held != 4 {
			t.Fatalf("%d seats are held of 4", held)
		}
	}
	checkBalances(t, h)
}

// Where arrived parties do not count, their seats are sold again.
func TestArrival_WithoutTheHoldingStateItOversells(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(db.ReadSlots,
		dbtest.Replacing("slot_id = slot.id AND state IN "+columns.HoldingStates,
			"slot_id = slot.id AND state IN "+fourStates))
	for minute := range 20 {
		slot := h.Slot(booking.TimeOfDay("12:" + twoDigits(minute)))
		h.makeSlot(t, slot, 4)
		if arrivalAgainstPresses(t, h, slot) > 4 {
			return
		}
	}
	t.Error("20 parties arrived, and no slot was oversold: the test above proves nothing")
}

func (h *harness) makeSlot(t testing.TB, slot booking.SlotKey, capacity int) {
	t.Helper()
	h.MustExec(t, `INSERT INTO slots (restaurant_id, service_date, service_time, capacity) VALUES ($1, $2, $3, $4)`,
		slot.RestaurantID, string(slot.Date), string(slot.Time), capacity)
}

// twoHosts lets one host mark a guest as arrived and another one as a no-show at the same moment, and returns how many
// succeeded.
func twoHosts(t *testing.T, h *harness, slot booking.SlotKey) (marked int) {
	t.Helper()
	id, _ := h.Confirmed(t, slot)
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for i, host := range h.Diners(t, 2, 0) {
		wg.Go(func() {
			<-start
			state := []booking.State{booking.Arrived, booking.NoShow}[i]
			_, err := h.AtStart().Mark(t.Context(), id, state, host)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				marked++
			} else if !errors.Is(err, booking.ErrWrongState) {
				t.Errorf("%s: %v", state, err)
			}
		})
	}
	close(start)
	wg.Wait()
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE reservation_id = $1`, id); n != marked {
		t.Errorf("%d marks, %d written down", marked, n)
	}
	return marked
}

func TestTwoHosts_OneMarks(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for minute := range 20 {
		if marked := twoHosts(t, h, h.Slot(booking.TimeOfDay("12:"+twoDigits(minute)))); marked != 1 {
			t.Fatalf("%d hosts have marked the guest", marked)
		}
	}
}

// Both hosts have read the guest's state before either writes.
func TestTwoHosts_WithoutLockAndCompareAndSetBothMark(t *testing.T) {
	t.Parallel()
	h := setup(t)
	both := dbtest.Meeting(2)
	h.Weaken(db.LockReservation, unlocked)
	h.Weaken(db.UpdateAttendance, func(query string) string { return inAnyState(both(query)) })
	if marked := twoHosts(t, h, h.Slot("12:00")); marked != 2 {
		t.Errorf("%d hosts have marked the guest without the guards: the test above proves nothing", marked)
	}
}

// undoAgainstPresses takes a no-show back while twenty others press for its seats, the last ones of the slot, and
// returns how many seats are held afterwards.
func undoAgainstPresses(t *testing.T, h *harness, slot booking.SlotKey) int {
	t.Helper()
	id, _ := h.Confirmed(t, slot)
	h.Mark(t, id, booking.NoShow)
	host := h.Diners(t, 1, 0)[0]
	diners := h.Diners(t, 20, 0)
	var wg sync.WaitGroup
	var mu sync.Mutex
	served := 0
	start := make(chan struct{})
	won := func() {
		mu.Lock()
		defer mu.Unlock()
		served++
	}
	for i, diner := range diners {
		if i == len(diners)/2 {
			wg.Go(func() {
				<-start
				if _, err := h.AtStart().Undo(t.Context(), id, booking.NoShow, host); err == nil {
					won()
				} else if !errors.Is(err, booking.ErrSeatsGiven) {
					t.Error(err)
				}
			})
		}
		wg.Go(func() {
			<-start
			out, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 2, 1), []booking.Request{h.Request(diner, slot)})
			if err != nil {
				t.Error(err)
			} else if out[0].Reserves() {
				won()
			}
		})
	}
	close(start)
	wg.Wait()
	if held := h.held(t, slot); held != 2*served {
		t.Errorf("%d have seats, %d seats are held", served, held)
	}
	return served
}

func TestUndo_OfANoShowAgainstPressesForTheLastSeats(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for minute := range 20 {
		slot := h.Slot(booking.TimeOfDay("12:" + twoDigits(minute)))
		h.makeSlot(t, slot, 2)
		if served := undoAgainstPresses(t, h, slot); served != 1 {
			t.Fatalf("%d have the last seats", served)
		}
	}
	checkBalances(t, h)
}

// A diner gets the seats after the undo has seen that they are free and before it takes them.
func TestUndo_WithoutTheSlotsLocksItOversells(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("12:00")
	h.makeSlot(t, slot, 2)
	id, _ := h.Confirmed(t, slot)
	h.Mark(t, id, booking.NoShow)
	diners := h.Diners(t, 2, 0)
	h.Weaken(db.LockSlotsOf, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(db.UpdateAttendance, func(query string) string {
		h.Reserve(t, h.Request(diners[0], slot))
		return query
	})
	if _, err := h.AtStart().Undo(t.Context(), id, booking.NoShow, diners[1]); err != nil {
		t.Fatal(err)
	}
	if held := h.held(t, slot); held <= 2 {
		t.Errorf("%d seats are held of 2 without the locks: the test above proves nothing", held)
	}
}

// moveToNoon moves the restaurant to a time zone where it is about noon, so that a stay of some hours lies within a
// day.
func (h *harness) moveToNoon(t testing.TB) {
	t.Helper()
	h.Restaurant.Location = dbtest.ZoneAtNoon(t)
	h.MustExec(t, `UPDATE restaurants SET time_zone = $1`, h.Restaurant.Location.String())
}

// Stays that have ended are completed once, however many instances look for them, and by the end of their last slot;
// those of who was seated when the grace is over too.
func TestCompleteStays_OnceEach(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.moveToNoon(t)
	over, going := h.StartingIn(-95*time.Minute), h.StartingIn(-30*time.Minute)
	var ids []string
	for range 12 {
		id, _ := h.Confirmed(t, over)
		ids = append(ids, id)
	}
	for i, id := range ids {
		if i < 10 {
			h.Mark(t, id, []booking.State{booking.Arrived, booking.Seated}[i%2])
		}
	}
	h.Mark(t, ids[10], booking.NoShow) // the last one is not marked
	there, _ := h.Confirmed(t, going)
	h.Mark(t, there, booking.Seated)
	diner := h.Diners(t, 1, 100_000)[0]
	long := h.Request(diner, over)
	long.Stay = []booking.TimeOfDay{h.StartingIn(-5 * time.Minute).Time}
	stays := h.Reserve(t, long)
	h.MustPay(t, stays, diner, booking.Deposit, "pay")
	h.Mark(t, stays, booking.Arrived)

	second := newHarness(h.Instance(t), h.URL)
	var wg sync.WaitGroup
	for _, instance := range []*harness{h, second, h, second} {
		wg.Go(func() {
			for range 4 {
				slots, err := instance.Reservations.CompleteStays(t.Context(), 2)
				if err != nil || len(slots) > 0 && !slices.Equal(slots, []booking.SlotKey{over}) {
					t.Errorf("%v, %v", slots, err)
				}
			}
		})
	}
	wg.Wait()
	if n := h.Count(t,
		`SELECT count(*) FROM reservations WHERE state = 'completed' AND ended_at IS NOT NULL AND swept`); n != 10 {
		t.Errorf("%d are completed, want 10", n)
	}
	if n := h.Count(t,
		`SELECT count(*) FROM reservations WHERE state IN ('arrived', 'seated', 'confirmed', 'no_show')`); n != 4 {
		t.Errorf("%d others are as they were, want 4", n)
	}
	if slots, err := h.Reservations.CompleteStays(t.Context(), 10); err != nil || len(slots) != 0 {
		t.Errorf("once more: %v, %v", slots, err)
	}
	if _, err := h.Reservations.Undo(t.Context(), ids[0], booking.Completed, diner); !errors.Is(err,
		booking.ErrWrongState) {
		t.Errorf("undoing what the end of the stay has completed: %v", err)
	}
}

// A party that was seated overstays: its table is somebody's while its slots are over, so that who comes to the door
// gets another one, until the grace is over or somebody else is seated there. The auditor finds nothing wrong.
func TestCompleteStays_SeatedOverstay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.OpenRoom(t)
	h.moveToNoon(t)
	over, now := h.StartingIn(-65*time.Minute), h.StartingIn(-5*time.Minute)
	stays, _ := h.Confirmed(t, over)
	arrived, _ := h.Confirmed(t, over)
	h.Mark(t, stays, booking.Seated)
	h.Mark(t, arrived, booking.Arrived)
	find := func(id string) booking.Reservation { r, _ := h.mustFind(t, id); return r }
	share := func(a, b []int64) bool {
		return slices.ContainsFunc(a, func(id int64) bool { return slices.Contains(b, id) })
	}
	seats, host := find(stays).SeatIDs(), h.Host(t)
	complete := func() []booking.SlotKey {
		t.Helper()
		slots, err := h.Reservations.CompleteStays(t.Context(), 10)
		dbtest.Must(t, err)
		return slots
	}
	if complete(); find(stays).State != booking.Seated || find(arrived).State != booking.Completed {
		t.Fatalf("after its stay %+v", find(stays).State)
	}
	occupied, err := h.Reservations.ListOverstayed(t.Context(), h.Restaurant.ID)
	if err != nil || !slices.Equal(occupied, seats) || len(seats) == 0 {
		t.Fatalf("%v of %v are occupied, %v", occupied, seats, err)
	}
	req := testkit.WalkIn(h.Guest(host, now), booking.Arrived)
	req.Occupied = occupied
	id := h.Reserve(t, req)
	if got := find(id).SeatIDs(); len(got) == 0 || share(got, seats) {
		t.Errorf("who comes to the door gets %v, %v are occupied", got, seats)
	}
	if held := h.held(t, now); held != req.PartySize {
		t.Errorf("%d covers are held in the slot that runs, want those of the walk-in", held)
	}
	// Control: without the seats that are occupied.
	next := h.Reserve(t, testkit.WalkIn(h.Guest(host, now), booking.Arrived))
	if got := find(next).SeatIDs(); !share(got, seats) {
		t.Errorf("by the plan %v are given: the test above proves nothing", got)
	}
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("%+v, %v", report.Wrong(), err)
	}
	h.Mark(t, next, booking.Seated)
	if slots := complete(); !slices.Equal(slots, []booking.SlotKey{over}) || find(stays).State != booking.Completed {
		t.Errorf("when somebody else sits there: %v, %v", slots, find(stays).State)
	}
	if occupied, err = h.Reservations.ListOverstayed(t.Context(), h.Restaurant.ID); err != nil || len(occupied) > 0 {
		t.Errorf("%v are occupied, %v", occupied, err)
	}
}
