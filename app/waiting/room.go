package waiting

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

// Room is one process' waiting room. Its methods may be called at once from many goroutines.
type Room struct {
	cfg     Config
	server  Handler
	signer  Signer
	door    door
	tickets *tickets
	lines   *locks.Client

	mu      sync.Mutex
	queues  map[locks.Name]*queue
	closing chan struct{}
	running sync.WaitGroup
}

// Open opens a room whose lines are kept in rdb and whose turns are served by server. Close it.
func Open(rdb redis.UniversalClient, server Handler, signer Signer, cfg Config) *Room {
	cfg = cfg.withDefaults()
	r := &Room{
		cfg:    cfg,
		server: server,
		signer: signer,
		door:   newDoor(cfg.AtOnce, cfg.Patience),
		tickets: &tickets{rdb: rdb, prefix: cfg.Prefix, userLock: cfg.UserLock,
			life: 2 * cfg.MaxWait, maxLines: cfg.MaxLines, admission: admitScript},
		queues:  map[locks.Name]*queue{},
		closing: make(chan struct{}),
	}
	cfg.Lines.Prefix = cfg.Prefix
	cfg.Lines.Grace = cfg.Grace
	cfg.Lines.Departed = r.departed
	r.lines = locks.NewClient(rdb, cfg.Lines)
	return r
}

// Close tells every watcher to come back in a moment, lets the turns that are being served end, and gives up the lines.
// The tickets keep their places: another process, or the next start of this one, adopts them.
func (r *Room) Close(ctx context.Context) error {
	r.mu.Lock()
	select {
	case <-r.closing:
	default:
		close(r.closing)
	}
	for _, l := range r.queues {
		l.stop()
	}
	r.mu.Unlock()
	served := make(chan struct{})
	go func() {
		r.running.Wait()
		close(served)
	}()
	select {
	case <-served:
	case <-ctx.Done():
	}
	return r.lines.Close(ctx)
}

// Enter enters a person's wish into its line, or finds what became of an earlier press with the same idempotency key.
// The caller must Close the watch. Returns ErrInProgress, ErrTooMany, ErrLineFull, ErrCrowded or ErrClosing.
func (r *Room) Enter(ctx context.Context, w Request) (*Watch, error) {
	if err := r.door.enter(ctx); err != nil {
		return nil, err
	}
	defer r.door.leave()
	if result, no := r.server.Precheck(ctx, w); no {
		if ticket, same, err := r.pressed(ctx, w); err == nil && same {
			return r.resume(ctx, Token{Line: w.Line, Ticket: ticket, UserID: w.UserID})
		}
		return settled("", &w, result), nil
	}
	found, err := r.admit(ctx, w)
	switch {
	case err != nil:
		return nil, err
	case !found.isNew:
		return r.resume(ctx, Token{Line: w.Line, Ticket: found.ticket, UserID: w.UserID})
	}
	watch, err := r.join(ctx, w, found.ticket, 0)
	if err == nil && found.unstored {
		watch.lane.noteUnstored()
	}
	return watch, err
}

// Watch finds a ticket by the pass its diner was given, adopting it to this process if it waits. The caller must Close
// the watch. Returns ErrUnknownTicket for a pass that is forged, not of this user, or long past; ErrCrowded.
func (r *Room) Watch(ctx context.Context, pass, userID string) (*Watch, error) {
	p, err := r.signer.Read(pass, userID)
	if err != nil {
		return nil, err
	}
	if w := r.watchHere(ctx, p); w != nil {
		return w, nil
	}
	if err := r.door.enter(ctx); err != nil {
		return nil, err
	}
	defer r.door.leave()
	return r.resume(ctx, p)
}

// Leave takes a ticket out of its line for good. Leaving twice, or after the turn, changes nothing. Returns
// ErrUnknownTicket, ErrCrowded.
func (r *Room) Leave(ctx context.Context, pass, userID string) error {
	p, err := r.signer.Read(pass, userID)
	if err != nil {
		return err
	}
	if err := r.door.enter(ctx); err != nil {
		return err
	}
	defer r.door.leave()
	rec, err := r.tickets.find(ctx, p.Line, p.Ticket)
	if err != nil && !(Away(err) && r.standsHere(p)) || rec.Result != nil {
		return err
	}
	return r.leave(ctx, p.Line, finished{p.Ticket, userID, Result{State: Left, Code: CodeLeft}})
}

func (r *Room) leave(ctx context.Context, line locks.Name, f finished) error {
	if err := r.lines.Line(line).Leave(ctx, f.ticket); err != nil {
		return err
	}
	r.settle(ctx, line, []finished{f})
	return nil
}

// CloseLine answers everyone who waits in a line with result, on every process, at once.
func (r *Room) CloseLine(ctx context.Context, line locks.Name, result Result) error {
	reason, err := json.Marshal(result)
	if err != nil {
		return err
	}
	_, err = r.lines.Line(line).Close(ctx, string(reason))
	return err
}

// Lengths says how many stand in each of the lines, those being served among them.
func (r *Room) Lengths(ctx context.Context, lines []locks.Name) ([]int, error) {
	return r.lines.Lengths(ctx, lines)
}

// Away says how many evenings and campaigns this process serves by itself because Redis cannot be asked.
func (r *Room) Away() int { return r.lines.Away() }

// Waiting is how many tickets wait in this process.
func (r *Room) Waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, l := range r.queues {
		n += l.standing()
	}
	return n
}

// resume watches a ticket that exists: in this process, waiting elsewhere, or over.
func (r *Room) resume(ctx context.Context, p Token) (*Watch, error) {
	if w := r.watchHere(ctx, p); w != nil {
		return w, nil
	}
	rec, err := r.tickets.find(ctx, p.Line, p.Ticket)
	switch {
	case err == ErrUnknownTicket || Away(err):
		result, recallErr := r.server.FindResult(ctx, p.Line, p.Ticket)
		if recallErr == ErrUnknownTicket {
			return nil, err
		}
		if recallErr != nil {
			return nil, recallErr
		}
		return settled(r.signer.Sign(p), nil, result), nil
	case err != nil:
		return nil, err
	case rec.Wish.UserID != p.UserID:
		return nil, ErrUnknownTicket
	case rec.Result != nil:
		p.Arrival = max(p.Arrival, rec.Arrival)
		return settled(r.signer.Sign(p), &rec.Wish, *rec.Result), nil
	}
	return r.join(ctx, rec.Wish, p.Ticket, max(p.Arrival, rec.Arrival))
}

// watchHere watches a ticket that this process lends; nil if it does not.
func (r *Room) watchHere(ctx context.Context, p Token) *Watch {
	r.mu.Lock()
	var w *Watch
	l := r.queues[p.Line]
	if l != nil {
		w = l.watch(p.Ticket)
	}
	r.mu.Unlock()
	if w == nil && l != nil {
		return l.owes(p)
	}
	return l.back(ctx, w)
}

// join lends a ticket to its line from this process. arrival is 0, or the place it had before.
func (r *Room) join(ctx context.Context, w Request, ticket string, arrival int64) (*Watch, error) {
	watch, err := r.stand(w, ticket, arrival)
	if err != nil {
		return nil, err
	}
	if err := watch.lane.enter(ctx, watch.standing); err != nil {
		watch.Close()
		watch.lane.drop(watch.standing)
		return nil, err
	}
	return watch, nil
}

// stand adds a ticket to its lane, opening the lane if it is the first, so that a turn that comes at once finds it.
func (r *Room) stand(w Request, ticket string, arrival int64) (*Watch, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.closing:
		return nil, ErrClosing
	default:
	}
	l := r.queues[w.Line]
	if l == nil {
		l = newQueue(r, w.Line)
		r.queues[w.Line] = l
	}
	return l.add(w, ticket, arrival), nil
}

// settle ends tickets that got no turn, stores that, and tells those who watch here. Where a turn elsewhere had another
// result, that one counts.
func (r *Room) settle(ctx context.Context, line locks.Name, run []finished) {
	r.tell(line, r.keep(ctx, line, run, unserved))
}

// tell gives those who watch here their results.
func (r *Room) tell(line locks.Name, run []finished) {
	if l := r.queueOf(line); l != nil {
		l.tell(run)
	}
}

// queueOf is this process' lane of a line; nil if it has none.
func (r *Room) queueOf(line locks.Name) *queue {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queues[line]
}

// retire takes a lane without tickets off the room; false if it has some again.
func (r *Room) retire(l *queue) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l.standing() > 0 || l.inDebt() {
		return false
	}
	delete(r.queues, l.name)
	return true
}

// departed is told by the line that a ticket of this process is no longer in it.
func (r *Room) departed(line locks.Name, ticket string, why locks.Departure) {
	if l := r.queueOf(line); l != nil {
		l.noteDeparture(ticket, why)
	}
}
