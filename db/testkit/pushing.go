package testkit

import (
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

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

// Pushing is a site whose pushes go to a fake push service.
type Pushing struct {
	*Harness
	Service *pushtest.Service
	Store   *letters.PushStore
	Keys    push.Keys
}

// NewPushing returns the site of a test.
func NewPushing(t *testing.T) *Pushing {
	t.Helper()
	h := Setup(t)
	keys, err := push.NewKeys(token.Secrets{"secret", "old secret"})
	dbtest.Must(t, err)
	return &Pushing{Harness: h, Service: pushtest.Start(t), Store: letters.NewPushStore(h.Pool), Keys: keys}
}

// Sender is one of an instance, which reaches private addresses unless it is guarded.
func (p *Pushing) Sender(pool *pg.Pool, guarded bool) push.Sender {
	return push.Sender{Store: letters.NewPushStore(pool), Composer: p.Composer(),
		Keys: p.Keys, Client: webhooks.NewClient(webhooks.ClientConfig{PrivateNetworks: !guarded}),
		Site: "https://lunch.example", Now: time.Now, Log: slog.New(slog.DiscardHandler)}
}

// Send sends once what is due.
func (p *Pushing) Send(t *testing.T, s push.Sender) {
	t.Helper()
	Send(t, s.Jobs(time.Hour)[0])
}

// Send runs a job once.
func Send(t *testing.T, job jobs.Job) {
	t.Helper()
	if _, err := job.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	job.End()
}

// SignedIn is a new session of a diner.
func (p *Pushing) SignedIn(t *testing.T, diner string) identity.Session {
	t.Helper()
	session := SessionOf(diner, rand.Text(), time.Now(), 0)
	p.Record(t, session)
	return session
}

// Subscribe subscribes the browser of a session.
func (p *Pushing) Subscribe(t *testing.T, session identity.Session) push.Subscription {
	t.Helper()
	sub := p.Service.Subscribe(t, p.Keys[0].Public())
	dbtest.Must(t, p.Store.Subscribe(t.Context(), session, sub))
	return sub
}

// Counts are how many subscriptions there are, and how many pushes wait.
func (p *Pushing) Counts(t *testing.T) (subscriptions, pushes int) {
	t.Helper()
	return p.Count(t, `SELECT count(*) FROM push_subscriptions`), p.Count(t, `SELECT count(*) FROM pushes`)
}
