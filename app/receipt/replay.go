package receipt

import "slices"

// lotsBelow is where the numbers end that are drawn by lot, and those of the clock begin.
const lotsBelow = 1 << 50

// fault is a place in a log where the line was not kept.
type fault struct {
	reason    Reason
	entry     int
	arrival   int64 // who overtook, or came in or was served where they could not
	overtaken int64 // the first of those who waited with a lower number, for Overtaken
	excused   bool  // a loss of data explains it
}

// replay follows a log: who waits, and whether each turn served those who waited longest.
type replay struct {
	entries int
	served  int
	begun   int64 // the log: what is numbered lower was there before it
	fence   int64 // of the last turn
	highest int64 // arrival number that was ever taken in, besides lots

	seen    map[int64]Commitment // every ticket that was ever taken in
	waiting map[int64]struct{}
	byClock int                // how many of those that wait stand by a number of the clock, no lot
	order   []int64            // ascending; those that wait, and some that do no more
	fresh   map[int64]struct{} // put back since the last turn ended, which may have been granted before that

	report func(fault) // what is found; nil: nobody asks
}

func newReplay(report func(fault)) *replay {
	return &replay{seen: map[int64]Commitment{}, waiting: map[int64]struct{}{}, fresh: map[int64]struct{}{},
		report: report}
}

func (r *replay) found(f fault) {
	if r.report != nil {
		f.entry = r.entries
		r.report(f)
	}
}

// apply follows one entry.
func (r *replay) apply(e Entry) {
	if r.entries == 0 {
		r.begun = e.Number
		if len(e.Tickets) > 0 {
			r.begun = e.Tickets[0].Arrival
		}
	}
	switch e.Kind {
	case Born:
		if r.entries > 0 {
			r.found(fault{reason: Malformed})
		}
	case Enter, Again:
		for _, t := range e.Tickets {
			r.takeIn(t, e.Kind)
		}
	case Turn:
		r.serve(e)
	case Left, Closed, Lost:
		for _, t := range e.Tickets {
			r.goes(t.Arrival)
		}
	}
	r.entries++
}

// takeIn puts a ticket into the line. Numbers rise from one newcomer to the next; a lower one belongs to a ticket that
// stood here before, or to one that comes back after a loss of data, which the log cannot prove: one that is put back,
// or is older than the log.
func (r *replay) takeIn(t Ticket, kind Kind) {
	known, returns := r.seen[t.Arrival]
	switch {
	case returns && known != t.Commitment:
		r.found(fault{reason: Inserted, arrival: t.Arrival})
	case !returns && t.Arrival < lotsBelow:
		if passed, ok := r.passedByLot(); ok && kind != Again {
			r.found(fault{reason: Inserted, arrival: t.Arrival, excused: !passed})
		}
	case !returns && t.Arrival < r.highest:
		r.found(fault{reason: Inserted, arrival: t.Arrival, excused: kind == Again || t.Arrival < r.begun})
	}
	r.seen[t.Arrival] = t.Commitment
	if t.Arrival >= lotsBelow {
		r.highest = max(r.highest, t.Arrival)
	}
	if _, waits := r.waiting[t.Arrival]; waits {
		return
	}
	r.waiting[t.Arrival] = struct{}{}
	if t.Arrival >= lotsBelow {
		r.byClock++
	}
	if kind == Again {
		r.fresh[t.Arrival] = struct{}{}
	}
	if at, there := slices.BinarySearch(r.order, t.Arrival); !there {
		r.order = slices.Insert(r.order, at, t.Arrival)
	}
}

// passedByLot says whether a ticket that comes with a lot now comes too late: somebody waits by a number of the clock,
// whom it would pass, or a turn has been served. ok is false when neither is so: lots are drawn before the first turn.
func (r *replay) passedByLot() (passed, ok bool) {
	return r.byClock > 0, r.byClock > 0 || r.fence > 0
}

// goes takes a ticket out of the line.
func (r *replay) goes(arrival int64) {
	if _, waits := r.waiting[arrival]; waits && arrival >= lotsBelow {
		r.byClock--
	}
	delete(r.waiting, arrival)
}

// serve checks that a turn served those who waited with the lowest numbers, in their order.
func (r *replay) serve(e Entry) {
	if e.Number <= r.fence {
		r.found(fault{reason: FenceFell, arrival: e.Tickets[0].Arrival})
	}
	r.fence = max(r.fence, e.Number)
	for _, t := range e.Tickets {
		if _, waits := r.waiting[t.Arrival]; !waits {
			r.found(fault{reason: NotWaiting, arrival: t.Arrival})
			continue
		}
		if overtaken, excused := r.overtaken(t.Arrival); overtaken != 0 {
			r.found(fault{reason: Overtaken, arrival: t.Arrival, overtaken: overtaken, excused: excused})
		}
		r.served++
		r.goes(t.Arrival)
	}
	clear(r.fresh)
}

// overtaken returns the lowest number that waits and is lower than arrival, 0 if there is none. It prefers one that no
// loss of data explains.
func (r *replay) overtaken(arrival int64) (lowest int64, excused bool) {
	for len(r.order) > 0 {
		if _, waits := r.waiting[r.order[0]]; waits {
			break
		}
		r.order = r.order[1:]
	}
	for _, other := range r.order {
		if other >= arrival {
			break
		}
		if _, waits := r.waiting[other]; !waits {
			continue
		}
		if _, fresh := r.fresh[other]; !fresh {
			return other, false
		}
		if lowest == 0 {
			lowest = other
		}
	}
	return lowest, lowest != 0
}

// settled says whether nobody waits.
func (r *replay) settled() bool { return len(r.waiting) == 0 }
