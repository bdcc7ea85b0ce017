package kafka

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"lunchgo/app/events"
	"lunchgo/app/jobs"
)

// wanted is how long events are written after the last process with a relay has ended: it loses none if it starts again
// by then.
const wanted = 24 * time.Hour

// batch is the most events that are sent before they are marked as sent.
const batch = 500

// Paces say how often a relay does what it does. Their zero values are those of the product.
type Paces struct {
	Lease time.Duration // after which another process takes over from one that is gone
	Poll  time.Duration // the shortest pause between looks at the outbox
	Idle  time.Duration // the longest
	Slow  time.Duration // how long a batch may take until Kafka counts as away

	GiveUp  time.Duration // how long a batch may take in all
	Refused time.Duration // how long an event that Kafka refuses is left alone
}

// Meter counts what a relay does.
type Meter interface {
	Backlog(byTopic map[string]events.Backlog) // nil when this process does not send any more
	SendFailed(topic string)
}

// Config is what a relay works with.
type Config struct {
	Store  events.Store
	Kafka  Cluster
	Holder string // of the lease: the name of this process, which no other has
	Paces  Paces
	Meter  Meter
	Log    *slog.Logger
}

// Relay sends the events of the outbox to Kafka, each at least once, those of each key in order. All processes run one;
// the one with the lease sends.
//
// Events are marked after Kafka has stored them, so one that ends in between sends them again, under the same ids. A
// relay whose lease is over stops before it sends more. What it has under way at that moment can arrive late, as a
// repeat of events that its successor has sent too: their sequence tells a consumer that it knows them.
type Relay struct {
	Config
	// the end of the lease by this process's clock, which never is later than the database's
	until atomic.Pointer[time.Time]

	senders []*sender // one for each topic
}

// NewRelay returns a relay; Run starts it.
func NewRelay(c Config) *Relay {
	c.Paces.Lease = cmp.Or(c.Paces.Lease, 15*time.Second)
	c.Paces.Poll = cmp.Or(c.Paces.Poll, 50*time.Millisecond)
	c.Paces.Idle = cmp.Or(c.Paces.Idle, time.Second)
	c.Paces.Slow = cmp.Or(c.Paces.Slow, 5*time.Second)
	c.Paces.GiveUp = cmp.Or(c.Paces.GiveUp, 30*time.Second)
	c.Paces.Refused = cmp.Or(c.Paces.Refused, time.Minute)
	r := &Relay{Config: c}
	for _, kind := range events.Kinds() {
		r.senders = append(r.senders, &sender{Relay: r, kind: kind, topic: events.TopicOf(kind),
			hints: make(chan struct{}, 1), refused: map[string]refusal{}})
	}
	return r
}

// Hint says that there may be events: a relay that pauses looks at once.
func (r *Relay) Hint() {
	for _, s := range r.senders {
		select {
		case s.hints <- struct{}{}:
		default:
		}
	}
}

// Run relays until ctx ends, and then leaves the lease to others.
func (r *Relay) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if r.hold(ctx) {
			r.lead(ctx)
		}
		jobs.Rest(ctx, nil, r.Paces.Lease/3)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = r.Store.Release(ctx, r.Holder) // else it ends by itself
}

// hold takes or renews the lease and says whether this process has it.
func (r *Relay) hold(ctx context.Context) bool {
	asked := time.Now()
	held, err := r.Store.Hold(ctx, events.Lease{Holder: r.Holder, For: r.Paces.Lease, Wanted: wanted})
	switch {
	case err != nil:
		return r.leads() // whether it has it is known to the database only; it has until the end of what it knows
	case held:
		end := asked.Add(r.Paces.Lease)
		r.until.Store(&end)
	default:
		r.until.Store(nil)
	}
	return held
}

// leads says whether the lease still holds.
func (r *Relay) leads() bool {
	until := r.until.Load()
	return until != nil && time.Now().Before(*until)
}

// lead sends events until the lease is lost. Connections are of this lease: what is under way ends with it.
func (r *Relay) lead(ctx context.Context) {
	ctx, lost := context.WithCancel(ctx)
	defer lost()
	var senders sync.WaitGroup
	for _, s := range r.senders {
		senders.Go(func() { s.run(ctx) })
	}
	r.keepLease(ctx)
	lost()
	senders.Wait()
}

// keepLease renews the lease and reads the backlog until the lease is lost.
func (r *Relay) keepLease(ctx context.Context) {
	defer r.Meter.Backlog(nil)
	for ctx.Err() == nil {
		if backlog, err := r.Store.Backlog(ctx); err == nil {
			r.Meter.Backlog(backlog)
		}
		jobs.Rest(ctx, nil, r.Paces.Lease/3)
		if ctx.Err() == nil && !r.hold(ctx) {
			r.Log.WarnContext(ctx, "another process sends the events now")
			return
		}
	}
}
