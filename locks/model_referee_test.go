package locks

import (
	"fmt"
	"maps"
	"slices"
)

// referee judges one operation by what Redis held before and after it, without knowing how it is done.
type referee struct {
	op      operation
	now     int64
	highest int64 // number drawn before
	caller  string
}

func (f referee) judge(before, after map[string]*modelLine) error {
	if a, b := after["a"].holder, after["b"].holder; a != nil && b != nil && a.ticket == b.ticket &&
		a.acquired == b.acquired && a.fence != b.fence {
		return fmt.Errorf("%s got two fences for its lines, %d and %d", a.ticket, a.fence, b.fence)
	}
	for line, now := range after {
		was := before[line]
		for _, rule := range []func(was, now *modelLine) error{f.exclusion, f.risingFences, f.firstCome, f.stablePlace} {
			if err := rule(was, now); err != nil {
				return fmt.Errorf("line %s: %w", line, err)
			}
		}
		if err := now.structure(); err != nil {
			return fmt.Errorf("line %s: %w", line, err)
		}
		if err := f.workConserving(was, now, line); err != nil {
			return err
		}
	}
	return nil
}

// exclusion: a turn ends by its release or return, its lease's end, or by force.
func (f referee) exclusion(was, now *modelLine) error {
	h := was.holder
	if h == nil || now.holder != nil && now.holder.fence == h.fence || h.end <= f.now {
		return nil
	}
	switch f.op {
	case opRelease, opReturn, opEvict, "loss":
		return nil
	}
	return fmt.Errorf("exclusion: the turn of %s ended by %s, %d µs before its end", h.ticket, f.op, h.end-f.now)
}

func (f referee) risingFences(was, now *modelLine) error {
	if h := now.holder; h != nil && (was.holder == nil || was.holder.fence != h.fence) && h.fence <= f.highest {
		return fmt.Errorf("fence %d after %d", h.fence, f.highest)
	}
	return nil
}

// firstCome: nobody who waits came before the one that got the turn.
func (f referee) firstCome(was, now *modelLine) error {
	h := now.holder
	if h == nil || was.holder != nil && was.holder.fence == h.fence {
		return nil
	}
	for ticket, arrival := range now.waiting {
		if arrival < h.arrival {
			return fmt.Errorf("%s got the turn before %s, which came earlier", h.ticket, ticket)
		}
	}
	return nil
}

// stablePlace: who waits moves back only behind older tickets that wait in line again.
func (f referee) stablePlace(was, now *modelLine) error {
	stood := func(r *modelLine, ticket string) bool {
		_, waits := r.waiting[ticket]
		return waits
	}
	for ticket, arrival := range now.waiting {
		if _, waited := was.waiting[ticket]; !waited {
			continue
		}
		returned := int64(0)
		for other, its := range now.waiting {
			if its < arrival && !stood(was, other) {
				returned++
			}
		}
		if now.position(ticket) > was.position(ticket)+returned || arrival != was.waiting[ticket] {
			return fmt.Errorf("%s fell back from %d to %d", ticket, was.position(ticket), now.position(ticket))
		}
	}
	return nil
}

// workConserving: after an operation on a line it is not free while somebody waits who may have it and whom a live node
// can serve.
func (f referee) workConserving(was, now *modelLine, line string) error {
	order := now.byArrival(now.waiting)
	if was.same(now) || now.holder != nil || now.until > f.now || len(order) == 0 {
		return nil
	}
	head := now.tickets[order[0]]
	p := modelSession{by: modelOwner{node: f.caller}, now: f.now}
	if _, served := p.adopter(now); head.by.session != line || !p.beats(now, head.by.node) && head.work != "" && !served {
		return nil
	}
	return fmt.Errorf("line %s is free after %s, and %s waits", line, f.op, order[0])
}

// same reports whether an operation has not touched the line.
func (r *modelLine) same(other *modelLine) bool {
	return maps.Equal(r.waiting, other.waiting) && maps.Equal(r.nodes, other.nodes) && r.holder == nil &&
		other.holder == nil
}

// structure: who waits, is served or has the turn is known with an owner, and stands in one place only; nobody else is
// known.
func (r *modelLine) structure() error {
	standing := slices.AppendSeq(slices.Collect(maps.Keys(r.waiting)), maps.Keys(r.taken))
	if r.holder != nil {
		standing = append(standing, r.holder.ticket)
	} else if len(r.taken) > 0 {
		return fmt.Errorf("%v are served by nobody", r.taken)
	}
	slices.Sort(standing)
	if known := slices.Sorted(maps.Keys(r.tickets)); !slices.Equal(standing, known) {
		return fmt.Errorf("standing %v, known %v", standing, known)
	}
	return nil
}
