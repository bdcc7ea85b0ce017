package locks

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// engine carries the operations out in memory, as the scripts do in Redis: same arguments, same answers, same order of
// things. It knows the lines of one partition and the tickets of one node, so nobody adopts a ticket and nothing is told
// to other nodes. The scripts' headers say what each operation is for. Not safe for concurrent use.
type engine struct {
	claimWindow int64 // µs
	counter     int64 // source of arrival numbers and fences
	opens       int64 // µs: nobody gets a turn before
	lines       map[string]*localLine
}

// localLine is a line in memory. What a script reads from a key of Redis is a field here.
type localLine struct {
	name                   string
	touched                int64 // µs, of the last operation on it
	holder                 *holding
	waiting, taken, parked queue
	lendings               lendings
	localRecord
}

// localRecord outlives the holders of a line.
type localRecord struct {
	born, until  int64
	ready        string
	released     int64 // fence of the turn that ended last
	pace         int64 // µs a served ticket took, when paced
	paced        bool
	share        string
	closed       int64
	reason       string
	closeRequest string
	closeCount   int64
	evictRequest string
	evicted      spot // ticket, and the fence of its turn
}

// holding is a turn.
type holding struct {
	ticket, desk, work            string
	fence, arrival, acquired, end int64
	claimed                       bool
	takeRequest                   string
	takeNames                     []string
}

func (h *holding) has(ticket string) bool { return h != nil && h.ticket == ticket }

// is tells whether it is the turn of a ticket under a fence.
func (h *holding) is(ticket string, fence int64) bool { return h.has(ticket) && h.fence == fence }

func newEngine(claimWindow time.Duration, counter int64) *engine {
	return &engine{claimWindow: claimWindow.Microseconds(), counter: counter, lines: make(map[string]*localLine)}
}

// step is one operation under way.
type step struct {
	*engine
	command
	now    int64        // µs
	lines  []*localLine // of the desk
	reaped int
	lapsed int
	turn   []any
	news   []message // for desks of this node
}

// run carries an operation out at a moment (µs) and returns what its script would answer, and the messages that the
// script would publish to this node.
func (e *engine) run(now int64, c command) ([]any, []message) {
	s := &step{engine: e, command: c, now: now}
	for name := range strings.SplitSeq(c.desk, between) {
		s.lines = append(s.lines, e.line(name, now))
	}
	return inMemory[c.op](s), s.news
}

var inMemory = map[operation]func(*step) []any{
	opEnter: (*step).enter, opHold: (*step).hold, opTake: (*step).take, opRelease: (*step).release,
	opReturn: (*step).giveBack, opLeave: (*step).leave, opPark: (*step).park, opBeat: (*step).beat,
	opRestore: (*step).restore, opEvict: (*step).evict, opClose: (*step).close, opState: (*step).state,
}

func (e *engine) line(name string, now int64) *localLine {
	l := e.lines[name]
	if l == nil {
		l = &localLine{name: name, lendings: newLendings()}
		l.share = "0"
		e.lines[name] = l
	}
	l.touched = now
	return l
}

// sweep forgets lines that were not used for a time, as keys of Redis expire.
func (e *engine) sweep(now, life int64) {
	for name, l := range e.lines {
		if l.touched+life <= now {
			delete(e.lines, name)
		}
	}
}

// serving tells whether anybody has a turn.
func (e *engine) serving(now int64) bool {
	for _, l := range e.lines {
		if l.holder != nil && l.holder.end > now {
			return true
		}
	}
	return false
}

// length counts a line's tickets as Client.Lengths does.
func (e *engine) length(name string, now int64) int {
	l := e.lines[name]
	if l == nil {
		return 0
	}
	n := l.waiting.len() + l.parked.len() + l.taken.len()
	if l.holder != nil && l.holder.end > now {
		n++
	}
	return n
}

// draw returns the next number of the hybrid clock.
func (s *step) draw() int64 {
	s.counter = max(s.counter+1, s.now)
	return s.counter
}

// opensAt is when a line gives turns again.
func (s *step) opensAt(l *localLine) int64 { return max(l.until, s.opens) }

func (s *step) settling(l *localLine) bool { return s.opensAt(l) > s.now }

// publish tells another desk of this node.
func (s *step) publish(to string, m message) {
	m.Line, m.At = to, s.now
	s.news = append(s.news, m)
}

// The operation's own arguments.
func (s *step) text(i int) string { return text(s.own[i]) }
func (s *step) whole(i int) int64 { return integer(s.own[i]) }
func (s *step) after(i int) int64 { return s.now + integer(s.own[i]) }

func (s *step) first() *localLine { return s.lines[0] }

// number writes a number as scripts do that must not lose digits.
func number(n int64) string { return strconv.FormatInt(n, 10) }

func rounded(f float64) int64 { return int64(math.RoundToEven(f)) }

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
