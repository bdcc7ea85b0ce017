package db

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/jobs"
	"lunchgo/app/push"
	"lunchgo/app/push/pushtest"
	"lunchgo/app/token"
	"lunchgo/app/webhooks"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/pg"
)

// pushing is a site whose pushes go to a fake push service.
type pushing struct {
	*harness
	service *pushtest.Service
	store   *letters.PushStore
	keys    push.Keys
}

func newPushing(t *testing.T) *pushing {
	t.Helper()
	h := setup(t)
	keys, err := push.NewKeys(token.Secrets{"secret", "old secret"})
	dbtest.Must(t, err)
	return &pushing{harness: h, service: pushtest.Start(t), store: letters.NewPushStore(h.Pool), keys: keys}
}

// sender is one of an instance, which reaches private addresses unless it is guarded.
func (p *pushing) sender(db *pg.Pool, guarded bool) push.Sender {
	return push.Sender{Store: letters.NewPushStore(db), Composer: p.composer(),
		Keys: p.keys, Client: webhooks.NewClient(webhooks.ClientConfig{PrivateNetworks: !guarded}),
		Site: "https://lunch.example", Now: time.Now, Log: slog.New(slog.DiscardHandler)}
}

// send sends once what is due.
func (p *pushing) send(t *testing.T, s push.Sender) {
	t.Helper()
	send(t, s.Jobs(time.Hour)[0])
}

func send(t *testing.T, job jobs.Job) {
	t.Helper()
	if _, err := job.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	job.End()
}

// signedIn is a new session of a diner.
func (p *pushing) signedIn(t *testing.T, diner string) identity.Session {
	t.Helper()
	session := sessionOf(diner, rand.Text(), time.Now(), 0)
	p.record(t, session)
	return session
}

func (p *pushing) subscribe(t *testing.T, session identity.Session) push.Subscription {
	t.Helper()
	sub := p.service.Subscribe(t, p.keys[0].Public())
	dbtest.Must(t, p.store.Subscribe(t.Context(), session, sub))
	return sub
}

// lateTurn is the turn of a diner who has waited for a while.
func (h *harness) lateTurn(t *testing.T, diner string) (id string) {
	return h.lateTurnAt(t, diner, "19:00")
}

func (h *harness) lateTurnAt(t *testing.T, diner string, at booking.TimeOfDay) (id string) {
	t.Helper()
	request := h.request(diner, h.slot(at))
	request.Arrival = time.Now().Add(-time.Minute).UnixMicro()
	return h.reserve(t, request)
}

func (p *pushing) counts(t *testing.T) (subscriptions, pushes int) {
	t.Helper()
	return p.count(t, `SELECT count(*) FROM push_subscriptions`), p.count(t, `SELECT count(*) FROM pushes`)
}

// A turn is pushed to each of the diner's browsers, and to nobody else's, and is worth nothing once the hold has ended.
func TestPush_TellsOfATurn(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	people := p.diners(t, 3, 0)
	phone := p.subscribe(t, p.signedIn(t, people[0]))
	laptop := p.service.Subscribe(t, p.keys[1].Public()) // of the secret before
	dbtest.Must(t, p.store.Subscribe(t.Context(), p.signedIn(t, people[0]), laptop))
	p.subscribe(t, p.signedIn(t, people[1]))
	id := p.lateTurn(t, people[0])
	p.reserve(t, p.request(people[1], p.slot("19:00"))) // at once: the diner looks
	p.lateTurn(t, people[2])                            // has no browser
	p.send(t, p.sender(p.Pool, false))
	got, asked := p.service.Received()
	if len(got) != 2 || asked != 2 || got[0].Endpoint == got[1].Endpoint {
		t.Fatalf("%d pushes: %+v", asked, got)
	}
	for _, r := range got {
		var ttl int
		_, _ = fmt.Sscan(r.TTL, &ttl)
		if r.Endpoint != phone.Endpoint && r.Endpoint != laptop.Endpoint || r.Title == "" ||
			!strings.Contains(r.Body, "담담반상") || r.URL != "/reservations/"+id+"/pay" || r.Tag != push.TagOf(p.slot("19:00")) ||
			r.Urgency != "high" || ttl < 6*60 || ttl > 7*60 {
			t.Errorf("pushed: %+v", r)
		}
	}
	p.send(t, p.sender(p.Pool, false)) // due again a minute before the hold ends
	if _, again := p.service.Received(); again != asked {
		t.Error("a turn is pushed twice")
	}
	p.mustExec(t, `UPDATE reservations SET hold_expires_at = now() + interval '55 seconds' WHERE id = $1`, id)
	p.mustExec(t, `UPDATE pushes SET due_at = due_at - interval '7 minutes'`)
	p.send(t, p.sender(p.Pool, false))
	got, asked = p.service.Received()
	if _, pushes := p.counts(t); pushes != 0 || len(got) != 4 || got[3].Title != "곧 결제 시간이 끝납니다" {
		t.Errorf("before the hold ends: %+v, and %d are left", got[2:], pushes)
	}
	other := p.lateTurnAt(t, people[1], "12:00")
	p.mustExec(t, `UPDATE reservations SET hold_expires_at = now() WHERE id = $1`, other)
	p.send(t, p.sender(p.Pool, false))
	if _, after := p.service.Received(); after != asked {
		t.Error("a turn that was over is pushed")
	}
	if _, pushes := p.counts(t); pushes != 0 {
		t.Errorf("%d pushes of a turn that was over are left", pushes)
	}
}

// Whoever has waited for a table that costs nothing hears that it is theirs; who was served at once sees it.
func TestPush_TellsOfATableThatCostsNothing(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	people := p.diners(t, 2, 100_000)
	for _, diner := range people {
		p.subscribe(t, p.signedIn(t, diner))
	}
	waited := p.reserve(t, p.free(people[0], p.slot("12:00")))
	atOnce := p.free(people[1], p.slot("12:00"))
	atOnce.Arrival = time.Now().UnixMicro()
	p.reserve(t, atOnce)
	p.mustPay(t, p.reserve(t, p.request(people[1], p.slot("19:00"))), people[1], booking.Deposit, "pay")
	p.send(t, p.sender(p.Pool, false))
	got, _ := p.service.Received()
	if len(got) != 1 || got[0].URL != "/reservations/"+waited || got[0].Urgency != "high" || got[0].Title == "" {
		t.Errorf("pushed: %+v", got)
	}
}

// Offers and reminders are pushed as long as they are worth something, and lead where their letters do.
func TestPush_TellsOfOffersAndReminders(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	id, diner := p.confirmed(t, p.startingIn(20*time.Hour))
	p.subscribe(t, p.signedIn(t, diner))
	p.mustExec(t, `UPDATE reservations SET created_at = created_at - interval '3 days'`)
	dbtest.Must(t, letters.NewMailStore(p.Pool).AddReminders(t.Context(), 24*time.Hour))
	held := p.reserve(t, p.request(diner, p.slot("12:00")))
	p.mustExec(t, `INSERT INTO mails (kind, user_id, reservation_id) VALUES ('offer', $1, $2)`, diner, held)
	p.send(t, p.sender(p.Pool, false))
	got, _ := p.service.Received()
	slices.SortFunc(got, func(a, b pushtest.Received) int { return strings.Compare(a.Urgency, b.Urgency) })
	if len(got) != 2 || got[0].Urgency != "high" || !strings.HasPrefix(got[0].URL, "/offers/") ||
		got[1].Urgency != "normal" || got[1].URL != "/reservations/"+id || got[0].Answer != nil || got[1].Answer == nil ||
		!strings.HasPrefix(got[1].Answer.URL, "/coming/") {
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
	p.mustExec(t, `UPDATE restaurants SET shadow = true`)
	diner := p.diners(t, 1, 0)[0]
	p.subscribe(t, p.signedIn(t, diner))
	p.lateTurn(t, diner)
	if subscriptions, pushes := p.counts(t); subscriptions != 1 || pushes != 0 {
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
		{0, 1, 0}, {http.StatusNotFound, 0, 0}, {http.StatusGone, 0, 0}, {http.StatusUnauthorized, 0, 0}, {http.StatusForbidden, 0, 0},
		{http.StatusRequestEntityTooLarge, 1, 0}, {http.StatusTooManyRequests, 1, 1}, {http.StatusServiceUnavailable, 1, 1},
	} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			t.Parallel()
			p := newPushing(t)
			diner := p.diners(t, 1, 0)[0]
			p.subscribe(t, p.signedIn(t, diner))
			p.lateTurn(t, diner)
			p.mustExec(t, `UPDATE reservations SET hold_expires_at = now() + interval '55 seconds'`) // is pushed once
			p.service.Answer(c.status)
			job := p.sender(p.Pool, false).Jobs(time.Hour)[0]
			send(t, job)
			if subscriptions, pushes := p.counts(t); subscriptions != c.subscriptions || pushes != c.pushes {
				t.Errorf("%d subscriptions, %d pushes; want %+v", subscriptions, pushes, c)
			}
			p.service.Answer(0)
			send(t, job) // not due
			if _, asked := p.service.Received(); asked != 1 {
				t.Errorf("asked %d times", asked)
			}
			p.mustExec(t, `UPDATE pushes SET due_at = now()`)
			send(t, job)
			if got, asked := p.service.Received(); asked != 1+c.pushes || c.pushes == 1 && len(got) != 1 {
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
		"private": func(p *pushing) push.Sender { return p.sender(p.Pool, true) },
		"foreign": func(p *pushing) push.Sender {
			p.keys = p.keys[1:]
			return p.sender(p.Pool, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPushing(t)
			diner := p.diners(t, 1, 0)[0]
			p.subscribe(t, p.signedIn(t, diner))
			p.lateTurn(t, diner)
			p.send(t, sender(p))
			_, asked := p.service.Received()
			if subscriptions, pushes := p.counts(t); subscriptions != 0 || pushes != 0 || asked != 0 {
				t.Errorf("%d subscriptions, %d pushes, asked %d times", subscriptions, pushes, asked)
			}
		})
	}
}

// sendAll has three instances send so many pushes, and returns how many arrived.
func (p *pushing) sendAll(t *testing.T, n int, guard rewrite) (arrived int) {
	t.Helper()
	diner := p.diners(t, 1, 0)[0]
	for range n {
		p.subscribe(t, p.signedIn(t, diner))
	}
	p.lateTurn(t, diner)
	return p.sentByThree(t, n, letters.TakePushes, guard)
}

// sentByThree has three instances, with a guard as it is or weakened, send so often, and returns how many pushes
// arrived.
func (p *pushing) sentByThree(t *testing.T, times int, of pg.Guard, as rewrite) (arrived int) {
	t.Helper()
	var running sync.WaitGroup
	for range 3 {
		instance := openAt(t, pg.Config{URL: p.url})
		instance.Weaken(of, as)
		job := p.sender(instance, false).Jobs(time.Hour)[0]
		running.Go(func() {
			for range times {
				send(t, job)
			}
		})
	}
	running.Wait()
	_, arrived = p.service.Received()
	return arrived
}

func TestTakePushes_OnceByManyInstances(t *testing.T) {
	t.Parallel()
	if arrived := newPushing(t).sendAll(t, push.MaxSubscriptions, intact); arrived != push.MaxSubscriptions {
		t.Errorf("%d pushes arrived, want %d", arrived, push.MaxSubscriptions)
	}
}

// A push that the service does not take is due again at once where the lease is away.
func TestTakePushes_WithoutDelayIsTwice(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	p.service.Answer(http.StatusServiceUnavailable)
	if arrived := p.sendAll(t, 2, replacing("10 * 2 ^ least(attempts, 10)", "0")); arrived <= 2 {
		t.Error("no push was sent twice: the test above proves nothing")
	}
}

// A browser belongs to whom it signed in last, and is let go with its session. A diner has ten.
func TestSubscribe_GoesWithTheSession(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	people := p.diners(t, 2, 0)
	first, second := p.signedIn(t, people[0]), p.signedIn(t, people[1])
	sub := p.subscribe(t, first)
	p.lateTurn(t, people[0])
	dbtest.Must(t, p.store.Subscribe(t.Context(), second, sub))
	if subscriptions, pushes := p.counts(t); subscriptions != 1 || pushes != 0 {
		t.Errorf("moved: %d subscriptions, %d pushes to the browser of somebody else", subscriptions, pushes)
	}
	p.lateTurn(t, people[1])
	for range 2 { // a repeat changes nothing
		dbtest.Must(t, p.store.Subscribe(t.Context(), second, sub))
	}
	if _, pushes := p.counts(t); pushes != 1 {
		t.Errorf("%d pushes to the new diner", pushes)
	}
	p.subscribe(t, second) // anew in the same browser
	if subscriptions, _ := p.counts(t); subscriptions != 1 {
		t.Errorf("%d subscriptions of one session", subscriptions)
	}
	dbtest.Must(t, p.users.RevokeSession(t.Context(), second))
	if subscriptions, pushes := p.counts(t); subscriptions != 0 || pushes != 0 {
		t.Errorf("signed out: %d subscriptions, %d pushes", subscriptions, pushes)
	}
	if err := p.store.Subscribe(t.Context(), second, sub); !errors.Is(err, identity.ErrNoSession) {
		t.Errorf("after signing out: %v", err)
	}
	for range push.MaxSubscriptions + 2 {
		p.subscribe(t, p.signedIn(t, people[0]))
	}
	if subscriptions, _ := p.counts(t); subscriptions != push.MaxSubscriptions {
		t.Errorf("%d subscriptions of one diner", subscriptions)
	}
	if _, err := p.users.EndSessions(t.Context(), identity.EndedSessions{UserID: people[0], Until: time.Now(),
		Keep: first.ID}); err != nil {
		t.Fatal(err)
	}
	if subscriptions, _ := p.counts(t); subscriptions != 0 {
		t.Errorf("other sessions ended: %d subscriptions", subscriptions)
	}
}

// A turn neither waits for a browser that is being signed out nor fails by it.
func TestPush_TurnsDoNotWaitForSubscriptions(t *testing.T) {
	t.Parallel()
	p := newPushing(t)
	diner := p.diners(t, 1, 0)[0]
	p.subscribe(t, p.signedIn(t, diner))
	signingOut := p.SQL().MustBegin()
	defer func() { _ = signingOut.Rollback() }()
	signingOut.MustExec(`DELETE FROM user_sessions`)
	p.lateTurn(t, diner)
	dbtest.Must(t, signingOut.Commit())
	if subscriptions, pushes := p.counts(t); subscriptions != 0 || pushes != 0 {
		t.Errorf("%d subscriptions, %d pushes", subscriptions, pushes)
	}
}
