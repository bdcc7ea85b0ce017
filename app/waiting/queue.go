package waiting

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"time"

	"lunchgo/app/estimate"
	"lunchgo/locks"
)

// queue is the in-process side of one line: the tickets of this process, the turns that they get, and
// the progress of the line. It lives while it has tickets or serves a turn, or its line has orphans.
type queue struct {
	room     *Room
	name     locks.Name
	line     *locks.Line
	ctx      context.Context // ends with the queue
	cancel   context.CancelFunc
	attended bool // its loops run; guarded by the room's mu
	turns    int  // that it serves; guarded by the room's mu

	mu        sync.Mutex
	batchSize int // how many tickets a turn may take
	tickets   map[string]*localTicket
	upNext    string // the ticket whose turn waits until this process has room for it
	departed  []departure
	settling  bool // Redis has lost the line, and tickets return to their places
	local     bool // Redis does not answer, and this process keeps its own tickets' places
	steering  Steering
	// stillUntil is until when the line stands still, or stood still last; nextStill when this process says so again.
	stillUntil, nextStill time.Time
	keptAt                time.Time // when the records of the tickets were kept from expiring
	unstored              bool      // Redis may miss records of the tickets
	// how often this process was given the line for tickets of processes that died; 0: it has none
	orphans int
	wake    chan struct{} // there are departures
	// by group of tickets: closed when their watchers are to look again; nil while none of them waits for that
	refreshed [wakeGroups]chan struct{}
	added     int // tickets so far
	progress  locks.Progress
	forecast  forecast
	positions map[string]position // of the tickets, by progress
	everyone  map[string]int      // positions of all tickets of the line, by progress; nobody changes it
	remaining Remaining           // what is left
	closing   closing             // when nothing is, by progress
	pending   map[string]pendingResult
	seats     lineSeats // refresh alone uses it
	nextWake  int       // the group of watchers to be woken next; refreshLoop alone uses it
}

// localTicket is a live ticket that this process serves, whether or not somebody watches it here.
type localTicket struct {
	id           string
	group        int // of those whose watchers are woken together
	request      Request
	enteredAt    time.Time // by this process' clock, and as its arrival number says
	arrival      int64
	placedAt     time.Time // when it last took a place in the line, by this process' clock
	granted      bool      // its turn began as it entered: nobody waited
	again        bool      // it was there before this process knew it
	fellOut      bool      // its line had lost it when it entered again: a process that died may have served it
	watchers     int
	missingSince time.Time // when the line first did not show it; zero while it does
	goneSince    time.Time // when it left this process or its line; zero while it has not
	adopted      bool      // another process serves it
	adoptedAt    time.Time // when this process learned that
	shown        estimate.Shown
	result       Result
	done         chan struct{} // closed once result is set
}

// record returns what Redis stores of the ticket while it waits.
func (t *localTicket) record() storedTicket {
	return storedTicket{Ticket: t.id, At: t.enteredAt, Request: t.request}
}

// with pairs the ticket with a result.
func (t *localTicket) with(result Result) ticketResult {
	return ticketResult{ticket: t.id, request: t.request, arrival: t.arrival, result: result}
}

func newQueue(r *Room, name locks.Name) *queue {
	ctx, cancel := context.WithCancel(context.Background())
	q := &queue{
		room:      r,
		name:      name,
		line:      r.lines.Line(name),
		ctx:       ctx,
		cancel:    cancel,
		batchSize: r.cfg.BatchSize,
		tickets:   map[string]*localTicket{},
		wake:      make(chan struct{}, 1),
		nextWake:  wakeGroups,
		positions: map[string]position{},
		remaining: Remaining{Requests: math.MaxInt},
		pending:   map[string]pendingResult{},
		forecast:  newForecast(r.pasts.before(name), false),
		keptAt:    time.Now(),
	}
	return q
}

// attend starts what takes the line's turns and keeps its progress fresh, unless that runs already. Whoever is served
// as they enter needs neither.
func (q *queue) attend() {
	q.room.mu.Lock()
	defer q.room.mu.Unlock()
	q.room.attend(q)
}

// attend is queue.attend for who holds mu.
func (r *Room) attend(q *queue) {
	select {
	case <-r.closing:
		return
	default:
	}
	if q.attended {
		return
	}
	q.attended = true
	r.running.Go(func() { q.serveTurns(q.ctx) })
	r.running.Go(func() { q.refreshLoop(q.ctx) })
}

// add adds a ticket to the queue and watches it. A ticket that is in the queue already is only watched. again says that
// it is no new one.
func (q *queue) add(req Request, ticket string, arrival int64, again bool) *Watch {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.tickets[ticket]
	if t == nil {
		t = &localTicket{id: ticket, group: q.added % wakeGroups, request: req, enteredAt: cameAt(req),
			arrival: arrival, again: again, done: make(chan struct{})}
		q.tickets[ticket] = t
		q.added++
	}
	t.watchers++
	return &Watch{queue: q, ticket: t}
}

// cameAt is when the person of a request came, as far as the request says it.
func cameAt(req Request) time.Time {
	if req.Since > 0 {
		return time.UnixMilli(req.Since)
	}
	return time.Now()
}

// watch watches a ticket of the queue; nil if it has no such ticket.
func (q *queue) watch(ticket string) *Watch {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.tickets[ticket]
	if t == nil {
		return nil
	}
	t.watchers++
	return &Watch{queue: q, ticket: t}
}

func (q *queue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.tickets)
}

// still returns how many tickets wait in the queue while staff keep its line still; 0 while it moves.
func (q *queue) still(now time.Time) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.steering.still(now) == 0 {
		return 0
	}
	return len(q.tickets)
}

// enter puts a ticket into the line, at its old place if it had one. Returns
// ErrLineFull for a new ticket at the end of the longest line; it has no place then, and its person may
// try again.
func (q *queue) enter(ctx context.Context, t *localTicket) error {
	q.mu.Lock()
	arrival, fellBefore, again := t.arrival, t.fellOut, t.again || t.arrival != 0
	t.fellOut = fellBefore || again // until the line says that it was there: it can close before
	q.mu.Unlock()
	work, err := json.Marshal(t.request)
	if err != nil {
		return err
	}
	in := locks.Entry{Ticket: t.id, Arrival: arrival, Work: string(work)}
	if arrival == 0 {
		in.Lot, in.LotUntil = q.lot(ctx, t)
	}
	place, err := q.line.Enter(ctx, in)
	if err != nil {
		return err
	}
	wasThere := place.Logged == 0
	if arrival == 0 && !wasThere && place.Count > q.room.cfg.MaxLine {
		if err := q.line.Leave(ctx, t.id); err != nil {
			return err
		}
		if err := q.room.store.delete(ctx, t.request, t.id); err != nil && !locks.IsAway(err) {
			return err
		}
		return ErrLineFull
	}
	q.mu.Lock()
	isFirst := t.placedAt.IsZero() // Redis' clock may have been set since
	t.arrival, t.placedAt, t.goneSince, t.adopted = place.Arrival, time.Now(), time.Time{}, false
	t.granted = place.Granted
	t.fellOut = fellBefore || again && !wasThere
	if isFirst && place.Arrival >= locks.LotsBelow {
		t.enteredAt = time.Now().Add(-max(place.ServerTime.Sub(time.UnixMicro(place.Arrival)), 0))
	}
	if !place.Settling || q.positions[t.id].number == 0 {
		q.positions[t.id] = position{number: place.Position}
	}
	q.progress.Count = max(q.progress.Count, place.Count)
	q.mu.Unlock()
	return nil
}

// fellOut says whether the line had lost a ticket when it entered again.
func (q *queue) fellOut(t *localTicket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return t.fellOut
}

// reenter puts a ticket back at its old place, unless it has a result, which it publishes: its diner may have left by
// another process. If that fails, the next refresh tries again.
func (q *queue) reenter(ctx context.Context, t *localTicket) {
	if q.publishStored(ctx, t) {
		return
	}
	if err := q.enter(ctx, t); err != nil {
		q.room.cfg.Log.WarnContext(ctx, "take place in line again failed; will retry", "line", q.name, "error", err)
		q.mu.Lock()
		t.goneSince = time.Now()
		q.mu.Unlock()
	}
}

// drop removes a ticket that could not enter. If somebody else watches it, the next refresh tries again
// instead.
func (q *queue) drop(t *localTicket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.watchers == 0 && q.tickets[t.id] == t {
		delete(q.tickets, t.id)
		delete(q.positions, t.id)
	}
	t.goneSince = time.Now()
}
