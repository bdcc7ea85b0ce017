package locks

import (
	"slices"
	"sync"
	"time"
)

// session is this node's side of a line: the tickets it owns there and the turns they got. It exists while tickets or
// calls need it.
type session struct {
	client    *Client
	line      *Line
	name      Name
	keys      keys
	partition *partition // nil without Config.Fallback
	users     int        // calls and goroutines at work on it; guarded by client.mu

	turns     chan struct{} // signals that ready may have grown
	wake      chan struct{} // signals keepAlive to look at its plan again
	notifying sync.Mutex    // held while Config.Departed runs, so that its calls do not overlap

	mu           sync.Mutex // guards what follows
	tickets      map[string]*localTicket
	arriving     []*entering // tickets that enter with the next call
	sending      bool        // a call of enter is under way, or about to be
	clock        serverClock
	nexts        int         // calls of Next
	attended     bool        // Next has been called
	ready        []*heldTurn // for Next
	current      *heldTurn
	lastFence    int64 // of the newest turn seen here; what is not newer is a repetition
	closedAt     int64 // µs of Redis' clock when the line was last closed
	closedReason string
	keepingAlive bool // keepAlive is running
	beatDue      bool
	checkAt      time.Time // when the present turn ends, if the head of the line is owned by this node
}

// localTicket is a ticket that this node owns.
type localTicket struct {
	ticket          string
	arrival         int64 // 0 until Redis has drawn it
	work            string
	entering        int       // Enter calls under way
	leaving         int       // Leave calls under way
	knownAt         int64     // µs of Redis' clock when it was last known to be in line; 0: not yet
	goneAt          int64     // likewise, when it was known to be no longer in line
	claiming        int64     // fence of the grant that is being claimed
	servedElsewhere bool      // another node has its turn
	turn            *heldTurn // of this node, that serves it, as holder or taken along
	waiter          *waiter
}

// needsBeat reports whether the ticket lives by beats: not before Redis knows it, nor while its own turn lasts here.
func (e *localTicket) needsBeat() bool {
	return e.knownAt > 0 && (e.turn == nil || e.turn.ticket != e.ticket)
}

func newSession(l *Line) *session {
	return &session{
		client:  l.client,
		line:    l,
		name:    l.name,
		keys:    lineKeys(l.client.cfg.Prefix, l.name),
		turns:   make(chan struct{}, 1),
		wake:    make(chan struct{}, 1),
		tickets: make(map[string]*localTicket),
	}
}

// empty reports whether the session owns nothing.
func (s *session) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tickets) == 0
}

func (s *session) has(ticket string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tickets[ticket] != nil
}

// arrivalOf is the number of a ticket on the session, or 0.
func (s *session) arrivalOf(ticket string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.tickets[ticket]; e != nil {
		return e.arrival
	}
	return 0
}

// needsBeats reports whether any ticket lives by beats. Several tickets always do, but for moments. Holds mu.
func (s *session) needsBeats() bool {
	if len(s.tickets) > 1 {
		return true
	}
	for _, e := range s.tickets { // in any order
		return e.needsBeat()
	}
	return false
}

// wakeKeepAlive starts the session's goroutine or makes it look again, as the tickets demand. Call it after every
// change.
func (s *session) wakeKeepAlive() {
	s.mu.Lock()
	busy := s.needsBeats()
	start := busy && !s.keepingAlive
	look := s.keepingAlive && (!busy || s.beatDue)
	s.keepingAlive = s.keepingAlive || start
	s.mu.Unlock()
	if start {
		s.client.spawn(s.line, (*session).keepAlive)
	}
	if look {
		signal(s.wake)
	}
}

// signal wakes the reader of a channel of capacity one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// onGrant deals with a turn that Redis says this node has: a new one goes to whoever waits for it, for a known one the
// time left is noted, and one for a ticket that nobody here knows is given back.
func (s *session) onGrant(g grant, how grantSource) {
	deadline := how.sent.Add(g.left) // the script ran after sent, so the lease lasts at least that long
	if t := s.currentTurn(); t != nil && t.fence < g.fence {
		t.lose(s) // unless it has been released
	}
	s.mu.Lock()
	if s.isRepeated(g, how.now) {
		t := s.current
		s.mu.Unlock()
		if t != nil && t.fence == g.fence {
			t.extend(deadline)
		}
		return
	}
	s.lastFence = g.fence
	e := s.tickets[g.ticket]
	adopted := e == nil && g.work != ""
	if adopted {
		e = s.adopt(g, how.now)
	}
	if e == nil {
		s.mu.Unlock()
		s.client.spawn(s.line, func(s *session) { s.releaseUnknown(g.ticket, g.fence) })
		return
	}
	t := newHeldTurn(s.line, g, deadline)
	if adopted {
		t.work, t.foreign[g.ticket] = g.work, true
	}
	unattended := adopted && !s.attended
	e.arrival, e.turn, e.claiming, e.servedElsewhere, e.knownAt = g.arrival, t, 0, false, max(e.knownAt, how.now)
	s.current = t
	s.handOver(e)
	s.mu.Unlock()
	if unattended {
		s.client.cfg.Orphans(s.name)
	}
	if o := s.client.cfg.Observer; o != nil {
		wait, handoff := micros(g.acquired-g.arrival), micros(how.now-g.acquired)-s.client.until(how.sent)
		if g.arrival < LotsBelow {
			wait = 0 // a lot does not say when its ticket came
		}
		o.Granted(s.name, how.path, max(wait, 0), handoff)
	}
}

// clockFault is how far numbers are ahead of Redis' clock at least when they were drawn by a clock that was wrong.
const clockFault = time.Minute

// isRepeated reports whether a grant is one that was seen before, as of a moment of Redis' clock (µs): fences rise. But
// where the last ones were drawn by a clock that was ahead, and Redis has lost them since, they begin anew. Holds mu.
func (s *session) isRepeated(g grant, now int64) bool {
	latest := now + clockFault.Microseconds()
	beginsAnew := g.fresh && g.fence <= latest && s.lastFence > latest
	return g.fence <= s.lastFence && !beginsAnew
}

// handOver hands a ticket's turn to the Lock that waits for it, or else to Next. Holds mu.
func (s *session) handOver(e *localTicket) {
	if w := e.waiter; w != nil {
		e.waiter = nil // a Lock gets one turn; what comes after Turn.Return goes to Next
		select {
		case w.turn <- e.turn.newHandle():
			return
		default:
		}
	}
	s.ready = append(s.ready, e.turn)
	signal(s.turns)
}

// countNext notes that a call of Next begins (1) or ends (-1).
func (s *session) countNext(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nexts += n
	s.attended = true
}

// popReady returns the oldest turn that nobody has been given.
func (s *session) popReady() *heldTurn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ready) == 0 {
		return nil
	}
	t := s.ready[0]
	s.ready = slices.Delete(s.ready, 0, 1)
	if len(s.ready) > 0 {
		signal(s.turns) // for another caller of Next
	}
	return t
}

// beginLeave keeps a ticket from being put back until end is called, also by a beat that finds it gone before Leave has
// its answer.
func (s *session) beginLeave(ticket string) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tickets[ticket]
	if e == nil {
		return func() {}
	}
	e.leaving++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		e.leaving--
	}
}

// forget drops a ticket that left the line at a moment of Redis' clock. If a turn serves it here, that turn's end is
// what ends it.
func (s *session) forget(ticket string, at int64) {
	s.mu.Lock()
	var out []notification
	if e := s.tickets[ticket]; e != nil && e.turn == nil && e.knownAt <= at {
		out = append(out, s.removeTicket(e, at, Departure{Cause: Elsewhere}))
	}
	s.mu.Unlock()
	s.notifyWaiters(out)
	s.wakeKeepAlive()
}

// removeTicket takes a ticket off the session. Holds mu.
func (s *session) removeTicket(e *localTicket, at int64, why Departure) notification {
	if s.tickets[e.ticket] == e {
		delete(s.tickets, e.ticket)
	}
	e.goneAt = max(e.goneAt, at)
	return notification{ticket: e.ticket, why: why, waiter: e.waiter}
}

// observe reports events to the observer.
func (s *session) observe(event Event, n int) {
	if o := s.client.cfg.Observer; o != nil && n > 0 {
		o.Happened(s.name, event, n)
	}
}
