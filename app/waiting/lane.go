package waiting

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"

	"lunchgo/locks"
)

// queue is one line as this process sees it: the tickets it lends, the turns that fall to them, and how far the line is.
// It lives while it has tickets.
type queue struct {
	room  *Room
	name  locks.Name
	line  *locks.Line
	open  context.Context // ends with the lane
	stop  context.CancelFunc
	reach int // how many tickets a turn may take; serveTurns alone uses it

	mu        sync.Mutex
	standings map[string]*standing
	departed  []departure
	settling  bool          // the line has lost its data, and tickets return to their places
	local     bool          // the line cannot be asked, and this process keeps its own tickets' places
	unstored  bool          // what belongs to the tickets may be missing in Redis
	wake      chan struct{} // a departure waits to be worked off
	tick      chan struct{} // closed and replaced when progress is new
	progress  locks.Progress
	positions map[string]position // of the own tickets, by progress
	left      int                 // wishes that can still come true, at most
	owed      map[string]debt
	seats     lineSeats // refresh alone uses it
}

// standing is one ticket that this process lends.
type standing struct {
	ticket   string
	wish     Request
	since    time.Time
	arrival  int64
	watchers int
	seen     time.Time // when a watcher was last here
	missing  time.Time // since when it was not seen in the line, though it should be there; zero while it is
	gone     time.Time // since when the line says that this process does not lend it any more; zero while it does
	parked   bool      // its diner is away, and the line keeps the place
	result   Result
	done     chan struct{} // closed once result is set
}

type departure struct {
	ticket string
	why    locks.Departure
}

func newQueue(r *Room, name locks.Name) *queue {
	ctx, stop := context.WithCancel(context.Background())
	l := &queue{
		room:      r,
		name:      name,
		line:      r.lines.Line(name),
		open:      ctx,
		stop:      stop,
		reach:     r.cfg.Run,
		standings: map[string]*standing{},
		wake:      make(chan struct{}, 1),
		tick:      make(chan struct{}),
		positions: map[string]position{},
		left:      math.MaxInt,
		owed:      map[string]debt{},
	}
	r.running.Go(func() { l.serveTurns(ctx) })
	r.running.Go(func() { l.look(ctx) })
	return l
}

// add takes a ticket into the lane and watches it; a ticket that is there already is only watched.
func (l *queue) add(w Request, ticket string, arrival int64) *Watch {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.standings[ticket]
	if s == nil {
		s = &standing{ticket: ticket, wish: w, since: time.Now(), arrival: arrival, done: make(chan struct{})}
		l.standings[ticket] = s
	}
	s.watchers++
	return &Watch{lane: l, standing: s}
}

// watch watches a ticket that is in the lane; nil if it is not.
func (l *queue) watch(ticket string) *Watch {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.standings[ticket]
	if s == nil {
		return nil
	}
	s.watchers++
	return &Watch{lane: l, standing: s}
}

func (l *queue) standing() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.standings)
}

// enter puts a ticket into the line, at its old place if it had one, and remembers that place with the ticket. Returns
// ErrLineFull for a new ticket at the end of the longest line; it has no place then, and may press again.
func (l *queue) enter(ctx context.Context, s *standing) error {
	l.mu.Lock()
	arrival := s.arrival
	l.mu.Unlock()
	work, err := json.Marshal(s.wish)
	if err != nil {
		return err
	}
	place, err := l.line.Enter(ctx, locks.Entry{Ticket: s.ticket, Arrival: arrival, Work: string(work)})
	if err != nil {
		return err
	}
	if arrival == 0 && place.Count > l.room.cfg.MaxLine {
		if err := l.line.Leave(ctx, s.ticket); err != nil {
			return err
		}
		if err := l.room.tickets.forget(ctx, s.wish, s.ticket); err != nil && !Away(err) {
			return err
		}
		return ErrLineFull
	}
	l.mu.Lock()
	s.arrival, s.gone, s.parked = place.Arrival, time.Time{}, false
	if !place.Settling || l.positions[s.ticket].number == 0 {
		l.positions[s.ticket] = position{number: place.Position}
	}
	l.progress.Count = max(l.progress.Count, place.Count)
	l.mu.Unlock()
	if arrival != 0 || place.Granted {
		return nil
	}
	err = l.room.tickets.placed(ctx, l.name, s.ticket, place.Arrival)
	if Away(err) {
		l.noteUnstored()
		return nil
	}
	return err
}

// isUnstored says whether Redis may not know yet of all that stood, or stands, here.
func (l *queue) isUnstored() bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unstored || len(l.owed) > 0
}

// noteUnstored makes look store again what belongs to the lane's tickets.
func (l *queue) noteUnstored() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unstored = true
}

// reenter takes a ticket's place again. Where that fails now, look tries later.
func (l *queue) reenter(ctx context.Context, s *standing) {
	if err := l.enter(ctx, s); err != nil {
		l.room.cfg.Log.Warn("a place could not be taken again yet", "line", l.name, "error", err)
		l.mu.Lock()
		s.gone = time.Now()
		l.mu.Unlock()
	}
}

// drop forgets a ticket that could not enter, unless somebody else watches it: then look tries again.
func (l *queue) drop(s *standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.watchers == 0 && l.standings[s.ticket] == s {
		delete(l.standings, s.ticket)
		delete(l.positions, s.ticket)
	}
	s.gone = time.Now()
}

// tell gives the watchers of a run their results; the tickets leave the lane.
func (l *queue) tell(run []finished) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range run {
		if s := l.standings[f.ticket]; s != nil {
			s.result = f.result
			close(s.done)
			delete(l.standings, f.ticket)
			delete(l.positions, f.ticket)
		}
	}
}

// noteDeparture queues what the line said of a ticket, for look to work off: the line must not be kept waiting.
func (l *queue) noteDeparture(ticket string, why locks.Departure) {
	l.mu.Lock()
	l.departed = append(l.departed, departure{ticket, why})
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// settleDepartures answers the tickets of a closed line and those that another process has served, puts those back that
// were lost or that need nothing of what is gone, and notes which ones another process lends.
func (l *queue) settleDepartures(ctx context.Context) {
	l.mu.Lock()
	batch := l.departed
	l.departed = nil
	var closed, served []finished
	var lost []*standing
	for _, d := range batch {
		s := l.standings[d.ticket]
		switch {
		case s == nil:
		case d.why.Cause == locks.Closed && s.wish.HoldsSeats:
			lost = append(lost, s)
		case d.why.Cause == locks.Closed:
			closed = append(closed, finished{s.ticket, s.wish.UserID, pushedResult(d.why.Reason)})
		case d.why.Cause == locks.Served && d.why.Result != "":
			served = append(served, finished{s.ticket, s.wish.UserID, pushedResult(d.why.Result)})
		case d.why.Cause == locks.Reaped:
			lost = append(lost, s)
		default:
			s.gone = time.Now()
		}
	}
	l.mu.Unlock()

	l.tell(served) // whoever served them has stored the results
	for part := range slices.Chunk(closed, l.room.cfg.Run) {
		l.room.settle(ctx, l.name, part)
	}
	for _, s := range lost {
		if !l.answered(ctx, s) {
			l.reenter(ctx, s)
		}
	}
}

// answered tells a ticket's watchers what became of it, if that is stored.
func (l *queue) answered(ctx context.Context, s *standing) bool {
	rec, err := l.room.tickets.find(ctx, l.name, s.ticket)
	if err != nil || rec.Result == nil {
		return false
	}
	l.tell([]finished{{s.ticket, s.wish.UserID, *rec.Result}})
	return true
}

// pushedResult reads a result that came through the line: the reason that CloseLine gave, or what another process
// answered.
func pushedResult(pushed string) Result {
	var result Result
	if err := json.Unmarshal([]byte(pushed), &result); err != nil || result.State == "" {
		return Result{State: Rejected, Code: CodeUnavailable}
	}
	return result
}
