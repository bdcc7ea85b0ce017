package waiting

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/estimate"
	"lunchgo/app/group"
	"lunchgo/locks"
)

// Room is one process' waiting room. Its methods may be called at once from many goroutines.
type Room struct {
	cfg       Config
	handler   Handler
	signer    Signer
	semaphore *timedSemaphore
	turns     semaphore // of those that are served
	store     *ticketStore
	losses    *losses
	earlier   *group.Batch[Request, Earlier]
	lines     *locks.Client
	lengths   *group.Batch[[]locks.Name, lengths]
	accuracy  estimate.Accuracy
	receipts  *receipts
	tallies   *tallies
	pasts     *pasts

	mu      sync.Mutex
	queues  map[locks.Name]*queue
	closing chan struct{}
	running sync.WaitGroup
	seen    []string // reservations that diners have got, to be stored
	storing bool     // a goroutine stores them
}

// Open opens a room whose lines are in rdb and whose turns handler serves. Close it.
func Open(rdb redis.UniversalClient, handler Handler, signer Signer, cfg Config) *Room {
	cfg = cfg.withDefaults()
	r := &Room{
		cfg:       cfg,
		handler:   handler,
		signer:    signer,
		semaphore: newSemaphore(cfg.MaxConcurrent, cfg.AcquireTimeout),
		turns:     semaphore{free: cfg.MaxTurns},
		store:     newTicketStore(rdb, handler, cfg),
		queues:    map[locks.Name]*queue{},
		closing:   make(chan struct{}),
		tallies:   &tallies{add: cfg.Tallies, log: cfg.Log, lines: noTallies()},
		earlier:   newEarlierBatch(handler),
		pasts:     &pasts{rdb: rdb, key: cfg.Prefix + "{paces}", log: cfg.Log, of: map[string]estimate.Past{}},
	}
	r.losses = newLosses(r.store, cfg)
	looked := make(chan struct{})
	r.running.Go(func() { r.losses.watch(r.closing, looked) })
	select {
	case <-looked: // nobody is served before it is known what the servers have kept
	case <-time.After(firstLook):
	}
	r.running.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		defer cancel()
		r.pasts.load(ctx)
	})
	cfg.Lines.Prefix = cfg.Prefix
	cfg.Lines.Departed = r.noteDeparture
	// a line outlives all processes for as long as anybody may wait in it
	cfg.Lines.Keep = max(cfg.Lines.Keep, cfg.MaxWait)
	if !cfg.noOrphans {
		cfg.Lines.Orphans = r.serveOrphans
	}
	r.mu.Lock() // serveOrphans may come before the client is known
	defer r.mu.Unlock()
	r.lines = locks.NewClient(rdb, cfg.Lines)
	r.lengths = newLengthsBatch(rdb, r.lines)
	r.receipts = &receipts{ids: handler, signer: cfg.Receipts, store: cfg.Logs, log: cfg.Log, start: r.start,
		lines: map[locks.Name]*lineReceipts{}, ended: map[locks.Name]bool{},
		readLog: func(ctx context.Context, line locks.Name, from int) ([]string, error) {
			return r.lines.Line(line).Log(ctx, from)
		}}
	if cfg.Tallies != nil {
		r.running.Go(func() { r.tallies.storeLoop(r.closing, cfg.TallyEvery) })
	}
	if cfg.Logs != nil {
		r.running.Go(func() { r.receipts.publishLoop(r.closing) })
	}
	return r
}

// Close sends every watcher to another process, lets the turns that are being served end, and gives up
// the lines. The tickets keep their places: another process, or the next start of this one, adopts them.
func (r *Room) Close(ctx context.Context) error {
	r.mu.Lock()
	select {
	case <-r.closing:
	default:
		close(r.closing)
	}
	for _, q := range r.queues {
		q.cancel()
	}
	r.mu.Unlock()
	served := make(chan struct{})
	go func() {
		r.running.Wait()
		close(served)
	}()
	select {
	case <-served:
		_ = r.storeSeen(ctx)
	case <-ctx.Done():
	}
	return r.lines.Close(ctx)
}

// start runs f in the background, unless the room is closing.
func (r *Room) start(f func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.closing:
		return false
	default:
		r.running.Go(f)
		return true
	}
}

// Registered returns the lines in which somebody waits, in all processes.
func (r *Room) Registered(ctx context.Context) ([]locks.Name, error) { return r.lines.Registered(ctx) }

// CloseLine gives everyone who waits in a line the same result, in every process, at once.
func (r *Room) CloseLine(ctx context.Context, line locks.Name, result Result) error {
	reason, err := json.Marshal(result)
	if err != nil {
		return err
	}
	_, err = r.lines.Line(line).Close(ctx, string(reason))
	return err
}

// Glances returns what is seen of lines from outside, in the given order.
func (r *Room) Glances(ctx context.Context, lines []locks.Name) ([]locks.Glance, error) {
	return r.lines.Glances(ctx, lines)
}

// Away returns how many evenings and campaigns this process serves by itself because Redis does not
// answer.
func (r *Room) Away() int { return r.lines.Away() }

// Waiting returns how many tickets wait in this process.
func (r *Room) Waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, q := range r.queues {
		n += q.size()
	}
	return n
}

// SuspendedTickets returns how many of those who wait in this process do so in lines that staff keep still: paused, or
// not open yet.
func (r *Room) SuspendedTickets() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, now := 0, time.Now()
	for _, q := range r.queues {
		n += q.still(now)
	}
	return n
}

// queueOf returns the queue of a line; nil if this process has none.
func (r *Room) queueOf(line locks.Name) *queue {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queues[line]
}

// countQueues returns in how many lines tickets of this process stand.
func (r *Room) countQueues() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.queues)
}

// removeIfEmpty removes a queue without tickets and turns; false if it has some again.
func (r *Room) removeIfEmpty(q *queue) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.remove(q)
}

// remove is removeIfEmpty for who holds mu.
func (r *Room) remove(q *queue) bool {
	if q.turns > 0 || q.size() > 0 || q.hasPending() || q.orphaned() > 0 {
		return false
	}
	delete(r.queues, q.name)
	r.receipts.noteEnded(q.name)
	return true
}

// noteDeparture implements locks.Config.Departed: a ticket of this process is no longer in its line.
func (r *Room) noteDeparture(line locks.Name, ticket string, why locks.Departure) {
	if q := r.queueOf(line); q != nil {
		q.noteDeparture(ticket, why)
		q.attend()
	}
}
