package locks

import (
	"slices"
	"sync"
	"time"
)

// desk is this node's side of a line: the tickets it lends there and the turns they got. It exists while tickets or
// calls need it.
type desk struct {
	client    *Client
	line      *Line
	name      Name
	keys      keys
	partition *partition // nil without Config.Fallback
	users     int        // calls and goroutines at work on it; guarded by client.mu

	turns   chan struct{} // signals that ready may have grown
	nudge   chan struct{} // signals attend to look at its plan again
	telling sync.Mutex    // held while Config.Departed runs, so that its calls do not overlap

	mu           sync.Mutex // guards what follows
	tickets      map[string]*lent
	ready        []*tenure // for Next
	current      *tenure
	fence        int64 // of the newest turn seen here; what is not newer is a repetition
	closedAt     int64 // µs of Redis' clock when the line was last closed
	closedReason string
	attended     bool // attend is running
	beatDue      bool
	wakeAt       time.Time // when the present turn ends, if the head of the line is lent by this node
}

// lent is a ticket that this node lends.
type lent struct {
	ticket    string
	arrival   int64 // 0 until Redis has told it
	work      string
	entering  int     // Enter calls under way
	seen      int64   // µs of Redis' clock when it was last known to be in line; 0: not yet
	gone      int64   // likewise, when it was known to be no longer in line
	claiming  int64   // fence of the grant that is being claimed
	elsewhere bool    // another node has its turn
	turn      *tenure // of this node, that serves it, as holder or taken along
	waiter    *waiter
}

// wantsBeat tells whether the ticket lives by beats: not before Redis knows it, nor while its own turn lasts here.
func (e *lent) wantsBeat() bool {
	return e.seen > 0 && (e.turn == nil || e.turn.ticket != e.ticket)
}

func newDesk(l *Line) *desk {
	return &desk{
		client:  l.client,
		line:    l,
		name:    l.name,
		keys:    lineKeys(l.client.cfg.Prefix, l.name),
		turns:   make(chan struct{}, 1),
		nudge:   make(chan struct{}, 1),
		tickets: make(map[string]*lent),
	}
}

// empty tells whether the desk lends nothing.
func (d *desk) empty() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.tickets) == 0
}

func (d *desk) has(ticket string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tickets[ticket] != nil
}

// arrivalOf is the number of a ticket on the desk, or 0.
func (d *desk) arrivalOf(ticket string) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.tickets[ticket]; e != nil {
		return e.arrival
	}
	return 0
}

// busy tells whether any ticket lives by beats. Several tickets always do, but for moments. Holds mu.
func (d *desk) busy() bool {
	if len(d.tickets) > 1 {
		return true
	}
	for _, e := range d.tickets {
		return e.wantsBeat()
	}
	return false
}

// settle starts the desk's goroutine or makes it look again, as the tickets demand. Call it after every change.
func (d *desk) settle() {
	d.mu.Lock()
	busy := d.busy()
	start := busy && !d.attended
	look := d.attended && (!busy || d.beatDue)
	d.attended = d.attended || start
	d.mu.Unlock()
	if start {
		d.client.spawn(d.line, (*desk).attend)
	}
	if look {
		signal(d.nudge)
	}
}

// signal wakes the reader of a channel of capacity one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// granted deals with a turn that Redis says this node has: a new one goes to whoever waits for it, for a known one the
// time left is noted, and one for a ticket that nobody here knows is given back.
func (d *desk) granted(g grant, how learnt) {
	deadline := how.sent.Add(g.left) // the script ran after sent, so the lease lasts at least that long
	d.mu.Lock()
	if g.fence <= d.fence {
		t := d.current
		d.mu.Unlock()
		if t != nil && t.fence == g.fence {
			t.extend(deadline)
		}
		return
	}
	d.fence = g.fence
	e := d.tickets[g.ticket]
	if e == nil {
		d.mu.Unlock()
		d.client.spawn(d.line, func(d *desk) { d.giveBack(g.ticket, g.fence) })
		return
	}
	t := newTenure(d.line, g, deadline)
	e.arrival, e.turn, e.claiming, e.elsewhere, e.seen = g.arrival, t, 0, false, max(e.seen, how.now)
	d.current = t
	d.deliver(e)
	d.mu.Unlock()
	if o := d.client.cfg.Observer; o != nil {
		wait, handoff := micros(g.acquired-g.arrival), micros(how.now-g.acquired)-d.client.until(how.sent)
		o.Granted(d.name, how.by, max(wait, 0), handoff)
	}
}

// deliver hands a ticket's turn to the Lock that waits for it, or else to Next. Holds mu.
func (d *desk) deliver(e *lent) {
	if w := e.waiter; w != nil {
		e.waiter = nil // a Lock gets one turn; what comes after Turn.Return goes to Next
		select {
		case w.turn <- e.turn.handle():
			return
		default:
		}
	}
	d.ready = append(d.ready, e.turn)
	signal(d.turns)
}

// pop returns the oldest turn that nobody has been given.
func (d *desk) pop() *tenure {
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
func (d *desk) forget(ticket string, at int64) {
	d.mu.Lock()
	var out []farewell
	if e := d.tickets[ticket]; e != nil && e.turn == nil && e.seen <= at {
		out = append(out, d.remove(e, at, Departure{Cause: Elsewhere}))
	}
	d.mu.Unlock()
	d.tellWaiters(out)
	d.settle()
}

// remove takes a ticket off the desk. Holds mu.
func (d *desk) remove(e *lent, at int64, why Departure) farewell {
	if d.tickets[e.ticket] == e {
		delete(d.tickets, e.ticket)
	}
	e.gone = max(e.gone, at)
	return farewell{ticket: e.ticket, why: why, waiter: e.waiter}
}

// count reports events to the observer.
func (d *desk) count(event Event, n int) {
	if o := d.client.cfg.Observer; o != nil && n > 0 {
		o.Happened(d.name, event, n)
	}
}
