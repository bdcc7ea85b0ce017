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

// exclusion: a turn ends by its release or return, its lease's end, by force, or, before it was claimed, by leaving.
func (f referee) exclusion(was, now *modelLine) error {
	h := was.holder
	if h == nil || now.holder != nil && now.holder.fence == h.fence || h.end <= f.now {
		return nil
	}
	switch f.op {
	case opRelease, opReturn, opEvict, "loss":
		return nil
	case opLeave, opPark:
		if !h.claimed {
			return nil
		}
	}
	return fmt.Errorf("exclusion: the turn of %s ended by %s, %d µs before its end", h.ticket, f.op, h.end-f.now)
}

func (f referee) risingFences(was, now *modelLine) error {
	if h := now.holder; h != nil && (was.holder == nil || was.holder.fence != h.fence) && h.fence <= f.highest {
		return fmt.Errorf("fence %d after %d", h.fence, f.highest)
	}
	return nil
}

// firstCome: nobody who waits alive came before the one that got the turn.
func (f referee) firstCome(was, now *modelLine) error {
	h := now.holder
	if h == nil || was.holder != nil && was.holder.fence == h.fence {
		return nil
	}
	for ticket, arrival := range now.waiting {
		if arrival < h.arrival && now.alive[ticket] > f.now {
			return fmt.Errorf("%s got the turn before %s, which came earlier", h.ticket, ticket)
		}
	}
	return nil
}

// stablePlace: who waits moves back only behind older tickets that wait in line again.
func (f referee) stablePlace(was, now *modelLine) error {
	stood := func(r *modelLine, ticket string) bool {
		_, waits := r.waiting[ticket]
		_, away := r.parked[ticket]
		return waits || away
	}
	for ticket, arrival := range now.waiting {
		if _, waited := was.waiting[ticket]; !waited {
			continue
		}
		returned := int64(0)
		for _, set := range []map[string]int64{now.waiting, now.parked} {
			for other, its := range set {
				if its < arrival && !stood(was, other) {
					returned++
				}
			}
		}
		if now.position(ticket) > was.position(ticket)+returned || arrival != was.waiting[ticket] {
			return fmt.Errorf("%s fell back from %d to %d", ticket, was.position(ticket), now.position(ticket))
		}
	}
	return nil
}

// workConserving: after an operation on a line it is not free while somebody alive waits who may have it.
func (f referee) workConserving(was, now *modelLine, line string) error {
	order := now.byArrival(now.waiting)
	if was.same(now) || now.holder != nil || now.until > f.now || len(order) == 0 || now.owners[order[0]].session != line {
		return nil
	}
	return fmt.Errorf("line %s is free after %s, and %s waits", line, f.op, order[0])
}

// same reports whether an operation has not touched the line.
func (r *modelLine) same(other *modelLine) bool {
	return maps.Equal(r.waiting, other.waiting) && maps.Equal(r.alive, other.alive) && r.holder == nil &&
		other.holder == nil
}

// structure: who waits in line is alive and owned, in one set only, and has not the turn.
func (r *modelLine) structure() error {
	var standing []string
	for _, set := range []map[string]int64{r.waiting, r.taken, r.parked} {
		standing = slices.AppendSeq(standing, maps.Keys(set))
	}
	alive := slices.Sorted(maps.Keys(r.alive))
	if r.holder != nil {
		if slices.Contains(standing, r.holder.ticket) {
			return fmt.Errorf("%s has the turn and stands in line", r.holder.ticket)
		}
		if _, owned := r.owners[r.holder.ticket]; owned {
			standing = append(standing, r.holder.ticket) // it went to another node while it was served
		}
	}
	slices.Sort(standing)
	if !slices.Equal(standing, alive) || !slices.Equal(standing, slices.Sorted(maps.Keys(r.owners))) {
		return fmt.Errorf("standing %v, alive %v, owned %v", standing, alive, r.owners)
	}
	for ticket := range r.work {
		if _, owned := r.owners[ticket]; !owned && !(r.holder != nil && r.holder.ticket == ticket) {
			return fmt.Errorf("the work of %s, which is gone, stays", ticket)
		}
	}
	return nil
}
