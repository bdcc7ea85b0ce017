package webtest

import (
	"crypto/rand"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// introduced is somebody who books at once by name and address.
func (r *harness) introduced(t *testing.T, email string) person {
	t.Helper()
	token, session, err := r.Identity.Introduce(t.Context(),
		identity.SignUp{Email: email, Name: "하늘", Phone: "010-2222-3333"}, rand.Text())
	dbtest.Must(t, err)
	return person{session.UserID, token}
}

// Old accounts that nobody has confirmed or used go by a job, and their sessions end; one that waits in a line stays
// until it has left.
func TestUnusedAccounts_GoUnlessTheyWait(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	waits, idle := r.introduced(t, "waits@example.org"), r.introduced(t, "idle@example.org")
	r.rival(t, r.slot("12:00"))
	ticket := r.queued(t, waits, r.slot("12:00"), 2)
	for _, who := range []person{waits, idle} {
		r.mustExec(t, `UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, who.id)
		r.mustExec(t, `DELETE FROM user_sessions WHERE user_id = $1`, who.id)
	}
	unused := identity.Unused{Store: r.Stores.Users, Sessions: r.Identity.Sessions, Now: time.Now, Waits: r.Waits}
	if len(unused.Jobs(time.Hour)) != 0 {
		t.Error("accounts that are kept for ever go")
	}
	unused.Keep = 24 * time.Hour
	run := func(want int) {
		t.Helper()
		if deleted, err := unused.Jobs(time.Hour)[0].Run(t.Context()); err != nil || deleted != want {
			t.Errorf("%d deleted, want %d; %v", deleted, want, err)
		}
	}
	run(1)
	r.get(t, idle, "/api/account").want(t, 401, "unauthenticated")
	r.delete(t, waits, "/api/tickets/"+ticket).want(t, 204, "")
	run(1)
	run(0)
	r.balances(t)
}
