package receipt

import (
	"slices"
	"time"
)

// lag is how long what has ended may take to be published.
const lag = time.Minute

// Check says what a receipt and a log are checked with.
type Check struct {
	Keys []PublicKey // of the site: one of them has to have signed
	// when the log was read; a receipt from shortly before that may not be in it yet. Zero: all have to be
	At time.Time
}

// complete says whether the log must hold what the receipt commits to.
func (c Check) complete(r Receipt, l Log) bool {
	return l.State == Ended && (c.At.IsZero() || r.Time.Add(lag).Before(c.At))
}

// Verify checks a receipt against the log of its line: the signature, the chain of hashes up to the receipt's head,
// that the ticket stands among those entries, and then the whole log entry by entry: that the ticket was served when it
// waited with the lowest number, and nobody overtook it.
func Verify(r Receipt, l Log, c Check) Finding {
	f := Finding{Line: r.Line, Arrival: r.Arrival}
	at := slices.IndexFunc(c.Keys, func(key PublicKey) bool { return key.ID() == r.Key })
	switch {
	case at < 0:
		return f.refute(OtherKey)
	case !r.SignedBy(c.Keys[at]):
		return f.refute(BadSignature)
	case l.Line != r.Line || l.LogID != r.LogID && l.LogID != "":
		return f.leave(OtherLog)
	case len(l.Entries) < r.Entries && !c.complete(r, l):
		return f.leave(StillOpen)
	}
	v := verifier{receipt: r, finding: f}
	v.follow(l.Entries)
	return v.conclude()
}

func (f Finding) refute(reason Reason) Finding {
	f.Outcome, f.Reason = Refuted, reason
	return f
}

func (f Finding) leave(reason Reason) Finding {
	f.Outcome, f.Reason = Unproven, reason
	return f
}

// verifier follows a log with the eyes of one ticket.
type verifier struct {
	receipt Receipt
	finding Finding
	replay  *replay
	chain   Chain
	entered bool // among the entries that the receipt commits to
	restart bool // the log puts tickets back after a loss of data
	broken  Reason
	faulty  bool // finding holds a fault that concerns the ticket
	last    int64
}

func (v *verifier) follow(texts []string) {
	v.chain, v.replay = NewChain(v.receipt.Line), newReplay(v.note)
	for i, text := range texts {
		v.chain.Append(text)
		if i == v.receipt.Entries-1 && (v.chain.Head != v.receipt.Head || v.chain.LogID != v.receipt.LogID) {
			v.breakAt(ChainBroken)
		}
		e, err := ParseEntry(text)
		if err != nil {
			v.breakAt(Malformed)
			continue
		}
		v.step(i, e)
	}
	if len(texts) < v.receipt.Entries {
		v.breakAt(Truncated)
	}
	if v.broken == "" && !v.entered {
		v.breakAt(NotInLog)
	}
}

// breakAt notes the first thing that makes the log another than the one which was signed.
func (v *verifier) breakAt(why Reason) {
	if v.broken == "" {
		v.broken = why
		if !v.faulty {
			v.finding.Entry = v.chain.Entries - 1
		}
	}
}

// step follows one entry.
func (v *verifier) step(i int, e Entry) {
	v.restart = v.restart || e.Kind == Again
	own := Ticket{v.receipt.Arrival, v.receipt.Ticket}
	if e.takesIn() && i < v.receipt.Entries && !v.entered && slices.Contains(e.Tickets, own) {
		v.entered, v.finding.Entered = true, i
	}
	waited, before := v.waits(), v.replay.served
	v.replay.apply(e)
	if e.Kind == Turn {
		defer func() { v.last = e.Tickets[len(e.Tickets)-1].Arrival }()
	}
	if !waited || v.waits() || v.faulty {
		return
	}
	v.finding.Entry = i
	v.finding.Reason = map[Kind]Reason{Turn: WasServed, Left: HasLeft, Closed: WasClosed, Lost: WasLost}[e.Kind]
	if e.Kind != Turn {
		v.finding.Place, v.finding.Before = 0, 0
		return
	}
	at := slices.IndexFunc(e.Tickets, func(t Ticket) bool { return t.Arrival == v.receipt.Arrival })
	v.finding.Place, v.finding.Before = before+at+1, v.last
	if at > 0 {
		v.finding.Before = e.Tickets[at-1].Arrival
	}
}

func (v *verifier) waits() bool {
	_, waits := v.replay.waiting[v.receipt.Arrival]
	return waits
}

// note judges a fault: whether it concerns the ticket, which has to wait for that.
func (v *verifier) note(f fault) {
	own := v.receipt.Arrival
	_, fresh := v.replay.fresh[own]
	reason, other, excused := f.reason, f.arrival, f.excused
	concerns := v.waits()
	switch f.reason {
	case Overtaken:
		concerns = concerns && f.arrival >= own
		excused = fresh
		if f.arrival == own {
			reason, other, excused = Overtook, f.overtaken, f.excused
		}
	case Inserted:
		concerns = concerns && f.arrival <= own
	}
	if excused {
		reason = DataLost
	}
	switch {
	case !concerns:
		v.finding.Elsewhere++
	case !v.faulty || v.finding.Reason == DataLost && reason != DataLost:
		v.faulty = true
		v.finding.Reason, v.finding.Entry, v.finding.Other = reason, f.entry, other
	}
}

// conclude says what was found, the gravest first.
func (v *verifier) conclude() Finding {
	f := v.finding
	switch {
	case v.broken != "" && v.restart:
		return f.leave(DataLost)
	case v.broken != "":
		return f.refute(v.broken)
	case v.faulty && f.Reason == DataLost:
		return f.leave(DataLost)
	case v.faulty:
		f.Place, f.Before = 0, 0
		return f.refute(f.Reason)
	case v.waits():
		return f.refute(Unended)
	}
	f.Outcome = Proven
	return f
}
