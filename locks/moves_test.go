package locks

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// The moves of a player: each does one operation in Redis and in the model, and compares the answer.

func (p *player) enter(node, ticket string) error {
	m := &p.m
	known := m.waiting[ticket] || m.taken[ticket] || m.parked[ticket] || m.holder == ticket
	kept := int64(0)
	if !known && p.random.IntN(3) == 0 {
		kept = m.arrival[ticket]
	}
	r, err := p.run(node, opEnter, ticket, kept, time.Hour.Microseconds(), workOf(ticket), 0, 0)
	if err != nil {
		return err
	}
	delete(m.dead, ticket)
	switch {
	case m.holder == ticket && !m.claimed:
		m.at = node
	case m.holder == ticket && (m.at != node || m.node[ticket] != ""):
		m.node[ticket] = node
	case m.holder == ticket:
	case known:
		m.node[ticket] = node
		if m.parked[ticket] {
			delete(m.parked, ticket)
			m.waiting[ticket] = true
		}
	default:
		m.node[ticket] = node
		m.waiting[ticket] = true
	}
	if known && r.integer(0) != m.arrival[ticket] || kept > 0 && r.integer(0) != kept {
		return fmt.Errorf("enter %s: arrival %d, had %d", ticket, r.integer(0), m.arrival[ticket])
	}
	for other, arrival := range m.arrival {
		if !known && kept == 0 && r.integer(0) <= arrival {
			return fmt.Errorf("enter %s: drew %d, but %s has %d", ticket, r.integer(0), other, arrival)
		}
	}
	m.arrival[ticket] = r.integer(0)
	p.settleDown(node)
	return nil
}

func (p *player) leave(node, ticket string) error {
	m := &p.m
	r, err := p.run(node, opLeave, ticket)
	if err != nil {
		return err
	}
	want := int64(0)
	switch {
	case m.holder == ticket && !m.claimed:
		want, m.holder, m.at = 1, "", ""
	case m.holder == ticket, m.taken[ticket] && !m.dead[ticket]:
		want = 2
	case (m.waiting[ticket] || m.parked[ticket]) && !m.dead[ticket]:
		want = 1
		delete(m.waiting, ticket)
		delete(m.parked, ticket)
		delete(m.node, ticket)
	}
	p.settleDown(node)
	if r.status != want && !(p.repeats && want == 1) {
		return fmt.Errorf("leave %s: status %d, want %d", ticket, r.status, want)
	}
	return nil
}

// die puts a ticket past its deadline; the next operation has to notice.
func (p *player) die(node, ticket string) error {
	if !p.m.waiting[ticket] && !p.m.taken[ticket] && !p.m.parked[ticket] {
		return nil
	}
	p.m.dead[ticket] = true
	if err := p.rdb.ZAddXX(p.ctx(), p.key(5), z(1, ticket)).Err(); err != nil {
		return err
	}
	return p.leaveNobody(node)
}

// leaveNobody is a harmless operation that makes Redis settle.
func (p *player) leaveNobody(node string) error {
	_, err := p.run(node, opLeave, "nobody")
	p.settleDown(node)
	return err
}

func (p *player) beat(node, ticket string) error {
	_, err := p.run(node, opBeat, time.Hour.Microseconds(), 0, 0, ticket)
	if p.m.node[ticket] == node {
		delete(p.m.dead, ticket)
	}
	p.settleDown(node)
	return err
}

func (p *player) claim(node, _ string) error {
	m := &p.m
	r, err := p.run(node, opHold, m.holder, m.fence, time.Hour.Microseconds(), time.Hour.Microseconds())
	if err != nil {
		return err
	}
	if want := m.holder != "" && m.at == node; (r.status == 1) != want {
		return fmt.Errorf("hold by %s: status %d", node, r.status)
	}
	p.settleDown(node)
	return nil
}

func (p *player) release(node, _ string) error {
	m := &p.m
	before := m.holder
	r, err := p.run(node, opRelease, m.holder, m.fence, 1)
	if err != nil {
		return err
	}
	if before != "" {
		for ticket := range m.taken {
			delete(m.node, ticket)
			delete(m.dead, ticket)
		}
		clear(m.taken)
		delete(m.node, before)
		m.holder, m.at, m.claimed = "", "", false
	}
	p.settleDown(node)
	if before != "" && r.status != 1 && !(p.repeats && r.status == 2) {
		return fmt.Errorf("release %s: status %d", before, r.status)
	}
	return nil
}

// park parks a ticket of the node.
func (p *player) park(node, ticket string) error {
	m := &p.m
	r, err := p.run(node, opPark, ticket, time.Hour.Microseconds())
	if err != nil {
		return err
	}
	want := int64(0)
	switch {
	case m.holder == ticket && m.at != node:
		want = 3
	case m.holder == ticket && m.claimed:
		want = 2
	case m.holder == ticket:
		want, m.holder, m.at = 1, "", ""
		m.parked[ticket], m.node[ticket] = true, node
	case m.node[ticket] == "" || m.dead[ticket]:
	case m.node[ticket] != node:
		want = 3
	case m.taken[ticket]:
		want = 2
	default:
		want = 1
		delete(m.waiting, ticket)
		m.parked[ticket] = true
	}
	p.settleDown(node)
	if r.status != want {
		return fmt.Errorf("park %s: status %d, want %d", ticket, r.status, want)
	}
	return nil
}

// workOf is what a ticket entered with: every other one can be served by any node.
func workOf(ticket string) string {
	if (ticket[len(ticket)-1]-'0')%2 == 0 {
		return "work of " + ticket
	}
	return ""
}

// late releases and renews with the fence before the current one: nothing may change.
func (p *player) late(node, _ string) error {
	m := &p.m
	for _, operation := range []operation{opRelease, opHold, opTake} {
		r, err := p.run(node, operation, m.holder, m.fence-1, 1, 1)
		if err != nil {
			return err
		}
		if r.status != 0 {
			return fmt.Errorf("%s with a stale fence: status %d", operation, r.status)
		}
		p.settleDown(node)
	}
	return nil
}

func (p *player) take(node, _ string) error {
	m := &p.m
	if m.holder == "" || m.at != node {
		return nil
	}
	n := 1 + p.random.IntN(4)
	r, err := p.run(node, opTake, m.holder, m.fence, n)
	if err != nil {
		return err
	}
	var want []any
	order := p.order()
	for _, ticket := range order[:min(n, len(order))] {
		foreign, work := int64(0), ""
		if m.node[ticket] != node {
			foreign, work = 1, workOf(ticket)
			if work == "" {
				break
			}
		}
		delete(m.waiting, ticket)
		m.taken[ticket] = true
		want = append(want, ticket, strconv.FormatInt(m.arrival[ticket], 10), foreign, work)
	}
	if got, _ := r.rest[0].([]any); !slices.Equal(got, want) {
		return fmt.Errorf("take %d: %v, want %v", n, got, want)
	}
	return nil
}

// lapse ends the holder's lease.
func (p *player) lapse(node, _ string) error {
	m := &p.m
	if m.holder == "" {
		return nil
	}
	if err := p.rdb.HSet(p.ctx(), p.key(0), "end", 1).Err(); err != nil {
		return err
	}
	for ticket := range m.taken {
		m.waiting[ticket] = true
	}
	clear(m.taken)
	if m.node[m.holder] != "" { // another node lends it by now
		m.waiting[m.holder] = true
	}
	m.holder, m.at, m.claimed = "", "", false
	return p.leaveNobody(node)
}

func (p *player) close(node, _ string) error {
	m := &p.m
	if p.random.IntN(2) > 0 {
		return nil
	}
	want := int64(len(m.waiting) + len(m.parked))
	r, err := p.run(node, opClose, "sold out")
	if err != nil {
		return err
	}
	for ticket := range m.node {
		if !m.taken[ticket] && ticket != m.holder {
			delete(m.node, ticket)
		}
	}
	clear(m.waiting)
	clear(m.parked)
	p.settleDown(node)
	if r.integer(0) != want {
		return fmt.Errorf("close sent %d away, want %d", r.integer(0), want)
	}
	return nil
}

// giveBack returns the turn unserved.
func (p *player) giveBack(node, _ string) error {
	m := &p.m
	if m.holder == "" {
		return nil
	}
	r, err := p.run(node, opReturn, m.holder, m.fence, time.Hour.Microseconds())
	if err != nil {
		return err
	}
	for ticket := range m.taken {
		m.waiting[ticket] = true
	}
	clear(m.taken)
	m.waiting[m.holder] = true
	if m.node[m.holder] == "" {
		m.node[m.holder] = m.at
	}
	m.holder, m.at, m.claimed = "", "", false
	p.settleDown(node)
	if r.status != 1 && !(p.repeats && r.status == 2) {
		return fmt.Errorf("return: status %d", r.status)
	}
	return nil
}
