package letters_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/push"
	"lunchgo/app/push/pushtest"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/team"
)

// follower is a member of staff whose new browser hears of new bookings.
func (p *pushing) follower(t *testing.T, role identity.Role) (userID string, session identity.Session) {
	t.Helper()
	userID = p.Diners(t, 1, 0)[0]
	p.Employ(t, userID, role)
	session = p.SignedIn(t, userID)
	p.Subscribe(t, session)
	dbtest.Must(t, p.Store.Follow(t.Context(), session, p.Restaurant.ID))
	return userID, session
}

// bookFree makes bookings without a deposit in one turn: they are confirmed at once.
func (p *pushing) bookFree(t *testing.T, at booking.TimeOfDay, diners ...string) {
	t.Helper()
	slot := p.Slot(at)
	var run []booking.Request
	for _, diner := range diners {
		req := p.Request(diner, slot)
		req.DepositAmount = 0
		run = append(run, req)
	}
	outcomes, _, err := p.Slots.Serve(t.Context(), p.TurnOf(run[0], 1_000, 0), run)
	dbtest.Must(t, err)
	for _, out := range outcomes {
		dbtest.Must(t, out.Err)
	}
}

// pushed sends what is due and returns what arrived by that.
func (p *pushing) pushed(t *testing.T) []pushtest.Received {
	t.Helper()
	before, _ := p.Service.Received()
	p.Send(t, p.Sender(p.Pool, false))
	all, _ := p.Service.Received()
	return all[len(before):]
}

func (p *pushing) minuteLater(t *testing.T) {
	t.Helper()
	p.MustExec(t, `UPDATE booking_followers SET due_at = due_at - interval '61 seconds'`)
}

// Staff who have asked for it hear of a booking once it is confirmed: which evening, and nothing of who comes.
func TestFollow_NewBookingsArePushed(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	host, session := p.follower(t, identity.RoleHost)
	p.MustExec(t, `UPDATE users SET language = 'en' WHERE id = $1`, host)
	slot := p.Slot("19:00")
	diner := p.Diners(t, 1, 100_000)[0]
	id := p.Reserve(t, p.Request(diner, slot))
	if got := p.pushed(t); len(got) != 0 {
		t.Errorf("a hold is pushed: %+v", got)
	}
	p.MustPay(t, id, diner, booking.Deposit, "pay")
	got := p.pushed(t)
	if len(got) != 1 || got[0].Title != "New booking" || !strings.HasPrefix(got[0].Body, p.Restaurant.Name.En+" · ") ||
		!strings.Contains(got[0].Body, "7:00 PM") || !strings.HasSuffix(got[0].Body, "· 2 people") || got[0].Urgency != "normal" ||
		!strings.HasSuffix(got[0].URL, "?date="+string(slot.Date)) || strings.Contains(got[0].Body, "Diner") {
		t.Fatalf("pushed: %+v", got)
	}
	p.minuteLater(t)
	p.bookFree(t, "12:00", host)
	p.MustExec(t, `UPDATE reservations SET party_size = party_size WHERE id = $1`, id)
	if got = p.pushed(t); len(got) != 0 {
		t.Errorf("one's own booking, or a change, is pushed: %+v", got)
	}
	p.Reserve(t, p.Guest(host, p.Slot("20:00")))
	if got = p.pushed(t); len(got) != 0 {
		t.Errorf("a booking of staff is pushed: %+v", got)
	}
	follows, err := p.Store.Follows(t.Context(), session, p.Restaurant.ID)
	dbtest.Must(t, errors.Join(err, p.Store.Unfollow(t.Context(), session, p.Restaurant.ID)))
	after, err := p.Store.Follows(t.Context(), session, p.Restaurant.ID)
	dbtest.Must(t, err)
	p.bookFree(t, "18:00", p.Diners(t, 1, 0)...)
	if got = p.pushed(t); !follows || after || len(got) != 0 {
		t.Errorf("follows %v, then %v: %+v", follows, after, got)
	}
	if subscriptions, _ := p.Counts(t); subscriptions != 1 {
		t.Error("the browser's other pushes ended too")
	}
}

// A rush is a push at most every minute, of all that came in between.
func TestFollow_ARushIsGathered(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	p.follower(t, identity.RoleHost)
	p.bookFree(t, "18:00", p.Diners(t, 64, 0)...)
	p.bookFree(t, "19:00", p.Diners(t, 36, 0)...)
	got := p.pushed(t)
	if len(got) != 1 || got[0].Title != "새 예약 100건" || !strings.HasSuffix(got[0].Body, "200명") ||
		strings.Contains(got[0].Body, "6:00") {
		t.Fatalf("pushed: %+v", got)
	}
	p.bookFree(t, "20:00", p.Diners(t, 12, 0)...)
	if got = p.pushed(t); len(got) != 0 {
		t.Errorf("within the minute: %+v", got)
	}
	p.minuteLater(t)
	if got = p.pushed(t); len(got) != 1 || got[0].Title != "새 예약 12건" || !strings.Contains(got[0].Body, "8:00") {
		t.Errorf("after a minute: %+v", got)
	}
	p.minuteLater(t)
	if got = p.pushed(t); len(got) != 0 || p.Count(t, `SELECT count(*) FROM booking_pushes`) != 0 {
		t.Errorf("without a new one: %+v", got)
	}
}

// Who does not work there any more hears nothing, not even of what was noted before; nor does who signs out, and a
// session that has expired. Who stays goes on hearing.
func TestFollow_EndsWithTheMembership(t *testing.T) {
	t.Parallel()
	type ending func(t *testing.T, p *pushing, by, userID string, session identity.Session) error
	for name, end := range map[string]ending{
		"removed": func(t *testing.T, p *pushing, by, userID string, _ identity.Session) error {
			return team.NewStore(p.Pool).RemoveMember(t.Context(), p.Removal(by, userID))
		},
		"signed out": func(t *testing.T, p *pushing, _, _ string, session identity.Session) error {
			return p.Users.RevokeSession(t.Context(), session)
		},
		"account deleted": func(t *testing.T, p *pushing, _, userID string, _ identity.Session) error {
			return p.DeleteAccount(t, userID)
		},
		"expired": func(t *testing.T, p *pushing, _, _ string, session identity.Session) error {
			return p.Exec(t.Context(), `UPDATE user_sessions SET expires_at = now() WHERE session_id = $1`, session.ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPushing(t)
			owner, _ := p.follower(t, identity.RoleOwner)
			host, session := p.follower(t, identity.RoleHost)
			if name != "expired" { // whose browser heard of these
				p.bookFree(t, "18:00", p.Diners(t, 3, 0)...)
			}
			dbtest.Must(t, end(t, p, owner, host, session))
			p.bookFree(t, "19:00", p.Diners(t, 3, 0)...)
			if got := p.pushed(t); len(got) != 1 {
				t.Errorf("pushed: %+v", got)
			}
		})
	}
}

// Only staff follow, in a browser that is subscribed.
func TestFollow_IsForStaff(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	diner := p.Diners(t, 1, 0)[0]
	session := p.SignedIn(t, diner)
	p.Subscribe(t, session)
	if err := p.Store.Follow(t.Context(), session, p.Restaurant.ID); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("a diner: %v", err)
	}
	p.Employ(t, diner, identity.RoleHost)
	if err := p.Store.Follow(t.Context(), p.SignedIn(t, diner), p.Restaurant.ID); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("another browser: %v", err)
	}
	for range 2 { // a repeat changes nothing
		dbtest.Must(t, p.Store.Follow(t.Context(), session, p.Restaurant.ID))
	}
}

// A booking neither waits for a browser that is being signed out nor fails by it, nor for another booking.
func TestFollow_BookingsDoNotWait(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	p.follower(t, identity.RoleHost)
	p.follower(t, identity.RoleHost)
	signingOut, taking := p.SQL().MustBegin(), p.SQL().MustBegin()
	defer func() { _, _ = signingOut.Rollback(), taking.Rollback() }()
	signingOut.MustExec(`DELETE FROM user_sessions WHERE session_id = (SELECT min(session_id) FROM user_sessions)`)
	p.bookFree(t, "18:00", p.Diners(t, 1, 0)...)
	taking.MustExec(`INSERT INTO mails (kind, user_id, reservation_id) SELECT 'confirmed', user_id, id FROM reservations`)
	p.bookFree(t, "19:00", p.Diners(t, 1, 0)...)
	dbtest.Must(t, errors.Join(signingOut.Commit(), taking.Rollback()))
	if got := p.pushed(t); len(got) != 1 || got[0].Title != "새 예약 2건" {
		t.Errorf("pushed: %+v", got)
	}
}

// bookingsSent has three instances send the new bookings of so many browsers, and returns how many pushes arrived.
func (p *pushing) bookingsSent(t *testing.T, n int, guard func(string) string) (arrived int) {
	t.Helper()
	for range n {
		p.follower(t, identity.RoleHost)
	}
	p.bookFree(t, "18:00", p.Diners(t, 3, 0)...)
	return p.sentByThree(t, n, letters.TakeNewBookings, guard)
}

func TestTakeNewBookings_OnceByManyInstances(t *testing.T) {
	t.Parallel()
	if arrived := newPushing(t).bookingsSent(t, push.MaxSubscriptions,
		dbtest.Intact); arrived != push.MaxSubscriptions {
		t.Errorf("%d pushes arrived, want %d", arrived, push.MaxSubscriptions)
	}
}

// What the push service does not take is due again at once where the lease is away; else it comes with what is new.
func TestTakeNewBookings_WithoutDelayIsTwice(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	p.Service.Answer(http.StatusServiceUnavailable)
	if arrived := p.bookingsSent(t, 2, dbtest.Replacing("10 * 2 ^ least(attempts, 10)", "0")); arrived <= 2 {
		t.Error("no push was sent twice: the test above proves nothing")
	}
	p.Service.Answer(0)
	p.bookFree(t, "18:00", p.Diners(t, 2, 0)...)
	if got := p.pushed(t); len(got) != 2 || got[0].Title != "새 예약 5건" {
		t.Errorf("taken at last: %+v", got)
	}
}
