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
	parked  map[string]bool   // those that are away
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
		dead: map[string]bool{}, parked: map[string]bool{}, node: map[string]string{},
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
func (p *player) run(node string, op operation, args ...any) (reply, error) {
	c := p.clients[node]
	d := newDesk(c.Line(p.name))
	values, err := c.scripts[op].Run(context.Background(), p.rdb, d.keys.names, d.arguments(args...)...).Slice()
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
		p.lapse, p.late, p.close, p.giveBack, p.park, p.park,
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
		delete(m.parked, ticket)
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
	for seed := range uint64(6) {
		p := newPlayer(r, seed, edit)
		for i := range 250 {
			if err := p.step(); err != nil {
				return fmt.Errorf("seed %d, step %d: %w", seed, i, err)
			}
		}
	}
	return nil
}
