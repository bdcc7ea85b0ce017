package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"lunchgo/app/jobs"
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

// Sender makes deliveries of events and sends them.
type Sender struct {
	Queue    Queue
	Vault    Vault
	Client   *Client
	Observer Observer
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

// Jobs returns the jobs that hand events over to endpoints, send them, delete old deliveries, and tell how many wait.
// An instance takes deliveries for itself for a while.
func (s Sender) Jobs(every time.Duration) []jobs.Job {
	w := &sending{Sender: s, busy: map[string]int{}, slow: map[string]struct{}{}, done: make(chan struct{}, 1)}
	return []jobs.Job{
		{Name: "send webhooks", Every: every, Wake: w.done, Run: jobs.Always(w.work),
			End: w.running.Wait},
		{Name: "trim webhook deliveries", Every: trimEvery, Run: jobs.InSteps(trimStep,
			func(ctx context.Context, most int) (int, error) { return s.Queue.Trim(ctx, Kept, most) })},
		{Name: "read webhook backlog", Every: max(every, watchEvery), Run: jobs.Always(w.watch)},
	}
}

func (w *sending) work(ctx context.Context) error {
	_, err := jobs.InSteps(handOverStep, w.Queue.HandOver)(ctx)
	return errors.Join(err, w.take(ctx))
}

func (w *sending) watch(ctx context.Context) error {
	backlog, err := w.Queue.ReadBacklog(ctx)
	if err == nil {
		w.Observer.Waits(backlog)
	}
	return err
}

// take begins to send what is due, as much as there are places for. An endpoint with deliveries under way gets no more
// until these are done, so a slow one takes no places from the others.
func (w *sending) take(ctx context.Context) error {
	w.mu.Lock()
	claim := Claim{Most: sendsAtOnce - w.under, PerEndpoint: sendsTo, Busy: slices.Collect(maps.Keys(w.busy)),
		Slow: slices.Collect(maps.Keys(w.slow)), Lease: SendLease}
	w.mu.Unlock()
	if claim.Most <= 0 {
		return nil
	}
	taken, err := w.Queue.TakeDeliveries(ctx, claim)
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
	return err
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
	if err := w.Queue.MarkDelivery(ctx, d.Delivery, try, verdict); err != nil {
		w.Log.WarnContext(ctx, "mark webhook delivery failed", "delivery", d.ID, "error", err)
	}
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
