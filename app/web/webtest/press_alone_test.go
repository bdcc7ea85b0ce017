package webtest

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/program/programtest"
	"lunchgo/app/web/respond"
	"lunchgo/db/dbtest"
)

// aloneCommands is how many commands Redis may execute for a press where nobody waits, those inside scripts included.
const aloneCommands = 45.0

// Where nobody waits, a press is answered with its reservation, also for who prefers not to wait, and costs Redis
// little: only a turn that takes longer than respond.TurnTime is not waited for. The hold counts as seen: the answer
// shows it.
func TestPress_WhereNobodyWaits(t *testing.T) {
	t.Parallel()
	const people = 40
	r := newHarnessWith(t, programtest.Setup{Redis: dbtest.PrivateRedisURL(t)})
	slot := r.bigSlot(t, 4*people)
	crowd := r.crowd(t, 2*people)
	// now scripts and statements are known
	r.press(t, crowd[0], "first", "wait=20", r.requestFor(slot, 2)).want(t, 201, "")
	counted := r.countCommands(t, func() {
		for i, who := range crowd[1 : people+1] {
			begun := time.Now()
			a := r.press(t, who, fmt.Sprint("key-", i), "respond-async", r.requestFor(slot, 2)).want(t, 202, "")
			if a.json["state"] == "waiting" && time.Since(begun) >= respond.TurnTime {
				r.ended(t, who, a.text(t, "ticket"))
			} else if a.json["state"] != "reserved" || a.json["reservationId"] == "" {
				t.Fatalf("answered with %v", a.json)
			}
		}
	})
	if n := counted.report(t, "press-alone", people); n > aloneCommands {
		t.Errorf("%.1f commands a person, want %.1f at most", n, aloneCommands)
	}
	unseen := r.counter(t)("reservations WHERE seen_expires_at IS NOT NULL")
	if unseen != 0 {
		t.Errorf("%d holds count as unseen", unseen)
	}
}
