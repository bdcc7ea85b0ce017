// Package locks is a fair lock on Redis: a line in which tickets wait, first come first served, for one turn at a time.
//
//	client := locks.NewClient(rdb, locks.Config{})
//	turn, err := client.Line(locks.Name{Partition: "coupons", Key: "autumn"}).Lock(ctx, ticket)
//	if err != nil {
//		return err
//	}
//	defer turn.Release(ctx, 1)
//	return work(turn.Context(), turn.Fence()) // the context ends when the turn is lost; the store refuses older fences
//
// It is for what many want at the same moment and somebody watches them wait: the order of arrival holds, everybody can
// see the position, and ten thousand in line cost Redis no more a hand-off than ten. Where nobody cares who is next,
// a lock that is tried again and again is simpler.
//
// What it can do besides:
//   - a place is a value: [Line.Enter] finds it again after a reload or a crash, in this process or another, and even
//     after Redis has lost its data
//   - a place is lost only by leaving: a ticket that says what it takes to serve it (Entry.Work) is served in its place
//     by another process when its own has died ([Config.Orphans])
//   - [Line.Next] serves the turns of a crowd with one goroutine, and [Turn.Take] a run of tickets in one turn, so that
//     one transaction serves many
//   - [Line.Progress] returns the positions of a whole line in one call, and how long they still have to wait
//   - [Client.Joint] and [Client.LockAll] lock several lines, all or none, and never block each other for ever
//   - [Line.Log] tells what happened, in order and without names, so that the order can be checked from outside
//   - [Line.Evict] and [Line.Close] are for operators; [Observer] for their dashboards
//
// It needs Redis 6.2 or newer and go-redis: a single server, one with Sentinels, or a Cluster, where messages are
// sharded from version 7 on.
//
// What it does not promise: that there are never two holders. No lock on Redis can, for a process may sleep through its
// lease, and a failover may forget a turn. Fences are for that: they rise from turn to turn whatever is lost.
//
// # Model
//
// A ticket is an unguessable id of one person's request, such as a reservation of one slot. The ticket waits in line,
// not a thread or a connection: entering again, after a reload or a retry, from this server or another, finds the same
// place. The node (process) that entered a ticket last owns it. Nodes beat, tickets do not: a beat is one field of the
// line's record, however many wait. A ticket whose node has not beaten for Config.TTL is an orphan. With Entry.Work it
// keeps its place, and the script that finds it first in line gives its turn to a live node: the caller, or the one
// that beat last. Without, nobody could serve it, and it goes when it is first. A line in which no live node has a
// ticket is found in a registry, by any node with Config.Orphans, within a TTL and a beat.
//
// Entering draws an arrival number, and each turn a fence, both from one counter per partition that is a hybrid clock
// of Redis: max(previous + 1, time in µs). It rises even when Redis lost the counter. Whoever keeps a ticket's arrival
// number can bring the ticket back to its old place (Entry.Arrival). Only Redis' clock counts, no node's.
//
// A turn lasts while a watchdog renews its lease, and no longer than Config.MaxHold. When a renewal is refused, or
// cannot be confirmed before the lease's end on the monotonic clock, the turn's context ends before another ticket's
// turn begins. A turn that is lost takes its ticket along, unless it carries Entry.Work, or its node has not taken it
// up: then it stands in its place again. A process can still be stopped between checking its context and writing.
// Therefore the store that it writes to must refuse a lower fence after a higher one.
//
// # Passing the turn on
//
// Every operation ends by giving a free line to its first ticket, inside the same script, so that "free" and "somebody
// waits" never hold together and nobody can barge in. If the releasing node owns the next ticket, the answer to the
// release carries its turn. Otherwise one message goes to the owner of the ticket, and the turn begins with it: the
// node knows from earlier answers how late it is on Redis' clock at most, and asks if that is too late. Messages can be
// lost: a beat carries the turn too, and every renewed subscription is followed by a beat. The node that owns the head
// of the line checks it when the holder's lease ends, so that a dead holder is replaced within milliseconds.
//
// A holder may take a run of tickets along (Turn.Take) and serve them in one go: those of its own node, and those of
// others that entered with what is needed to serve them (Entry.Work). Tickets that enter a line while a call of enter
// is under way at their node go together in the next.
//
// Operations may be repeated, as go-redis does when a connection breaks: each counts once. Every key has a time to live
// that operations renew; a quiet line leaves nothing in Redis, no subscription and no goroutine.
//
// # When Redis is away
//
// With Config.Fallback a node continues without Redis, in memory, by the same operations. Each node then serves its own
// tickets, in the order of their arrival numbers, and nodes do not wait for each other: the store that turns write to
// decides. A ticket gets no turn in memory while this node could have one for it through Redis. So the first turn comes
// only when its turns there have ended and it counts as dead, and every call carries its expiry, so that none acts
// late. When Redis answers again, no new turn begins in memory, those who were served or left are taken out of Redis,
// the others return to their places there, and nobody is served until every node has had the time to return.
//
// A node that is cut off cannot know whether another node has taken one of its tickets along (Entry.Work), or adopted
// it, and brings such a ticket back to Redis later. Who sets both Work and Fallback checks, in every turn, whether the
// work was done.
//
// # Files
//
// Each operation is a Lua script with its purpose, ARGV and answer in its header. Redis has no modules for scripts, so
// prelude.lua (KEYS, ARGV, clock), reap.lua and promote.lua, which all operations share, stand in front of each. Keys
// come from one Go function, all with the partition as hash tag, so that an operation stays in one Redis Cluster slot.
// internal/memory runs the same scripts in one process; failover.go switches over to it and resync.go back.
package locks
