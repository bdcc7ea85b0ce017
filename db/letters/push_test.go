package letters_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/push"
	"lunchgo/app/push/pushtest"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// pushing is the kit's, with what only the tests of pushes do.
type pushing struct{ *testkit.Pushing }

func newPushing(t *testing.T) *pushing {
	t.Helper()
	return &pushing{testkit.NewPushing(t)}
}

// lateTurn is the turn of a diner who has waited for a while.
func lateTurn(t *testing.T, h *testkit.Harness, diner string) (id string) {
	t.Helper()
	return lateTurnAt(t, h, diner, "19:00")
}

func lateTurnAt(t *testing.T, h *testkit.Harness, diner string, at booking.TimeOfDay) (id string) {
	t.Helper()
	request := h.Request(diner, h.Slot(at))
	request.Arrival = time.Now().Add(-time.Minute).UnixMicro()
	return h.Reserve(t, request)
}

// A turn is pushed to each of the diner's browsers, and to nobody else's, and is worth nothing once the hold has ended.
func TestPush_TellsOfATurn(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	people := p.Diners(t, 3, 0)
	phone := p.Subscribe(t, p.SignedIn(t, people[0]))
	laptop := p.Service.Subscribe(t, p.Keys[1].Public()) // of the secret before
	dbtest.Must(t, p.Store.Subscribe(t.Context(), p.SignedIn(t, people[0]), laptop))
	p.Subscribe(t, p.SignedIn(t, people[1]))
	id := lateTurn(t, p.Harness, people[0])
	p.Reserve(t, p.Request(people[1], p.Slot("19:00"))) // at once: the diner looks
	lateTurn(t, p.Harness, people[2])                   // has no browser
	p.Send(t, p.Sender(p.Pool, false))
	got, asked := p.Service.Received()
	if len(got) != 2 || asked != 2 || got[0].Endpoint == got[1].Endpoint {
		t.Fatalf("%d pushes: %+v", asked, got)
	}
	for _, r := range got {
		var ttl int
		_, _ = fmt.Sscan(r.TTL, &ttl)
		if r.Endpoint != phone.Endpoint && r.Endpoint != laptop.Endpoint || r.Title == "" ||
			!strings.Contains(r.Body, "담담반상") || r.URL != "/reservations/"+id+"/pay" ||
			r.Tag != push.TagOf(p.Slot("19:00")) ||
			r.Urgency != "high" || ttl < 6*60 || ttl > 7*60 {
			t.Errorf("pushed: %+v", r)
		}
	}
	p.Send(t, p.Sender(p.Pool, false)) // due again a minute before the hold ends
	if _, again := p.Service.Received(); again != asked {
		t.Error("a turn is pushed twice")
	}
	p.MustExec(t, `UPDATE reservations SET hold_expires_at = now() + interval '55 seconds' WHERE id = $1`, id)
	p.MustExec(t, `UPDATE pushes SET due_at = due_at - interval '7 minutes'`)
	p.Send(t, p.Sender(p.Pool, false))
	got, asked = p.Service.Received()
	if _, pushes := p.Counts(t); pushes != 0 || len(got) != 4 || got[3].Title != "곧 결제 시간이 끝납니다" {
		t.Errorf("before the hold ends: %+v, and %d are left", got[2:], pushes)
	}
	other := lateTurnAt(t, p.Harness, people[1], "12:00")
	p.MustExec(t, `UPDATE reservations SET hold_expires_at = now() WHERE id = $1`, other)
	p.Send(t, p.Sender(p.Pool, false))
	if _, after := p.Service.Received(); after != asked {
		t.Error("a turn that was over is pushed")
	}
	if _, pushes := p.Counts(t); pushes != 0 {
		t.Errorf("%d pushes of a turn that was over are left", pushes)
	}
}

// Whoever has waited for a table that costs nothing hears that it is theirs; who was served at once sees it.
func TestPush_TellsOfATableThatCostsNothing(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	people := p.Diners(t, 2, 100_000)
	for _, diner := range people {
		p.Subscribe(t, p.SignedIn(t, diner))
	}
	waited := p.Reserve(t, p.Free(people[0], p.Slot("12:00")))
	atOnce := p.Free(people[1], p.Slot("12:00"))
	atOnce.Arrival = time.Now().UnixMicro()
	p.Reserve(t, atOnce)
	p.MustPay(t, p.Reserve(t, p.Request(people[1], p.Slot("19:00"))), people[1], booking.Deposit, "pay")
	p.Send(t, p.Sender(p.Pool, false))
	got, _ := p.Service.Received()
	if len(got) != 1 || got[0].URL != "/reservations/"+waited || got[0].Urgency != "high" || got[0].Title == "" {
		t.Errorf("pushed: %+v", got)
	}
}

// Offers and reminders are pushed as long as they are worth something, and lead where their letters do.
func TestPush_TellsOfOffersAndReminders(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	id, diner := p.Confirmed(t, p.StartingIn(20*time.Hour))
	p.Subscribe(t, p.SignedIn(t, diner))
	p.MustExec(t, `UPDATE reservations SET created_at = created_at - interval '3 days'`)
	dbtest.Must(t, letters.NewMailStore(p.Pool).AddReminders(t.Context(), 24*time.Hour))
	held := p.Reserve(t, p.Request(diner, p.Slot("12:00")))
	p.MustExec(t, `INSERT INTO mails (kind, user_id, reservation_id) VALUES ('offer', $1, $2)`, diner, held)
	p.Send(t, p.Sender(p.Pool, false))
	got, _ := p.Service.Received()
	slices.SortFunc(got, func(a, b pushtest.Received) int { return strings.Compare(a.Urgency, b.Urgency) })
	if len(got) != 2 || got[0].Urgency != "high" || !strings.HasPrefix(got[0].URL, "/offers/") ||
		got[1].Urgency != "normal" || got[1].URL != "/reservations/"+id || got[0].Answer != nil ||
		got[1].Answer == nil || !strings.HasPrefix(got[1].Answer.URL, "/coming/") {
		t.Fatalf("pushed: %+v", got)
	}
	var offer, reminder int
	_, _ = fmt.Sscan(got[0].TTL, &offer)
	_, _ = fmt.Sscan(got[1].TTL, &reminder)
	if offer < 6*60 || offer > 7*60 || reminder < 19*3600 || reminder > 20*3600 {
		t.Errorf("kept for %d and %d s", offer, reminder)
	}
}

// Load tests push to nobody.
func TestPush_NoneForShadows(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	p.MustExec(t, `UPDATE restaurants SET shadow = true`)
	diner := p.Diners(t, 1, 0)[0]
	p.Subscribe(t, p.SignedIn(t, diner))
	lateTurn(t, p.Harness, diner)
	if subscriptions, pushes := p.Counts(t); subscriptions != 1 || pushes != 0 {
		t.Errorf("%d subscriptions, %d pushes", subscriptions, pushes)
	}
}

// What the push service answers decides what becomes of a push and its subscription.
func TestPush_FollowsThePushService(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status                int
		subscriptions, pushes int
	}{
		{0, 1, 0}, {http.StatusNotFound, 0, 0}, {http.StatusGone, 0, 0}, {http.StatusUnauthorized, 0, 0},
		{http.StatusForbidden, 0, 0}, {http.StatusRequestEntityTooLarge, 1, 0}, {http.StatusTooManyRequests, 1, 1},
		{http.StatusServiceUnavailable, 1, 1},
	} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			t.Parallel()
			p := newPushing(t)
			diner := p.Diners(t, 1, 0)[0]
			p.Subscribe(t, p.SignedIn(t, diner))
			lateTurn(t, p.Harness, diner)
			p.MustExec(t, `UPDATE reservations SET hold_expires_at = now() + interval '55 seconds'`) // is pushed once
			p.Service.Answer(c.status)
			job := p.Sender(p.Pool, false).Jobs(time.Hour)[0]
			testkit.Send(t, job)
			if subscriptions, pushes := p.Counts(t); subscriptions != c.subscriptions || pushes != c.pushes {
				t.Errorf("%d subscriptions, %d pushes; want %+v", subscriptions, pushes, c)
			}
			p.Service.Answer(0)
			testkit.Send(t, job) // not due
			if _, asked := p.Service.Received(); asked != 1 {
				t.Errorf("asked %d times", asked)
			}
			p.MustExec(t, `UPDATE pushes SET due_at = now()`)
			testkit.Send(t, job)
			if got, asked := p.Service.Received(); asked != 1+c.pushes || c.pushes == 1 && len(got) != 1 {
				t.Errorf("asked %d times in the end, received %v", asked, got)
			}
		})
	}
}

// A subscription is given up unasked where it leads inside, or was made with a key that is none any more. Without the
// guard it is sent to, by TestPush_TellsOfATurn.
func TestPush_RefusesPrivateAddressesAndForeignKeys(t *testing.T) {
	t.Parallel()
	for name, sender := range map[string]func(*pushing) push.Sender{
		"private": func(p *pushing) push.Sender { return p.Sender(p.Pool, true) },
		"foreign": func(p *pushing) push.Sender {
			p.Keys = p.Keys[1:]
			return p.Sender(p.Pool, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPushing(t)
			diner := p.Diners(t, 1, 0)[0]
			p.Subscribe(t, p.SignedIn(t, diner))
			lateTurn(t, p.Harness, diner)
			p.Send(t, sender(p))
			_, asked := p.Service.Received()
			if subscriptions, pushes := p.Counts(t); subscriptions != 0 || pushes != 0 || asked != 0 {
				t.Errorf("%d subscriptions, %d pushes, asked %d times", subscriptions, pushes, asked)
			}
		})
	}
}

// sendAll has three instances send so many pushes, and returns how many arrived.
func (p *pushing) sendAll(t *testing.T, n int, guard func(string) string) (arrived int) {
	t.Helper()
	diner := p.Diners(t, 1, 0)[0]
	for range n {
		p.Subscribe(t, p.SignedIn(t, diner))
	}
	lateTurn(t, p.Harness, diner)
	return p.sentByThree(t, n, letters.TakePushes, guard)
}

// sentByThree has three instances, with a guard as it is or weakened, send so often, and returns how many pushes
// arrived.
func (p *pushing) sentByThree(t *testing.T, times int, of pg.Guard, as func(string) string) (arrived int) {
	t.Helper()
	var running sync.WaitGroup
	for range 3 {
		instance := testkit.OpenAt(t, pg.Config{URL: p.URL})
		instance.Weaken(of, as)
		job := p.Sender(instance, false).Jobs(time.Hour)[0]
		running.Go(func() {
			for range times {
				testkit.Send(t, job)
			}
		})
	}
	running.Wait()
	_, arrived = p.Service.Received()
	return arrived
}

func TestTakePushes_OnceByManyInstances(t *testing.T) {
	t.Parallel()
	if arrived := newPushing(t).sendAll(t, push.MaxSubscriptions, dbtest.Intact); arrived != push.MaxSubscriptions {
		t.Errorf("%d pushes arrived, want %d", arrived, push.MaxSubscriptions)
	}
}

// A push that the service does not take is due again at once where the lease is away.
func TestTakePushes_WithoutDelayIsTwice(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	p.Service.Answer(http.StatusServiceUnavailable)
	if arrived := p.sendAll(t, 2, dbtest.Replacing("10 * 2 ^ least(attempts, 10)", "0")); arrived <= 2 {
		t.Error("no push was sent twice: the test above proves nothing")
	}
}

// A browser belongs to whom it signed in last, and is let go with its session. A diner has ten.
func TestSubscribe_GoesWithTheSession(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	people := p.Diners(t, 2, 0)
	first, second := p.SignedIn(t, people[0]), p.SignedIn(t, people[1])
	sub := p.Subscribe(t, first)
	lateTurn(t, p.Harness, people[0])
	dbtest.Must(t, p.Store.Subscribe(t.Context(), second, sub))
	if subscriptions, pushes := p.Counts(t); subscriptions != 1 || pushes != 0 {
		t.Errorf("moved: %d subscriptions, %d pushes to the browser of somebody else", subscriptions, pushes)
	}
	lateTurn(t, p.Harness, people[1])
	for range 2 { // a repeat changes nothing
		dbtest.Must(t, p.Store.Subscribe(t.Context(), second, sub))
	}
	if _, pushes := p.Counts(t); pushes != 1 {
		t.Errorf("%d pushes to the new diner", pushes)
	}
	p.Subscribe(t, second) // anew in the same browser
	if subscriptions, _ := p.Counts(t); subscriptions != 1 {
		t.Errorf("%d subscriptions of one session", subscriptions)
	}
	dbtest.Must(t, p.Users.RevokeSession(t.Context(), second))
	if subscriptions, pushes := p.Counts(t); subscriptions != 0 || pushes != 0 {
		t.Errorf("signed out: %d subscriptions, %d pushes", subscriptions, pushes)
	}
	if err := p.Store.Subscribe(t.Context(), second, sub); !errors.Is(err, identity.ErrNoSession) {
		t.Errorf("after signing out: %v", err)
	}
	for range push.MaxSubscriptions + 2 {
		p.Subscribe(t, p.SignedIn(t, people[0]))
	}
	if subscriptions, _ := p.Counts(t); subscriptions != push.MaxSubscriptions {
		t.Errorf("%d subscriptions of one diner", subscriptions)
	}
	if _, err := p.Users.EndSessions(t.Context(), identity.EndedSessions{UserID: people[0], Until: time.Now(),
		Keep: first.ID}); err != nil {
		t.Fatal(err)
	}
	if subscriptions, _ := p.Counts(t); subscriptions != 0 {
		t.Errorf("other sessions ended: %d subscriptions", subscriptions)
	}
}

// A turn neither waits for a browser that is being signed out nor fails by it.
func TestPush_TurnsDoNotWaitForSubscriptions(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	diner := p.Diners(t, 1, 0)[0]
	p.Subscribe(t, p.SignedIn(t, diner))
	signingOut := p.SQL().MustBegin()
	defer func() { _ = signingOut.Rollback() }()
	signingOut.MustExec(`DELETE FROM user_sessions`)
	lateTurn(t, p.Harness, diner)
	dbtest.Must(t, signingOut.Commit())
	if subscriptions, pushes := p.Counts(t); subscriptions != 0 || pushes != 0 {
		t.Errorf("%d subscriptions, %d pushes", subscriptions, pushes)
	}
}
