package locks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"
)

// model is a plain account of a line, held against Redis after every operation.
type model struct {
	arrival map[string]int64  // of every ticket that ever stood
	waiting map[string]bool   // those that stand in line
	taken   map[string]bool   // those served along with the holder
	dead    map[string]bool   // waiting or taken, but past their deadline
	node    map[string]string // that lends a ticket that waits or is taken
	holder  string            // "" when free
	at      string            // node of the holder
	claimed bool
	fence   int64 // of the last grant seen
}

// player drives raw operations of two nodes against one line.
type player struct {
	*rig
	clients map[string]*Client
	random  *rand.Rand
	repeats bool // operations are sent several times: the last answer may say that it was done before
	m       model
}

func newPlayer(r *rig, seed uint64, edit func(*Client)) *player {
	slow := func(cfg *Config) {
		cfg.Lease, cfg.TTL, cfg.ClaimWindow, cfg.MaxHold = time.Hour, time.Hour, time.Hour, time.Hour
	}
	p := &player{rig: r, random: rand.New(rand.NewPCG(seed, 1)), clients: map[string]*Client{}}
	p.name.Key = "line " + strconv.FormatUint(seed, 10)
	p.m = model{
		arrival: map[string]int64{}, waiting: map[string]bool{}, taken: map[string]bool{},
		dead: map[string]bool{}, node: map[string]string{},
	}
	for _, node := range []string{"a", "b"} {
		p.clients[node] = r.node(node, slow)
		if edit != nil {
			edit(p.clients[node])
		}
	}
	return p
}

// run sends one operation past the client's own bookkeeping.
func (p *player) run(node, operation string, args ...any) (reply, error) {
	c := p.clients[node]
	d := newDesk(c.Line(p.name))
	values, err := (*scriptOf(c, operation)).Run(context.Background(), p.rdb, d.keys.names, d.arguments(args...)...).Slice()
	if err != nil {
		return reply{}, err
	}
	return decode(values)
}

// step does one random operation and returns the first difference between Redis and the model.
func (p *player) step() error {
	node := []string{"a", "b"}[p.random.IntN(2)]
	ticket := "t" + strconv.Itoa(p.random.IntN(12))
	moves := []func(node, ticket string) error{
		p.enter, p.enter, p.enter, p.enter, p.leave, p.die, p.beat, p.claim, p.release, p.release, p.take,
		p.lapse, p.late, p.close, p.giveBack,
	}
	if err := moves[p.random.IntN(len(moves))](node, ticket); err != nil {
		return err
	}
	return p.compare()
}

// settleDown is what reap and promote have to do, in the model.
func (p *player) settleDown(node string) {
	m := &p.m
	for ticket := range m.dead {
		delete(m.waiting, ticket)
		delete(m.taken, ticket)
		delete(m.node, ticket)
	}
	clear(m.dead)
	if m.holder == "" && len(m.waiting) > 0 {
		head := slices.MinFunc(slices.Collect(maps.Keys(m.waiting)), func(a, b string) int {
			return cmp.Compare(m.arrival[a], m.arrival[b])
		})
		m.holder, m.at, m.claimed = head, m.node[head], false
		delete(m.waiting, head)
		delete(m.node, head)
	}
	m.claimed = m.claimed || m.at == node
}

func (p *player) enter(node, ticket string) error {
	m := &p.m
	known := m.waiting[ticket] || m.taken[ticket] || m.holder == ticket
	kept := int64(0)
	if !known && p.random.IntN(3) == 0 {
		kept = m.arrival[ticket]
	}
	r, err := p.run(node, "enter", ticket, kept, time.Hour.Microseconds())
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
	r, err := p.run(node, "leave", ticket)
	if err != nil {
		return err
	}
	want := int64(0)
	switch {
	case m.holder == ticket && !m.claimed:
		want, m.holder, m.at = 1, "", ""
	case m.holder == ticket, m.taken[ticket] && !m.dead[ticket]:
		want = 2
	case m.waiting[ticket] && !m.dead[ticket]:
		want = 1
		delete(m.waiting, ticket)
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
	if !p.m.waiting[ticket] && !p.m.taken[ticket] {
		return nil
	}
	p.m.dead[ticket] = true
	if err := p.rdb.ZAddXX(p.ctx(), p.key(3), z(1, ticket)).Err(); err != nil {
		return err
	}
	return p.leaveNobody(node)
}

// leaveNobody is a harmless operation that makes Redis settle.
func (p *player) leaveNobody(node string) error {
	_, err := p.run(node, "leave", "nobody")
	p.settleDown(node)
	return err
}

func (p *player) beat(node, ticket string) error {
	_, err := p.run(node, "beat", time.Hour.Microseconds(), ticket)
	if p.m.node[ticket] == node {
		delete(p.m.dead, ticket)
	}
	p.settleDown(node)
	return err
}

func (p *player) claim(node, _ string) error {
	m := &p.m
	r, err := p.run(node, "hold", m.holder, m.fence, time.Hour.Microseconds(), time.Hour.Microseconds())
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
	r, err := p.run(node, "release", m.holder, m.fence, 1)
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

// late releases and renews with the fence before the current one: nothing may change.
func (p *player) late(node, _ string) error {
	m := &p.m
	for _, operation := range []string{"release", "hold", "take"} {
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
	r, err := p.run(node, "take", m.holder, m.fence, n)
	if err != nil {
		return err
	}
	var want []any
	order := p.order()
	for _, ticket := range order[:min(n, len(order))] {
		if m.node[ticket] != node {
			break
		}
		delete(m.waiting, ticket)
		m.taken[ticket] = true
		want = append(want, ticket, strconv.FormatInt(m.arrival[ticket], 10))
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
	if p.random.IntN(4) > 0 {
		return nil
	}
	want := int64(len(m.waiting))
	r, err := p.run(node, "close", "sold out")
	if err != nil {
		return err
	}
	for ticket := range m.waiting {
		delete(m.node, ticket)
	}
	clear(m.waiting)
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
	r, err := p.run(node, "return", m.holder, m.fence, time.Hour.Microseconds())
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

// order is the waiting tickets of the model in order.
func (p *player) order() []string {
	return slices.SortedFunc(maps.Keys(p.m.waiting), func(a, b string) int {
		return cmp.Compare(p.m.arrival[a], p.m.arrival[b])
	})
}

var errDiffers = errors.New("redis differs from the model")

// play runs many steps of several seeds and returns the first difference.
func play(t *testing.T, edit func(*Client)) error {
	r := newRig(t)
	for seed := range uint64(8) {
		p := newPlayer(r, seed, edit)
		for i := range 250 {
			if err := p.step(); err != nil {
				return fmt.Errorf("seed %d, step %d: %w", seed, i, err)
			}
		}
	}
	return nil
}
