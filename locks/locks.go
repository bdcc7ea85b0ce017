package locks

import (
	"errors"
	"log/slog"
	"time"
)

// Name identifies a line. All lines of a partition live in one Redis Cluster slot, share one counter and one
// subscription per node; Key tells them apart. Example: {"r12:2026-11-21", "19:00"}.
type Name struct{ Partition, Key string }

// String renders the name for logs.
func (n Name) String() string { return n.Partition + "/" + n.Key }

// Config tunes a Client. A zero value stands for the default named at each field.
type Config struct {
	Prefix string // of every key and channel; "line"
	Node   string // this process, unique among those running; default: host name and a random suffix

	Lease       time.Duration // how long a turn lasts without renewal; 10 s
	Beat        time.Duration // how often a node says that it is alive, and asks for its tickets; 2 s
	TTL         time.Duration // how long a node counts as alive without a beat; 7 s
	ClaimWindow time.Duration // how long a new turn lasts without renewal; 3 s
	MaxHold     time.Duration // the longest a turn may last however often it is renewed; 30 s
	// how long a line stays in Redis when nothing happens there, as while no node runs; 30 min
	Keep time.Duration

	// Fallback: while Redis is silent, tickets stand in this process' memory, and once this node can have no turn
	// through Redis any more (Beat and the longest of TTL, Lease and ClaimWindow later), each node serves its own from
	// there, in order. As soon as Redis answers, all go back to their places there. Without it, calls return the
	// errors of Redis. For calls not to wait much longer than a Beat, the options of the Redis client have to say
	// ContextTimeoutEnabled.
	Fallback bool

	Logger *slog.Logger // slog.Default()

	// Departed gets a ticket owned by this node that is no longer in line here without having been granted
	// here. It is not called concurrently for one line and must not block. It is not called for tickets passed to
	// Line.Leave on this node, nor for those that Line.Lock waits for. May be nil.
	Departed func(line Name, ticket string, d Departure)

	// Orphans: this node has been given a line in which no live node has a session, or it has a turn there and nobody
	// calls Line.Next. A line whose nodes died is found within a TTL and a beat, also by a node that never had a
	// session in its partition. It must not block. Without it, this node serves no tickets of dead nodes.
	Orphans func(line Name)

	Observer Observer // may be nil
}

// Departure says why a ticket left the line.
type Departure struct {
	Cause  Cause
	Reason string // what Line.Close was given, when Cause is Closed
	Result string // what Turn.Release was given for the ticket, when Cause is Served
}

// Cause of a Departure.
type Cause int

const (
	// Reaped: the ticket is gone from Redis and nobody said why: its node was late and it has no Work, or Redis lost
	// its data. Enter it again with its old Arrival and it keeps its place.
	Reaped Cause = iota + 1
	// Closed: Line.Close emptied the line.
	Closed
	// Adopted: another node owns the ticket now.
	Adopted
	// Elsewhere: the ticket was served, or left, through another node.
	Elsewhere
	// Served: another node took the ticket along in a turn of its own, and served it.
	Served
)

// Entry asks for a place in a line.
type Entry struct {
	Ticket  string // an unguessable id of one person's request; 1 to 200 bytes of UTF-8
	Arrival int64  // 0 draws a number; otherwise the number drawn earlier for this very ticket
	// Lot is used as the number while the clock of Redis has not come to LotUntil, if nobody stands in the line by a
	// number of the clock and Arrival is 0. From 1 to below LotsBelow; 0: none.
	Lot      int64
	LotUntil time.Time
	Work     string // UTF-8, what another node needs to serve the ticket (Turn.Take, Turn.Work); empty: none can
}

// Place is where a ticket stands.
type Place struct {
	Ticket  string
	Arrival int64 // rises from ticket to ticket; keep it to get the place back (Entry.Arrival)
	Granted bool  // it is the ticket's turn; Next (or Lock) hands out the Turn, if this node is the one that has it
	Serving bool  // the ticket was taken along by another ticket's turn (Turn.Take) and is being served in it
	Fence   int64 // of the turn, when Granted

	// Position counts the tickets that wait, from the head up to and including this one: 1 is next to be served
	// after the current holder. It is 0 when Granted or Serving.
	Position int
	// Count is the number of tickets that wait in the line, this one included if it waits. The holder and the tickets
	// served in its turn are not counted.
	Count      int
	ServerTime time.Time // of Redis
	// Logged is the number of the text in the line's log that tells of the ticket's entry (1: the first; Line.Log), 0
	// if it stood in line before. Of a joint line it counts in the log of the first of its lines.
	Logged int

	// Settling: Redis has lost its data, and tickets return to their places, for about a beat. Until then nobody has a
	// turn, and Position and Count are lower than they were and will be. With Config.Fallback also: Redis is silent,
	// and this node does not give turns by itself yet.
	Settling bool
	// Local: Redis is silent, and the ticket stands in this node's memory (Config.Fallback). Position and Count are
	// among this node's tickets.
	Local bool
}

// Taken is a ticket served in another ticket's turn.
type Taken struct {
	Ticket  string
	Arrival int64
	Foreign bool   // another node owns it; Turn.Release takes a Result for it there
	Work    string // of a foreign ticket: its Entry.Work
}

// Result is what a turn had for one of the tickets that it took along from another node.
type Result struct {
	Ticket string
	Value  string // UTF-8; given to that node as Departure.Result
}

// Progress is the state of a whole line at one moment, read once for all the tickets that a node owns in it.
type Progress struct {
	Count         int           // tickets that wait; the holder and those served along are not counted
	Holder        bool          // somebody has the turn
	HoldElapsed   time.Duration // how long the present turn has lasted
	HoldSize      int           // how many tickets are served in it
	HoldPerPerson time.Duration // moving average of the time a served ticket took; 0: nothing measured yet
	LeaveShare    float64       // share of the tickets that lately went away unserved, 0 to 1
	Settling      bool          // nobody has a turn for now, as in Place
	Suspended     time.Duration // until the line goes on (Line.Suspend); negative: since; 0: it never stood still
	Local         bool          // Redis is silent: these are this node's own tickets (Config.Fallback)

	// Positions of the waiting tickets: 1 is next after the current holder.
	Positions map[string]int
}

// Observer receives measurements. Its methods are called concurrently and must not block.
type Observer interface {
	// Granted: a ticket's turn began at this node. wait is the time since its arrival number was drawn, 0 for a lot;
	// handoff the time since the turn before it ended.
	Granted(line Name, by Path, wait, handoff time.Duration)
	// Released: a turn ended in order after hold; served tickets were served in it.
	Released(line Name, hold time.Duration, served int)
	// Happened counts n events.
	Happened(line Name, event Event, n int)
}

// Path is how a node learnt of a grant.
type Path string

const (
	ByReply Path = "reply" // in the answer to its own call
	ByPush  Path = "push"  // by the message that the granting node published
	ByBeat  Path = "beat"  // by a beat, so a push was lost
)

// Event is something worth counting.
type Event string

const (
	DeadReaped   Event = "dead_reaped"   // tickets removed because their node is dead and nobody else could serve them
	LeaseLapsed  Event = "lease_lapsed"  // turns that ended with their lease
	ClaimTimeout Event = "claim_timeout" // turns that ended because nobody was heard of after the grant
	Abandoned    Event = "abandoned"     // tickets that left of their own will
	StaleFence   Event = "stale_fence"   // calls refused because their fence was not current
	LeaseLost    Event = "lease_lost"    // turns of this node whose lease ended while they were working
	WentAway     Event = "went_away"     // partitions (Names without Key) that this node began to serve by itself
	CameBack     Event = "came_back"     // partitions whose tickets it brought back to Redis
)

var (
	// ErrStale: the turn is over. Its lease ended, another ticket may hold the line, and nothing was changed.
	ErrStale = errors.New("locks: the turn is over")
	// ErrNotInLine: the ticket does not stand in the line any more.
	ErrNotInLine = errors.New("locks: ticket is not in line")
	// ErrServing: the ticket is being served and can no longer leave.
	ErrServing = errors.New("locks: ticket is being served")
	// ErrClosed: the line was closed while the ticket waited.
	ErrClosed = errors.New("locks: line was closed")
	// ErrLeaseLost is the cause (context.Cause) of the end of a Turn's context when its lease was lost.
	ErrLeaseLost = errors.New("locks: lease lost")
	// ErrClientClosed: Client.Close was called.
	ErrClientClosed = errors.New("locks: client is closed")
	// ErrAway: Redis is silent, and what was asked for cannot be done without it (Config.Fallback).
	ErrAway = errors.New("locks: Redis is away")
	// ErrBadEntry: the ticket is empty, too long or not UTF-8, or the arrival number cannot have been drawn by this
	// line.
	ErrBadEntry = errors.New("locks: bad entry")
)
