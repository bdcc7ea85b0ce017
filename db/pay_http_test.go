package db

import (
	"testing"
	"time"

	"lunchgo/app/booking"
)

// The seats of the slot, those who press for them, and those who had some and pay too late: some at once, most when the
// first of the others have theirs.
const (
	lateSeats  = 130
	newcomers  = 150
	latecomers = 60
)

// payLateAgainstNewcomers has a crowd over HTTP at two servers: some pay for holds that have just expired, the others press
// for the same seats. It returns how many seats of the slot are sold then. Everybody must have an answer, and the money of all
// must be where the answers say.
func payLateAgainstNewcomers(t *testing.T, f *fixture, servers []*server, slot booking.SlotKey) (sold int) {
	t.Helper()
	r := newRush(t, latecomers+newcomers)
	var run []booking.Request
	for _, diner := range f.diners(t, latecomers, 100_000) {
		req := f.ordering(diner, slot)
		req.PartySize, req.HoldTime = 1, 0
		run = append(run, req)
	}
	outcomes, _, err := f.slots.Serve(t.Context(), f.turn(slot, latecomers, 0), run)
	if err != nil {
		t.Fatal(err)
	}
	for i, out := range outcomes {
		r.post(press{at: servers[i%2], path: "/api/reservations/" + out.ReservationID + "/payment", userID: out.Request.UserID,
			body: map[string]any{"kind": "deposit"}, after: []<-chan struct{}{nil, r.seated, r.seated}[i/2%3]})
	}
	f.sweepHolds(t)
	f.mustExec(t, `UPDATE slots SET capacity = $1`, lateSeats)
	for i, diner := range f.diners(t, newcomers, 0) {
		r.post(press{at: servers[i%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": 1}})
	}
	answers := r.run("late payments against newcomers")
	paid, returned := answers[heard{Status: 200}], answers[heard{Status: 409, Code: "payment_returned"}]
	seated, refused := answers[heard{Status: 201}], answers[heard{Status: 409, Code: "sold_out"}]
	if paid+returned != latecomers || seated+refused != newcomers {
		t.Errorf("not everybody was answered: %v", answers)
	}
	if paid == 0 || seated == 0 {
		t.Errorf("one side had no chance: %v", answers)
	}
	if n := f.count(t, wrongReservations); n != 0 {
		t.Errorf("the money of %d reservations is not what their states say", n)
	}
	if held := f.held(t, slot); held != paid+seated {
		t.Errorf("%d seats are held, and %d people were told that they have one", held, paid+seated)
	}
	return paid + seated
}

func (f *fixture) lateSlot(evening int) booking.SlotKey {
	date := booking.DateOf(time.Now(), f.restaurant.Location).AddDays(2 + evening)
	return booking.SlotKey{RestaurantID: f.restaurant.ID, Date: date, Time: "19:00"}
}

func TestLatePaymentsNeverOversellOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	if sold := payLateAgainstNewcomers(t, f, f.servers(t, 2), f.lateSlot(0)); sold != lateSeats {
		t.Errorf("%d seats were sold, want %d", sold, lateSeats)
	}
	checkReservations(t, f)
}

func TestWithoutTheSlotsLockLatePaymentsOversellOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race with the guard off goes with the one with it on")
	}
	f := setup(t)
	f.openLargePlace(t)
	servers := f.servers(t, 2)
	for _, server := range servers {
		server.weakenGuard(lockSlotsOf, replacing("FOR NO KEY UPDATE", ""))
	}
	for evening := range 10 {
		if payLateAgainstNewcomers(t, f, servers, f.lateSlot(evening)) > lateSeats {
			return
		}
	}
	t.Error("without the lock nothing was oversold: the test above proves nothing")
}
