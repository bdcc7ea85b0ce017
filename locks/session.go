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
	arrival         int64 // 0 until Redis has told it
	work            string
	entering        int       // Enter calls under way
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
func (d *session) empty() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.tickets) == 0
}

func (d *session) has(ticket string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tickets[ticket] != nil
}

// arrivalOf is the number of a ticket on the session, or 0.
func (d *session) arrivalOf(ticket string) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.tickets[ticket]; e != nil {
		return e.arrival
	}
	return 0
}

// needsBeats reports whether any ticket lives by beats. Several tickets always do, but for moments. Holds mu.
func (d *session) needsBeats() bool {
	if len(d.tickets) > 1 {
		return true
	}
	for _, e := range d.tickets {
		return e.needsBeat()
	}
	return false
}

// wakeKeepAlive starts the session's goroutine or makes it look again, as the tickets demand. Call it after every change.
func (d *session) wakeKeepAlive() {
	d.mu.Lock()
	busy := d.needsBeats()
	start := busy && !d.keepingAlive
	look := d.keepingAlive && (!busy || d.beatDue)
	d.keepingAlive = d.keepingAlive || start
	d.mu.Unlock()
	if start {
		d.client.spawn(d.line, (*session).keepAlive)
	}
	if look {
		signal(d.wake)
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
func (d *session) onGrant(g grant, how grantSource) {
	deadline := how.sent.Add(g.left) // the script ran after sent, so the lease lasts at least that long
	d.mu.Lock()
	if g.fence <= d.lastFence {
		t := d.current
		d.mu.Unlock()
		if t != nil && t.fence == g.fence {
			t.extend(deadline)
		}
		return
	}
	d.lastFence = g.fence
	e := d.tickets[g.ticket]
	if e == nil {
		d.mu.Unlock()
		d.client.spawn(d.line, func(d *session) { d.releaseUnknown(g.ticket, g.fence) })
		return
	}
	t := newHeldTurn(d.line, g, deadline)
	e.arrival, e.turn, e.claiming, e.servedElsewhere, e.knownAt = g.arrival, t, 0, false, max(e.knownAt, how.now)
	d.current = t
	d.handOver(e)
	d.mu.Unlock()
	if o := d.client.cfg.Observer; o != nil {
		wait, handoff := micros(g.acquired-g.arrival), micros(how.now-g.acquired)-d.client.until(how.sent)
		o.Granted(d.name, how.path, max(wait, 0), handoff)
	}
}

// handOver hands a ticket's turn to the Lock that waits for it, or else to Next. Holds mu.
func (d *session) handOver(e *localTicket) {
	if w := e.waiter; w != nil {
		e.waiter = nil // a Lock gets one turn; what comes after Turn.Return goes to Next
		select {
		case w.turn <- e.turn.newHandle():
			return
		default:
		}
	}
	d.ready = append(d.ready, e.turn)
	signal(d.turns)
}

// popReady returns the oldest turn that nobody has been given.
func (d *session) popReady() *heldTurn {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.ready) == 0 {
		return nil
	}
	t := d.ready[0]
	d.ready = slices.Delete(d.ready, 0, 1)
	if len(d.ready) > 0 {
		signal(d.turns) // for another caller of Next
	}
	return t
}

// forget drops a ticket that left the line at a moment of Redis' clock. If a turn serves it here, that turn's end is
// what ends it.
func (d *session) forget(ticket string, at int64) {
	d.mu.Lock()
	var out []notification
	if e := d.tickets[ticket]; e != nil && e.turn == nil && e.knownAt <= at {
		out = append(out, d.removeTicket(e, at, Departure{Cause: Elsewhere}))
	}
	d.mu.Unlock()
	d.notifyWaiters(out)
	d.wakeKeepAlive()
}

// removeTicket takes a ticket off the session. Holds mu.
func (d *session) removeTicket(e *localTicket, at int64, why Departure) notification {
	if d.tickets[e.ticket] == e {
		delete(d.tickets, e.ticket)
	}
	e.goneAt = max(e.goneAt, at)
	return notification{ticket: e.ticket, why: why, waiter: e.waiter}
}

// observe reports events to the observer.
func (d *session) observe(event Event, n int) {
	if o := d.client.cfg.Observer; o != nil && n > 0 {
		o.Happened(d.name, event, n)
	}
}
