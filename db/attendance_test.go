package db

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// atStart returns the reservations by a clock that says of each that its slot has just begun.
func (f *fixture) atStart() *ReservationStore {
	const now = "clock_timestamp() AS now"
	const start = "(locked.service_date::date + locked.service_time::time) AT TIME ZONE locked.time_zone AS now"
	weaken := func(g guard, query string) string {
		if query = f.guarded(g, query); g == lockReservation {
			return replacing(now, start)(query)
		}
		return query
	}
	return NewReservationStore(&DB{pool: f.pool, config: f.config, statements: f.statements, weaken: weaken})
}

// mark marks a party when its slot has just begun, one mark after another.
func (f *fixture) mark(t testing.TB, id string, states ...booking.State) (r booking.Reservation) {
	t.Helper()
	host := f.diners(t, 1, 0)[0]
	for _, state := range states {
		var err error
		if r, err = f.atStart().Mark(t.Context(), id, state, host); err != nil {
			t.Fatalf("%s: %v", state, err)
		}
	}
	return r
}

// Each mark is possible from its time on, by the database's clock, and is written down; what is refused changes nothing.
func TestMark_ByTheClock(t *testing.T) {
	t.Parallel()
	f := setup(t)
	host := f.diners(t, 1, 0)[0]
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
		id, _ := f.confirmed(t, f.startingIn(c.in))
		got, err := f.reservations.Mark(t.Context(), id, c.state, host)
		if !errors.Is(err, c.err) || err == nil && got.State != c.state {
			t.Errorf("%s in %v: %s, %v; want %v", c.state, c.in, got.State, err, c.err)
		}
		if now, err := f.reservations.Find(t.Context(), id); err != nil || c.err != nil && now.State != booking.Confirmed {
			t.Errorf("%s in %v was refused, and it is %s (%v)", c.state, c.in, now.State, err)
		}
	}
	if n := f.count(t, `SELECT count(*) FROM audit_log WHERE staff_id = $1`, host); n != 3 {
		t.Errorf("%d acts in the audit log, want 3", n)
	}
	temporary := f.reserve(t, f.request(f.diners(t, 1, 0)[0], f.startingIn(0)))
	if _, err := f.reservations.Mark(t.Context(), temporary, booking.Arrived, host); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("a temporary one: %v", err)
	}
	if _, err := f.reservations.Mark(t.Context(), "none", booking.Arrived, host); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("none: %v", err)
	}
}

// Undoing leads back the way that the marks have come, writes to nobody, and is written down.
func TestUndo_LeadsBack(t *testing.T) {
	t.Parallel()
	f := setup(t)
	host := f.diners(t, 1, 0)[0]
	undo := func(id string, mark booking.State) booking.State {
		t.Helper()
		r, err := f.atStart().Undo(t.Context(), id, mark, host)
		if err != nil {
			t.Errorf("undoing %s: %v", mark, err)
		}
		stored, err := f.reservations.Find(t.Context(), id)
		if err != nil || stored.State != r.State || stored.Attendance != r.Attendance {
			t.Errorf("undoing %s stored %+v (%v), want %+v", mark, stored.Attendance, err, r.Attendance)
		}
		return r.State
	}
	deposit, _ := f.confirmed(t, f.slot("19:00"))
	prepaying := f.diners(t, 1, 100_000)[0]
	prepaid := f.reserve(t, f.request(prepaying, f.slot("19:00")))
	if _, err := f.pay(t, prepaid, prepaying, booking.Prepay, "pay"); err != nil {
		t.Fatal(err)
	}
	letters := f.count(t, `SELECT count(*) FROM mails`)
	for id, paid := range map[string]booking.State{deposit: booking.Confirmed, prepaid: booking.PrepaidConfirmed} {
		f.mark(t, id, booking.Arrived, booking.Seated, booking.Completed)
		got := []booking.State{undo(id, booking.Completed), undo(id, booking.Seated), undo(id, booking.Arrived)}
		if want := []booking.State{booking.Seated, booking.Arrived, paid}; !slices.Equal(got, want) {
			t.Errorf("back through %v, want %v", got, want)
		}
		f.mark(t, id, booking.Seated)
		if got := undo(id, booking.Seated); got != paid {
			t.Errorf("seated at once, back to %s, want %s", got, paid)
		}
		f.mark(t, id, booking.NoShow)
		if got := undo(id, booking.NoShow); got != paid {
			t.Errorf("a no-show, back to %s, want %s", got, paid)
		}
		if _, err := f.atStart().Undo(t.Context(), id, booking.NoShow, host); !errors.Is(err, booking.ErrWrongState) {
			t.Errorf("undoing twice: %v", err)
		}
	}
	if n := f.count(t, `SELECT count(*) FROM mails`); n != letters {
		t.Errorf("%d letters were written for marks", n-letters)
	}
	if n := f.count(t, `SELECT count(*) FROM audit_log WHERE action = 'reservation.undo' AND staff_id = $1`, host); n != 10 {
		t.Errorf("%d of 10 are written down", n)
	}
}

// What a mark has freed comes back only while nobody else has it: covers, a named seat, the diner's own place.
func TestUndo_OnlyWhileTheSeatsAreFree(t *testing.T) {
	t.Parallel()
	f := setup(t)
	seat := f.openRoom(t)["T1"]
	host := f.diners(t, 1, 0)[0]
	for name, take := range map[string]func(slot booking.SlotKey, diner string){
		"covers": func(slot booking.SlotKey, _ string) {
			if err := f.slots.SetCapacity(t.Context(), f.turn(slot, 10, 0), 1, host); err != nil {
				t.Fatal(err)
			}
		},
		"the seat": func(slot booking.SlotKey, _ string) {
			f.reserve(t, f.at(f.diners(t, 1, 0)[0], slot, seat))
		},
		"the diner": func(slot booking.SlotKey, diner string) {
			f.reserve(t, f.request(diner, slot))
		},
	} {
		slot := f.slot(map[string]booking.TimeOfDay{"covers": "11:00", "the seat": "12:00", "the diner": "13:00"}[name])
		diner := f.diners(t, 1, 100_000)[0]
		id := f.reserve(t, f.at(diner, slot, seat))
		if _, err := f.pay(t, id, diner, booking.Deposit, "pay"); err != nil {
			t.Fatal(err)
		}
		f.mark(t, id, booking.NoShow)
		take(slot, diner)
		if _, err := f.atStart().Undo(t.Context(), id, booking.NoShow, host); !errors.Is(err, booking.ErrSeatsGiven) {
			t.Errorf("%s: %v, want %v", name, err, booking.ErrSeatsGiven)
		}
		if r, err := f.reservations.Find(t.Context(), id); err != nil || r.State != booking.NoShow {
			t.Errorf("%s: %s (%v) afterwards", name, r.State, err)
		}
	}
}

// fourStates is what held seats before parties could arrive.
const fourStates = `('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')`

// arrivalAgainstPresses marks a party of two as arrived, in a slot of which two seats are left, while twenty others press for
// them, and returns how many seats are held afterwards.
func arrivalAgainstPresses(t *testing.T, f *fixture, slot booking.SlotKey) int {
	t.Helper()
	id, _ := f.confirmed(t, slot)
	host := f.diners(t, 1, 0)[0]
	var wg sync.WaitGroup
	start := make(chan struct{})
	wg.Go(func() {
		<-start
		if _, err := f.atStart().Mark(t.Context(), id, booking.Arrived, host); err != nil {
			t.Error(err)
		}
	})
	for _, diner := range f.diners(t, 20, 0) {
		wg.Go(func() {
			<-start
			if _, _, err := f.slots.Serve(t.Context(), f.turn(slot, 4, 1), []booking.Request{f.request(diner, slot)}); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return f.held(t, slot)
}

func TestArrival_NeverOversells(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for minute := range 10 {
		slot := f.slot(booking.TimeOfDay("12:" + twoDigits(minute)))
		f.makeSlot(t, slot, 4)
		if held := arrivalAgainstPresses(t, f, slot); held != 4 {
			t.Fatalf("%d seats are held of 4", held)
		}
	}
	checkReservations(t, f)
}

// Where arrived parties do not count, their seats are sold again.
func TestArrival_WithoutTheHoldingStateItOversells(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.weakenGuard(readSlots, replacing(holdingStates, fourStates))
	for minute := range 20 {
		slot := f.slot(booking.TimeOfDay("12:" + twoDigits(minute)))
		f.makeSlot(t, slot, 4)
		if arrivalAgainstPresses(t, f, slot) > 4 {
			return
		}
	}
	t.Error("20 parties arrived, and no slot was oversold: the test above proves nothing")
}

func (f *fixture) makeSlot(t testing.TB, slot booking.SlotKey, capacity int) {
	t.Helper()
	f.mustExec(t, `INSERT INTO slots (restaurant_id, service_date, service_time, capacity) VALUES ($1, $2, $3, $4)`,
		slot.RestaurantID, string(slot.Date), string(slot.Time), capacity)
}

// twoHosts lets one host mark a guest as arrived and another one as a no-show at the same moment, and returns how many were
// told that they did.
func twoHosts(t *testing.T, f *fixture, slot booking.SlotKey) (marked int) {
	t.Helper()
	id, _ := f.confirmed(t, slot)
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for i, host := range f.diners(t, 2, 0) {
		wg.Go(func() {
			<-start
			state := []booking.State{booking.Arrived, booking.NoShow}[i]
			_, err := f.atStart().Mark(t.Context(), id, state, host)
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
	if n := f.count(t, `SELECT count(*) FROM audit_log WHERE reservation_id = $1`, id); n != marked {
		t.Errorf("%d marks, %d written down", marked, n)
	}
	return marked
}

func TestTwoHosts_OneMarks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for minute := range 20 {
		if marked := twoHosts(t, f, f.slot(booking.TimeOfDay("12:"+twoDigits(minute)))); marked != 1 {
			t.Fatalf("%d hosts have marked the guest", marked)
		}
	}
}

// Both hosts have read the guest's state before either writes.
func TestTwoHosts_WithoutLockAndCompareAndSetBothMark(t *testing.T) {
	t.Parallel()
	f := setup(t)
	both := meeting(2)
	f.weakenGuard(lockReservation, unlocked)
	f.weakenGuard(updateAttendance, func(query string) string { return inAnyState(both(query)) })
	if marked := twoHosts(t, f, f.slot("12:00")); marked != 2 {
		t.Errorf("%d hosts have marked the guest without the guards: the test above proves nothing", marked)
	}
}

// undoAgainstPresses takes a no-show back while twenty others press for its seats, the last ones of the slot, and returns
// how many seats are held afterwards.
func undoAgainstPresses(t *testing.T, f *fixture, slot booking.SlotKey) int {
	t.Helper()
	id, _ := f.confirmed(t, slot)
	f.mark(t, id, booking.NoShow)
	host := f.diners(t, 1, 0)[0]
	diners := f.diners(t, 20, 0)
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
				if _, err := f.atStart().Undo(t.Context(), id, booking.NoShow, host); err == nil {
					won()
				} else if !errors.Is(err, booking.ErrSeatsGiven) {
					t.Error(err)
				}
			})
		}
		wg.Go(func() {
			<-start
			out, _, err := f.slots.Serve(t.Context(), f.turn(slot, 2, 1), []booking.Request{f.request(diner, slot)})
			if err != nil {
				t.Error(err)
			} else if out[0].Reserves() {
				won()
			}
		})
	}
	close(start)
	wg.Wait()
	if held := f.held(t, slot); held != 2*served {
		t.Errorf("%d have seats, %d seats are held", served, held)
	}
	return served
}

func TestUndo_OfANoShowAgainstPressesForTheLastSeats(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for minute := range 20 {
		slot := f.slot(booking.TimeOfDay("12:" + twoDigits(minute)))
		f.makeSlot(t, slot, 2)
		if served := undoAgainstPresses(t, f, slot); served != 1 {
			t.Fatalf("%d have the last seats", served)
		}
	}
	checkReservations(t, f)
}

// A diner gets the seats after the undo has seen that they are free and before it takes them.
func TestUndo_WithoutTheSlotsLocksItOversells(t *testing.T) {
	t.Parallel()
	f := setup(t)
	slot := f.slot("12:00")
	f.makeSlot(t, slot, 2)
	id, _ := f.confirmed(t, slot)
	f.mark(t, id, booking.NoShow)
	diners := f.diners(t, 2, 0)
	f.weakenGuard(lockSlotsOf, replacing("FOR NO KEY UPDATE", ""))
	f.weakenGuard(updateAttendance, func(query string) string {
		f.reserve(t, f.request(diners[0], slot))
		return query
	})
	if _, err := f.atStart().Undo(t.Context(), id, booking.NoShow, diners[1]); err != nil {
		t.Fatal(err)
	}
	if held := f.held(t, slot); held <= 2 {
		t.Errorf("%d seats are held of 2 without the locks: the test above proves nothing", held)
	}
}

// moveToNoon moves the restaurant to a time zone where it is about noon, so that a stay of some hours lies within a day.
func (f *fixture) moveToNoon(t testing.TB) {
	t.Helper()
	zone := fmt.Sprintf("Etc/GMT%+d", time.Now().UTC().Hour()-12) // these count to the west
	f.mustExec(t, `UPDATE restaurants SET time_zone = $1`, zone)
	var err error
	if f.restaurant.Location, err = time.LoadLocation(zone); err != nil {
		t.Fatal(err)
	}
}

// Stays that have ended are completed once, however many instances look for them, and by the end of their last slot.
func TestCompleteStays_OnceEach(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.moveToNoon(t)
	over, going := f.startingIn(-65*time.Minute), f.startingIn(-30*time.Minute)
	var ids []string
	for range 12 {
		id, _ := f.confirmed(t, over)
		ids = append(ids, id)
	}
	for i, id := range ids {
		if i < 10 {
			f.mark(t, id, []booking.State{booking.Arrived, booking.Seated}[i%2])
		}
	}
	f.mark(t, ids[10], booking.NoShow) // the last one is not marked
	there, _ := f.confirmed(t, going)
	f.mark(t, there, booking.Seated)
	diner := f.diners(t, 1, 100_000)[0]
	long := f.request(diner, over)
	long.Stay = []booking.TimeOfDay{f.startingIn(-5 * time.Minute).Time}
	stays := f.reserve(t, long)
	if _, err := f.pay(t, stays, diner, booking.Deposit, "pay"); err != nil {
		t.Fatal(err)
	}
	f.mark(t, stays, booking.Arrived)

	second := newFixture(openTest(t, Config{URL: f.url}), f.url)
	var wg sync.WaitGroup
	for _, instance := range []*fixture{f, second, f, second} {
		wg.Go(func() {
			for range 4 {
				slots, err := instance.reservations.CompleteStays(t.Context(), 2)
				if err != nil || len(slots) > 0 && !slices.Equal(slots, []booking.SlotKey{over}) {
					t.Errorf("%v, %v", slots, err)
				}
			}
		})
	}
	wg.Wait()
	if n := f.count(t, `SELECT count(*) FROM reservations WHERE state = 'completed' AND ended_at IS NOT NULL`); n != 10 {
		t.Errorf("%d are completed, want 10", n)
	}
	if n := f.count(t, `SELECT count(*) FROM reservations WHERE state IN ('arrived', 'seated', 'confirmed', 'no_show')`); n != 4 {
		t.Errorf("%d others are as they were, want 4", n)
	}
	if slots, err := f.reservations.CompleteStays(t.Context(), 10); err != nil || len(slots) != 0 {
		t.Errorf("once more: %v, %v", slots, err)
	}
	if _, err := f.reservations.Undo(t.Context(), ids[0], booking.Completed, diner); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("undoing what the end of the stay has completed: %v", err)
	}
}
