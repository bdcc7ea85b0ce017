package webtest

import (
	"database/sql"
	"fmt"
	"net/http"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// left is how many seats of a slot the list of slots shows, which costs no query.
func (r *harness) left(t *testing.T, slot booking.SlotKey) int {
	t.Helper()
	for _, s := range r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/slots?date=%s", slot.RestaurantID,
		slot.Date)).list(t, "slots") {
		if s["time"] == string(slot.Time) {
			return int(s["remaining"].(float64))
		}
	}
	t.Fatal("no such slot")
	return 0
}

// overtake lets a table of two come free and a diner book it, past a larger party that waits.
func (r *harness) overtake(t *testing.T, slot booking.SlotKey, sitting map[string]person) answer {
	t.Helper()
	dbtest.Eventually(t, "the list of slots shows that all is taken", func() bool { return r.left(t, slot) == 0 })
	r.leaveTable(t, sitting)
	dbtest.Eventually(t, "the list of slots shows the table", func() bool { return r.left(t, slot) == 2 })
	return r.press(t, r.diner(t, 0), "key", "wait=10", r.requestFor(slot, 2))
}

// A party of four that joins for nothing keeps two returned seats from everybody for half an hour, and not longer: then
// they can be booked although nobody has done anything, and the slot keeps none for a while.
func TestWaitlist_KeptSeatsComeBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	attacker := r.diner(t, 0)
	entry := "/api/waitlist/" + r.wait(t, attacker, slot, 4).want(t, 201, "").text(t, "id")
	for range booking.MaxPasses {
		r.overtake(t, slot, sitting).want(t, 201, "")
	}
	r.leaveTable(t, sitting)
	dbtest.Eventually(t, "the time for which they are kept has begun", func() bool {
		return r.get(t, attacker, entry).number(t, "keeps") == 1
	})
	until, err := time.Parse(time.RFC3339, r.get(t, attacker, entry).text(t, "keptUntil"))
	if ends := time.Until(until); err != nil || ends > booking.KeepTime || ends < booking.KeepTime-time.Minute {
		t.Errorf("kept for %v, %v", ends, err)
	}
	dbtest.Eventually(t, "the list of slots shows none", func() bool { return r.left(t, slot) == 0 })
	r.press(t, r.diner(t, 0), "key", "wait=10", r.requestFor(slot, 2)).want(t, 409, "sold_out")
	r.page(t, attacker, "/waitlist/"+entry[len("/api/waitlist/"):]).is(t, 200).has(t, "모아 두고 있습니다")

	r.endKeeping(t, slot, time.Now().Add(1500*time.Millisecond))
	dbtest.Eventually(t, "the list of slots shows the seats again", func() bool { return r.left(t, slot) == 2 })
	r.press(t, r.diner(t, 0), "key", "wait=10", r.requestFor(slot, 2)).want(t, 201, "")
	if now := r.get(t, attacker, entry); now.json["state"] != "waiting" || now.number(t, "passes") != 1 {
		t.Errorf("the entry is %s", now.raw)
	}
	r.overtake(t, slot, sitting).want(t, 201, "")
	if keeps := r.get(t, attacker, entry).number(t, "keeps"); keeps != 1 {
		t.Errorf("seats were kept %d times", keeps)
	}
	r.balances(t)
}

// endKeeping lets the time for which a slot's seats are kept end at another time, as if it had begun earlier.
func (r *harness) endKeeping(t *testing.T, slot booking.SlotKey, at time.Time) {
	t.Helper()
	db, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer db.Close()
	for _, table := range []string{"waitlist_entries SET kept_since = kept_since - interval '29 minutes',",
		"slots SET"} {
		if _, err := db.ExecContext(t.Context(), `UPDATE `+table+` kept_until = $1 WHERE kept_until IS NOT NULL`,
			at); err != nil {
			t.Fatal(err)
		}
	}
	r.Availability.Changed(slot) // as it was read 28 minutes ago
}

// An account has at most five places on waitlists.
func TestWaitlist_LimitOfAnAccount(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	var first string
	for n := range booking.DefaultLimits().Entries + 1 {
		slot := r.slot(booking.TimeOfDay(fmt.Sprintf("%02d:00", 12+n)))
		for range 2 {
			r.confirm(t, slot, 5)
		}
		a := r.post(t, who, "/api/waitlist", fmt.Sprint("wait-", n), waitBody(slot, 2))
		if n < booking.DefaultLimits().Entries {
			first = a.want(t, 201, "").text(t, "id")
			continue
		}
		a.want(t, 409, "too_many_entries")
		r.send(t, who, "/restaurants/damdam/waitlist", joinFields(slot, "2")).is(t, 409).has(t, "하나에서 나온 뒤")
		r.do(t, call{method: http.MethodDelete, path: "/api/waitlist/" + first, as: who}).want(t, 200, "")
		r.post(t, who, "/api/waitlist", "again", waitBody(slot, 2)).want(t, 201, "")
	}
}
