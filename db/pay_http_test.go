package db

import (
	"testing"

	"lunchgo/app/booking"
)

// lateRush is a crowd that wants the seats of a slot: those who press for them, and those who had some and pay too late: some at
// once, most when the first of the others have theirs.
type lateRush struct {
	seats, newcomers, latecomers int
}

// run sends the crowd over HTTP at two servers: some pay for holds that have just expired, the others press for the same seats.
// It returns how many of each have seats then. Everybody must have an answer, and the money of all must be where the answers
// say.
func (l lateRush) run(t *testing.T, f *fixture, servers []*server, slot booking.SlotKey) (paid, seated int) {
	t.Helper()
	r := newRush(t, l.latecomers+l.newcomers)
	var run []booking.Request
	for _, diner := range f.diners(t, l.latecomers, 100_000) {
		req := f.ordering(diner, slot)
		req.PartySize, req.HoldTime = 1, 0
		run = append(run, req)
	}
	outcomes, _, err := f.slots.Serve(t.Context(), f.turn(slot, l.latecomers, 0), run)
	if err != nil {
		t.Fatal(err)
	}
	for i, out := range outcomes {
		r.post(press{at: servers[i%2], path: "/api/reservations/" + out.ReservationID + "/payment", userID: out.Request.UserID,
			body: map[string]any{"kind": "deposit"}, after: []<-chan struct{}{nil, r.seated, r.seated}[i/2%3]})
	}
	f.sweepHolds(t)
	f.mustExec(t, `UPDATE slots SET capacity = $1`, l.seats)
	for i, diner := range f.diners(t, l.newcomers, 0) {
		r.post(press{at: servers[i%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": 1}})
	}
	answers := r.run("late payments against newcomers")
	paid, returned := answers[heard{Status: 200}], answers[heard{Status: 409, Code: "payment_returned"}]
	seated, refused := answers[heard{Status: 201}], answers[heard{Status: 409, Code: "sold_out"}]
	if paid+returned != l.latecomers || seated+refused != l.newcomers {
		t.Errorf("not everybody was answered: %v", answers)
	}
	if n := f.count(t, wrongReservations); n != 0 {
		t.Errorf("the money of %d reservations is not what their states say", n)
	}
	if held := f.held(t, slot); held != paid+seated {
		t.Errorf("%d seats are held, and %d people were told that they have one", held, paid+seated)
	}
	return paid, seated
}

// Late payments and newcomers never oversell a slot.
func TestPayLate_NeverOversellsOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	crowd := lateRush{seats: 80, newcomers: 100, latecomers: 40}
	paid, seated := crowd.run(t, f, f.servers(t, 2), f.nextDays(2, "19:00"))
	if paid+seated != crowd.seats {
		t.Errorf("%d seats were sold, want %d", paid+seated, crowd.seats)
	}
	if paid == 0 || seated == 0 {
		t.Errorf("one side had no chance: %d paid and %d newcomers are seated", paid, seated)
	}
	checkReservations(t, f)
}

// TestPayLate_WithoutLockOverHTTP has two late payments, or one and a turn, read that the last seat is free,
// before either takes it.
func TestPayLate_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.openLargePlace(t)
	servers, meet := f.servers(t, 2), meeting(2)
	for _, server := range servers {
		server.weakenGuard(lockSlotsOf, replacing("FOR NO KEY UPDATE", ""))
		server.weakenGuard(updateState, meet)
		server.weakenGuard(insertReservations, meet)
	}
	paid, seated := lateRush{seats: 1, newcomers: 4, latecomers: 8}.run(t, f, servers, f.nextDays(2, "19:00"))
	if paid+seated < 2 {
		t.Errorf("%d paid and %d newcomers are seated without the lock: the test above proves nothing", paid, seated)
	}
}
