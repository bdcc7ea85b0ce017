package ratelimit

import (
	"cmp"
	"time"
)

// Limits say how much is allowed before the server answers 429. Zero means the default.
type Limits struct {
	Presses int // that want a turn, of an account a minute; 30
	Changes int // of reservations, wallet and waitlists, of an account a minute; 30
	Streams int // event streams of an account, open at once; 20
	Staff   int // what a member of staff changes, a minute; 300

	AnonymousStreams int // event streams of an address without an account, open at once; 200
	SignUps          int // of an address an hour; 20
	Reads            int // requests of an address without an account, a second and process; 500
	AccountReads     int // that an account reads, and as many that it sends, a minute and process; 3,000
}

// Defaults returns the limits with the defaults in place of zeros.
func (l Limits) Defaults() Limits {
	l.Presses = cmp.Or(l.Presses, 30)
	l.Changes = cmp.Or(l.Changes, 30)
	l.Streams = cmp.Or(l.Streams, 20)
	l.Staff = cmp.Or(l.Staff, 300)
	l.AnonymousStreams = cmp.Or(l.AnonymousStreams, 200)
	l.SignUps = cmp.Or(l.SignUps, 20)
	l.Reads = cmp.Or(l.Reads, 500)
	l.AccountReads = cmp.Or(l.AccountReads, 3000)
	return l
}

// repeats of an account are allowed far more often than presses: a program asks for the result of one by sending it
// again and again, and a broken one sends a thousand at once.
var repeats = pace{burst: 3000, every: 20 * time.Millisecond}

// readsBurst is for how many seconds' worth of reads an address may come at once.
const readsBurst = 10

// markLife is how long a press is known by its idempotency key, from its last repeat on.
const markLife = 10 * time.Minute

// What sign-ins are allowed before the first refusal, and how long each further one takes to be allowed again. Sign-ins
// that succeed do not count. An address may fail for hundreds of people at the same minute.
//
// A stranger to an account, who comes from a browser that has never signed in to it, guesses at most 10 times and then
// 2,880 times a day from one address, and all strangers together at most 100 times and then 2,880 times a day. A
// browser that has signed in to the account before counts for itself, so strangers do not lock its owner out.
var (
	signInsOfAddress   = pace{burst: 300, every: 200 * time.Millisecond}
	linksOfAddress     = pace{burst: 100, every: 5 * time.Second}
	signInsOfPair      = pace{burst: 10, every: 30 * time.Second}
	signInsOfStrangers = pace{burst: 100, every: 30 * time.Second}
	signInsOfDevice    = pace{burst: 10, every: 30 * time.Second}
)

// pace allows burst tries at once, and one more after every.
type pace struct {
	burst int
	every time.Duration
}

// per allows n in a period, all of them at once or one after the other.
func per(period time.Duration, n int) pace { return pace{burst: n, every: period / time.Duration(n)} }

// bucket is one counter. Buckets that are taken together have the same text in braces in their keys, so that a Redis
// Cluster keeps them on one node.
type bucket struct {
	key string
	pace
}
