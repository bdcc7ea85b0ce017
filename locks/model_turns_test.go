package locks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The moves of those who have turns, and of operators, of time and of misfortune.

// turnOf is the turn that a line's holder has; of nobody if the line is free.
func (w *model) turnOf(ticket string) (h modelTurn, session string) {
	session = sessionOf(ticket)
	if row := w.at("", session).lines[0]; row.holder != nil {
		return *row.holder, row.holder.by.session
	}
	return modelTurn{}, session
}

func (w *model) hold(node, ticket string) error {
	h, session := w.turnOf(ticket)
	p := w.at(node, session)
	r, err := w.send(node, session, opHold, h.ticket, h.fence, historyTimes.Lease.Microseconds(),
		historyTimes.MaxHold.Microseconds())
	if err != nil {
		return err
	}
	held := true
	for _, row := range p.lines {
		p.reap(row)
		held = held && row.has(h.ticket) && row.holder.fence == h.fence && row.holder.by.node == node
	}
	for _, row := range p.lines {
		if held {
			p.keepNodeIfDue(row)
			row.holder.end = min(p.now+historyTimes.Lease.Microseconds(),
				h.acquired+historyTimes.MaxHold.Microseconds())
		}
	}
	p.promote()
	want := int64(0)
	if held {
		want = 1
	}
	return w.agree(opHold, h.ticket, r, want, want)
}

// mine reports whether the line's turn is the very one that an operation names.
func (r *modelLine) mine(h modelTurn) bool { return r.has(h.ticket) && r.holder.fence == h.fence }

func (w *model) release(node, ticket string) error {
	h, session := w.turnOf(ticket)
	p := w.at(node, session)
	r, err := w.send(node, session, opRelease, h.ticket, h.fence, w.random.IntN(3))
	if err != nil {
		return err
	}
	want := int64(0)
	for _, row := range p.lines {
		switch {
		case row.mine(h):
			row.finish()
			row.ended[node], want = h.fence, 1
		case h.fence != 0 && row.ended[node] == h.fence:
			p.reap(row)
			want = max(want, 2)
		default:
			p.reap(row)
		}
	}
	p.promote()
	return w.agree(opRelease, h.ticket, r, want, 2)
}

// finish ends a turn in order: its tickets are done.
func (r *modelLine) finish() {
	done := append([]string{r.holder.ticket}, r.byArrival(r.taken)...)
	arrivals := []string{strconv.FormatInt(r.holder.arrival, 10)}
	for _, ticket := range done[1:] {
		arrivals = append(arrivals, strconv.FormatInt(r.taken[ticket], 10))
	}
	for _, ticket := range done {
		r.drop(ticket)
	}
	r.logf("turn %d %s", r.holder.fence, strings.Join(arrivals, ","))
	r.holder = nil
}

// returnTurn returns the turn unserved.
func (w *model) returnTurn(node, ticket string) error {
	h, session := w.turnOf(ticket)
	p := w.at(node, session)
	r, err := w.send(node, session, opReturn, h.ticket, h.fence)
	if err != nil {
		return err
	}
	want := int64(0)
	for _, row := range p.lines {
		if row.mine(h) {
			row.endTurn(true)
			row.ended[node], want = h.fence, 1
		} else if want == 0 && h.fence != 0 && row.ended[node] == h.fence {
			want = 2
		}
		p.reap(row)
	}
	p.promote()
	return w.agree(opReturn, h.ticket, r, want, 2)
}

func (w *model) take(node, ticket string) error {
	h, session := w.turnOf(ticket)
	p := w.at(node, session)
	n := 1 + w.random.IntN(4)
	r, err := w.send(node, session, opTake, h.ticket, h.fence, n)
	if err != nil {
		return err
	}
	mine := true
	for _, row := range p.lines {
		p.reap(row)
		mine = mine && row.mine(h) && row.holder.by.node == node
	}
	if !mine {
		p.promote()
		return w.agree(opTake, h.ticket, r, 0, 0)
	}
	want := p.take(n)
	if got := r.list(0); !slices.Equal(got, want) {
		return fmt.Errorf("take %d: %v, want %v", n, got, want)
	}
	return w.agree(opTake, h.ticket, r, 1, 1)
}

// take takes those along who are first in all lines, and returns what Redis answers.
func (p modelSession) take(n int) (want []any) {
	first := p.lines[0]
	var heads []string
	for i, row := range p.lines {
		order := row.byArrival(row.waiting)
		order = order[:min(n, len(order))]
		if i == 0 {
			heads = order
		}
		same := 0
		for same < min(len(heads), len(order)) && heads[same] == order[same] {
			same++
		}
		heads = heads[:same]
	}
	for _, t := range heads {
		arrival, kept, foreign := first.waiting[t], first.tickets[t], int64(0)
		if kept.by.session != p.by.session {
			break
		}
		if kept.by.node != p.by.node {
			foreign = 1
		}
		if foreign == 1 && kept.work == "" && p.beats(first, kept.by.node) {
			break
		}
		dead := foreign == 1 && kept.work == ""
		for _, row := range p.lines {
			if dead {
				row.logf("lost %d", arrival)
				row.drop(t)
			} else {
				row.taken[t] = arrival
				delete(row.waiting, t)
			}
		}
		if foreign == 0 {
			kept.work = ""
		}
		if !dead {
			want = append(want, t, strconv.FormatInt(arrival, 10), foreign, kept.work)
		}
	}
	return want
}

// late sends what a former holder might: nothing may come of it, but what time brings.
func (w *model) late(node, ticket string) error {
	h, session := w.turnOf(ticket)
	p := w.at(node, session)
	if slices.ContainsFunc(p.lines, func(r *modelLine) bool { return r.ended[node] == h.fence-1 }) {
		return nil // a repetition, not a late call
	}
	for op, args := range map[operation][]any{opRelease: {1}, opHold: {ttl, ttl}, opTake: {3}, opReturn: {}} {
		r, err := w.send(node, session, op, append([]any{h.ticket, h.fence - 1}, args...)...)
		if err != nil {
			return err
		}
		for _, row := range p.lines {
			p.reap(row)
		}
		p.promote()
		if r.status != 0 {
			return fmt.Errorf("%s with a stale fence: status %d", op, r.status)
		}
		if err := w.compare(op); err != nil {
			return err
		}
	}
	return nil
}

// pass lets time pass, mostly little.
func (w *model) pass(string, string) error {
	steps := []time.Duration{time.Microsecond, 100 * time.Millisecond, time.Second, time.Second, 2 * time.Second,
		3 * time.Second, 8 * time.Second}
	step := steps[w.random.IntN(len(steps))]
	if w.random.IntN(20) == 0 {
		step = 31 * time.Second
	}
	w.now += step.Microseconds()
	return w.rdb.Set(w.ctx(), w.clock(), w.now, 0).Err()
}

// lose loses all data of the lines, as a master without a replica does.
func (w *model) lose(string, string) error {
	if w.random.IntN(6) > 0 {
		return nil
	}
	for _, line := range worldLines {
		if err := w.rdb.Del(w.ctx(), lineKeys(w.prefix, Name{w.name.Partition, line}).names...).Err(); err != nil {
			return err
		}
	}
	clear(w.rows)
	w.now += time.Second.Microseconds()
	return w.rdb.Set(w.ctx(), w.clock(), w.now, 0).Err()
}

// read compares what a node reads of a line with where its tickets stand.
func (w *model) read(node, ticket string) error {
	line := sessionOf(ticket)[:1]
	row := w.at(node, line).lines[0]
	p, err := w.clients[node].Line(Name{w.name.Partition, line}).Progress(w.ctx())
	if err != nil {
		return err
	}
	for t := range row.waiting {
		if int64(p.Positions[t]) != row.position(t) {
			return fmt.Errorf("progress: %s at %d, want %d", t, p.Positions[t], row.position(t))
		}
	}
	held := row.holder != nil && row.holder.end > w.now
	if len(p.Positions) != len(row.waiting) || p.Count != len(row.waiting) || p.Holder != held ||
		p.Settling != (row.until > w.now) {
		return fmt.Errorf("progress: %+v, want %d waiting, held %t", p, len(row.waiting), held)
	}
	return nil
}
