package locks

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// historyTimes are those of a world, whose clock the test sets: a minute passes in no time.
var historyTimes = Config{
	Lease: 10 * time.Second, Beat: 2 * time.Second, TTL: 7 * time.Second, ClaimWindow: 3 * time.Second,
	MaxHold: 30 * time.Second,
}

var (
	ttl        = historyTimes.TTL.Microseconds()
	pause      = settleTime(historyTimes).Microseconds()
	worldLines = []string{"a", "b"}
)

// model is a partition with two lines, in which tickets a1... and b1... stand, and ab1... in both. Two nodes do random
// things in it, and all of Redis' answers and data are held against the reference.
type model struct {
	*harness
	clients map[string]*Client
	random  *rand.Rand
	repeats bool // each operation is sent one to three times; the last answer may say that it was done before
	now     int64
	highest int64 // number that was drawn or brought
	rows    map[string]*modelLine
	before  map[string]*modelLine      // as Redis was before the last operation
	kept    map[string]int64           // arrival numbers, as tickets' owners keep them
	owned   map[string]map[string]bool // node -> tickets that it believes to own
	caller  string                     // node that does the present step
}

// model starts from nothing; edit, if not nil, changes the scripts.
func (h *harness) model(seed uint64, edit func(*Client)) *model {
	mine := *h
	mine.name.Partition = "world " + strconv.FormatUint(seed, 10)
	w := &model{
		harness: &mine, clients: map[string]*Client{}, random: rand.New(rand.NewPCG(seed, 1)),
		now: time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC).UnixMicro(), rows: map[string]*modelLine{},
		kept: map[string]int64{}, owned: map[string]map[string]bool{"n": {}, "m": {}},
	}
	for node := range w.owned {
		c := h.node(node, func(cfg *Config) {
			logger := cfg.Logger
			*cfg = historyTimes
			cfg.Prefix, cfg.Node, cfg.Logger = h.prefix, node, logger
			if serving[node] {
				cfg.Orphans = func(Name) {}
			}
		})
		w.clients[node] = c
		if edit != nil {
			edit(c)
		}
		mutateAll(h.t, c, "clock = clock or call('TIME')\nlocal now = clock[1] * 1000000 + clock[2]",
			"local now = tonumber(call('GET', '"+w.clock()+"'))")
	}
	if err := h.rdb.Set(h.ctx(), w.clock(), w.now, 0).Err(); err != nil {
		h.t.Fatal(err)
	}
	return w
}

// clock is the key that stands for Redis' clock.
func (w *model) clock() string { return w.prefix + w.name.Partition + ":clock" }

// step does one random thing and returns the first difference between Redis and the reference, or a broken invariant.
func (w *model) step() error {
	ticket := []string{"a", "a", "b", "ab"}[w.random.IntN(4)] + strconv.Itoa(w.random.IntN(5))
	node := []string{"n", "m"}[w.random.IntN(2)]
	if h, _ := w.turnOf(ticket); h.ticket != "" && w.random.IntN(3) > 0 { // so that turns go on
		node = h.by.node
		if w.random.IntN(4) == 0 {
			ticket = h.ticket
		}
	}
	m := w.moves()[w.random.IntN(len(w.moves()))]
	w.caller = node
	if err := m.do(node, ticket); err != nil {
		return fmt.Errorf("%s by %s: %w", m.op, node, err)
	}
	if err := w.compare(m.op); err != nil {
		return fmt.Errorf("%s by %s for %s: %w", m.op, node, ticket, err)
	}
	return nil
}

type move struct {
	op operation
	do func(node, ticket string) error
}

// moves lists what can happen, each as often as it is likely.
func (w *model) moves() []move {
	var all []move
	add := func(n int, op operation, do func(node, ticket string) error) {
		for range n {
			all = append(all, move{op, do})
		}
	}
	add(5, opEnter, w.enter)
	add(1, opLeave, w.leave)
	add(3, opBeat, w.beat)
	add(2, opRestore, w.restore)
	add(3, opHold, w.hold)
	add(2, opTake, w.take)
	add(2, opRelease, w.release)
	add(1, opReturn, w.returnTurn)
	add(1, opEvict, w.evict)
	add(1, opClose, w.close)
	add(2, opState, w.read)
	add(1, opHold, w.late)
	add(4, "time", w.pass)
	add(1, "loss", w.lose)
	return all
}

// send sends an operation.
func (w *model) send(node, session string, op operation, args ...any) (reply, error) {
	return runAt(w.clients[node], Name{w.name.Partition, session}, op, args...)
}

// agree compares an operation's status; repeated is what it may be when it was sent before.
func (w *model) agree(op operation, what string, r reply, want, repeated int64) error {
	if r.status == want || w.repeats && r.status == repeated {
		return nil
	}
	return fmt.Errorf("%s %s: status %d, want %d", op, what, r.status, want)
}

// compare holds Redis against the reference, and what has changed against the invariants.
func (w *model) compare(op operation) error {
	after, err := w.snapshot()
	if err != nil {
		return err
	}
	before := w.before
	w.before = after
	if before != nil {
		f := referee{op: op, now: w.now, highest: w.highest, caller: w.caller}
		if err := f.judge(before, after); err != nil {
			return err
		}
	}
	highest := w.highest
	for _, line := range worldLines {
		want, got := w.at("", line).lines[0], after[line]
		if h := want.holder; h != nil && h.fence == 0 && got.holder != nil {
			h.fence = got.holder.fence
			highest = max(highest, h.fence)
		}
		if !reflect.DeepEqual(want, got) {
			return fmt.Errorf("line %s: %s", line, differences(want, got))
		}
	}
	w.highest = highest
	return nil
}

// differences names the parts of a line that differ.
func differences(want, got *modelLine) string {
	var parts []string
	w, g := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	for i := range w.NumField() {
		a, b := fmt.Sprint(w.Field(i)), fmt.Sprint(g.Field(i))
		if name := w.Type().Field(i).Name; name == "holder" {
			a, b = fmt.Sprintf("%+v", want.holder), fmt.Sprintf("%+v", got.holder)
		}
		if a != b {
			parts = append(parts, fmt.Sprintf("%s is %s, want %s", w.Type().Field(i).Name, b, a))
		}
	}
	return strings.Join(parts, "; ")
}

// keptSometimes is the arrival number that the ticket's owner brings, or 0.
func (w *model) keptSometimes(ticket string) int64 {
	if w.random.IntN(3) > 0 {
		return 0
	}
	return w.kept[ticket]
}

func (w *model) workSometimes(ticket string) string {
	if w.random.IntN(4) == 0 {
		return ""
	}
	return workOf(ticket)
}

// knownAt is the arrival number of some ticket of the session, which a node may know of, or 0.
func (w *model) knownAt(session string) int64 {
	var known []int64
	for ticket, arrival := range w.kept {
		if sessionOf(ticket) == session {
			known = append(known, arrival)
		}
	}
	if len(known) == 0 || w.random.IntN(2) == 0 {
		return 0
	}
	slices.Sort(known)
	return known[w.random.IntN(len(known))]
}

// histories plays n worlds from a seed on.
func histories(seed uint64, n int) testBody {
	return func(t testing.TB, edit func(*Client)) {
		ignoresClock(t)
		h := newHarness(t)
		for i := range eachModel(t, n) {
			h.model(seed+uint64(i), edit).play(300)
		}
	}
}

// rare proves a guard whose absence few histories show, from a seed on where one shows it soon.
func rare(t *testing.T, seed uint64, g guard) {
	t.Helper()
	testWithout(t, g.name, histories(seed, 2), g.off(t))
}

// repeatedHistories does so over a connection that sends every operation one to three times, as go-redis does when
// connections break.
func repeatedHistories(seed uint64, n int) testBody {
	return func(t testing.TB, edit func(*Client)) {
		ignoresClock(t)
		h := newHarness(t)
		h.rdb = h.connect(&repeatingLink{})
		for i := range eachModel(t, n) {
			w := h.model(seed+uint64(i), edit)
			w.repeats = true
			w.loadScripts(slices.Collect(maps.Values(w.clients))...) // repetitions need the scripts to be known
			w.play(250)
		}
	}
}

// eachModel is how many worlds to play: when a fault is wanted, until it shows.
func eachModel(t testing.TB, n int) int {
	if failureWanted(t) {
		return 10 * n
	}
	if testing.Short() {
		return 1
	}
	return n
}

// play takes steps until one goes wrong.
func (w *model) play(steps int) {
	w.t.Helper()
	for i := range steps {
		if err := w.step(); err != nil {
			w.t.Fatalf("%s, step %d: %v", w.name.Partition, i, err)
		}
	}
}
