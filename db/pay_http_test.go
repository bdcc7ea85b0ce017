package db_test

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// lateRush is a crowd that wants the seats of a slot: newcomers, and latecomers who had some and pay too late.
type lateRush struct {
	seats, newcomers, latecomers int
	// so many of the latecomers pay at once, the others when the first newcomer has a seat
	early int
	// and so many of the newcomers press when the first latecomer has paid; with seats for all who begin at once, both
	// sides get some on any machine
	late int
}

// run sends the crowd over HTTP at two servers: some pay for holds that have just expired, the others press for the
// same seats. It returns the rush, and how many of each have seats then. Everybody must have an answer, and the money
// of all must be where the answers say.
func (l lateRush) run(t *testing.T, h *harness, servers []*server, slot booking.SlotKey) (r *rush,
	paid, seated int) {
	t.Helper()
	r = newRush(t, l.latecomers+l.newcomers)
	var run []booking.Request
	for _, diner := range h.Diners(t, l.latecomers, 100_000) {
		req := h.Ordering(diner, slot)
		req.PartySize, req.HoldTime = 1, 0
		run = append(run, req)
	}
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, l.latecomers, 0), run)
	dbtest.Must(t, err)
	for i, out := range outcomes {
		after := r.seated.given
		if i < l.early {
			after = r.start
		}
		r.post(apiRequest{at: servers[i%2], path: "/api/reservations/" + out.ReservationID + "/payment",
			userID: out.Request.UserID, body: map[string]any{"kind": "deposit"}, after: after})
	}
	h.sweepHolds(t)
	h.MustExec(t, `UPDATE slots SET capacity = $1`, l.seats)
	for i, diner := range h.Diners(t, l.newcomers, 0) {
		var after <-chan struct{}
		if i < l.late {
			after = r.paid.given
		}
		r.post(apiRequest{at: servers[i%2], path: "/api/reservations", userID: diner, after: after,
			body: map[string]any{"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time,
				"partySize": 1}})
	}
	answers := r.run("late payments against newcomers")
	paid, returned := answers[reply{Status: 200}], answers[reply{Status: 409, Code: "payment_returned"}]
	seated, refused := answers[reply{Status: 201}], answers[reply{Status: 409, Code: "sold_out"}]
	if paid+returned != l.latecomers || seated+refused != l.newcomers {
		t.Errorf("not everybody was answered: %v", answers)
	}
	if n := h.Count(t, wrongReservations); n != 0 {
		t.Errorf("the money of %d reservations is not what their states say", n)
	}
	if held := h.held(t, slot); held != paid+seated {
		t.Errorf("%d seats are held, and %d people got the answer that they have one", held, paid+seated)
	}
	r.served = paid + seated
	return r, paid, seated
}

func TestPayLate_NeverOversellsOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	crowd := lateRush{seats: 80, newcomers: 100, latecomers: 40, early: 14, late: 40}
	r, paid, seated := crowd.run(t, h, h.servers(t, 2), h.comingDay(2, "19:00"))
	if paid+seated != crowd.seats {
		t.Errorf("%d seats were sold, want %d", paid+seated, crowd.seats)
	}
	if paid == 0 || seated == 0 {
		t.Errorf("one side had no chance: %d paid and %d newcomers are seated", paid, seated)
	}
	r.measured("late-payments", map[string]int{"seats": crowd.seats, "newcomers": crowd.newcomers,
		"late payments": crowd.latecomers})
	checkBalances(t, h)
}

// TestPayLate_WithoutLockOverHTTP has two late payments, or one and a turn, read that the last seat is free,
// before either takes it.
func TestPayLate_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	servers, meet := h.servers(t, 2), dbtest.Meeting(2)
	for _, server := range servers {
		server.Weaken(db.LockSlotsOf, dbtest.Replacing("FOR NO KEY UPDATE", ""))
		server.Weaken(db.UpdateState, meet)
		server.Weaken(db.InsertReservations, meet)
	}
	_, paid, seated := lateRush{seats: 1, newcomers: 4, latecomers: 8, early: 8}.run(t, h, servers,
		h.comingDay(2, "19:00"))
	if paid+seated < 2 {
		t.Errorf("%d paid and %d newcomers are seated without the lock: the test above proves nothing", paid, seated)
	}
}
