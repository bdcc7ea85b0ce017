package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// How much a sender has under way at a time, and how often it does what need not be done often.
const (
	sendsAtOnce  = 64 // an endpoint that hangs keeps a place for 10 s
	sendsTo      = 4  // to one endpoint; to one that fails or is slow: 1
	slowTry      = 3 * time.Second
	handOverStep = 200  // events
	trimStep     = 1000 // deliveries
	trimEvery    = time.Hour
	watchEvery   = 15 * time.Second
)

// Observer sees what a sender does.
type Observer interface {
	Tried(t Try, v Verdict)
	Waits(b Backlog)
}

// Sender makes deliveries of events and sends them. Several instances may run one each.
type Sender struct {
	Queue    Queue
	Vault    Vault
	Client   *Client
	Observer Observer
	Every    time.Duration // how often it looks for work, besides whenever a delivery is done
	Now      func() time.Time
	Log      *slog.Logger
}

// sending is what a Sender has under way.
type sending struct {
	Sender
	mu      sync.Mutex
	busy    map[string]int      // deliveries under way by endpoint
	slow    map[string]struct{} // endpoints whose last try took long
	under   int                 // of all
	done    chan struct{}       // a place came free
	running sync.WaitGroup
}

// Run sends until ctx ends, and returns when what was under way has ended.
func (s Sender) Run(ctx context.Context) {
	w := &sending{Sender: s, busy: map[string]int{}, slow: map[string]struct{}{}, done: make(chan struct{}, 1)}
	defer w.running.Wait()
	ticker := time.NewTicker(s.Every)
	defer ticker.Stop()
	var trimmed, watched time.Time
	for {
		w.handOver(ctx)
		w.take(ctx)
		if now := s.Now(); now.Sub(trimmed) >= trimEvery {
			trimmed = now
			w.trim(ctx)
		}
		if now := s.Now(); now.Sub(watched) >= watchEvery {
			watched = now
			w.watch(ctx)
		}
		select {
		case <-ticker.C:
		case <-w.done:
		case <-ctx.Done():
			return
		}
	}
}

func (w *sending) handOver(ctx context.Context) {
	for {
		n, err := w.Queue.HandOver(ctx, handOverStep)
		w.warn(ctx, "events are not handed to webhooks", err)
		if n < handOverStep {
			return
		}
	}
}

func (w *sending) trim(ctx context.Context) {
	for {
		n, err := w.Queue.Trim(ctx, Kept, trimStep)
		w.warn(ctx, "deliveries of webhooks are not trimmed", err)
		if n < trimStep {
			return
		}
	}
}

func (w *sending) watch(ctx context.Context) {
	backlog, err := w.Queue.ReadBacklog(ctx)
	w.warn(ctx, "the backlog of webhooks is not read", err)
	if err == nil {
		w.Observer.Waits(backlog)
	}
}

// take begins to send what is due, as much as there are places for. An endpoint with deliveries under way gets no more
// until these are done, so a slow one takes no places from the others.
func (w *sending) take(ctx context.Context) {
	w.mu.Lock()
	claim := Claim{Most: sendsAtOnce - w.under, PerEndpoint: sendsTo, Busy: slices.Collect(maps.Keys(w.busy)),
		Slow: slices.Collect(maps.Keys(w.slow)), Lease: SendLease}
	w.mu.Unlock()
	if claim.Most <= 0 {
		return
	}
	taken, err := w.Queue.TakeDeliveries(ctx, claim)
	w.warn(ctx, "deliveries of webhooks are not read", err)
	w.mu.Lock()
	for _, d := range taken {
		w.busy[d.EndpointID]++
		w.under++
	}
	w.mu.Unlock()
	for _, d := range taken {
		w.running.Go(func() {
			defer w.end(d.EndpointID)
			w.deliver(ctx, d)
		})
	}
}

// end gives the place of a delivery back.
func (w *sending) end(endpoint string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.under--
	if w.busy[endpoint]--; w.busy[endpoint] == 0 {
		delete(w.busy, endpoint)
	}
	select {
	case w.done <- struct{}{}:
	default:
	}
}

// watchPace notes whether an endpoint is slow.
func (w *sending) watchPace(endpoint string, took time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if took < slowTry {
		delete(w.slow, endpoint)
	} else {
		w.slow[endpoint] = struct{}{}
	}
}

// deliver sends once and marks how it ended. No transaction is open meanwhile: the lease keeps others away.
func (w *sending) deliver(ctx context.Context, d Taken) {
	try := w.send(ctx, d)
	w.watchPace(d.EndpointID, try.Took)
	if ctx.Err() != nil && !try.Delivered() {
		return // it is tried again when its lease is over
	}
	ctx = context.WithoutCancel(ctx) // what was delivered is noted, also by a process that ends
	verdict := Judge(d.Tries, try)
	if verdict.State != Delivered {
		w.Log.InfoContext(ctx, "deliver webhook failed", "delivery", d.ID, "endpoint", d.EndpointID, "try", d.Tries,
			"status", try.Status,
			"failure", try.Failure)
	}
	w.Observer.Tried(try, verdict)
	w.warn(ctx, "a delivery of a webhook is not marked", w.Queue.MarkDelivery(ctx, d.Delivery, try, verdict))
}

func (w *sending) send(ctx context.Context, d Taken) Try {
	secrets, err := w.secrets(d)
	if err != nil {
		return Try{Failure: FailureSecret}
	}
	return w.Client.Send(ctx, d.URL, secrets, d.Message)
}

// secrets opens those that sign: the current one, and the old one for a day.
func (w *sending) secrets(d Taken) ([]Secret, error) {
	current, err := w.Vault.Open(d.EndpointID, d.Keys.Current)
	secrets := []Secret{current}
	if d.Keys.Old != nil && w.Now().Before(d.Keys.OldUntil) {
		old, oldErr := w.Vault.Open(d.EndpointID, d.Keys.Old)
		secrets, err = append(secrets, old), errors.Join(err, oldErr)
	}
	return secrets, err
}

func (w *sending) warn(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		w.Log.WarnContext(ctx, what, "error", err)
	}
}
