package locks

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/locks/internal/memory"
)

// pair carries the same operations out in Redis and in memory, at the same moments of a simulated clock.
type pair struct {
	*harness
	nodes   []*Client
	client  *Client // the node that does the present operation
	scripts map[operation]*redis.Script
	memory  *memory.Server
	random  *rand.Rand
	now     int64
	turns   map[string]grant           // the newest turn that each session learnt of
	last    command                    // to be repeated
	tamper  func(*memory.Server, keys) // a fault of the memory in one line, for controls
}

// pairSessions are three sessions of one partition: two lines, and both taken together.
var pairSessions = []string{"x", "y", "x" + separator + "y"}

func newPair(h *harness, seed uint64, scripts map[operation]*redis.Script) *pair {
	tw := &pair{
		harness: h, scripts: scripts, random: rand.New(rand.NewPCG(seed, 7)), now: 1_700_000_000_000_000,
		turns: map[string]grant{}, tamper: func(*memory.Server, keys) {},
	}
	tw.memory = memory.New(func() int64 { return tw.now })
	tw.name.Partition = "twins " + strconv.FormatUint(seed, 10)
	for _, node := range []string{"a", "b"} {
		tw.nodes = append(tw.nodes, h.node(node, func(cfg *Config) {
			cfg.Lease, cfg.ClaimWindow, cfg.TTL = historyTimes.Lease, historyTimes.ClaimWindow, historyTimes.TTL
			if node == "a" {
				cfg.Orphans = func(Name) {}
			}
		}))
	}
	tw.client = tw.nodes[0]
	return tw
}

// pairScripts loads the scripts, changed by edits, with a clock that is a key, and a list instead of channels.
func (h *harness) pairScripts(edits map[operation][2]string) map[operation]*redis.Script {
	t := h.t
	scripts := make(map[operation]*redis.Script)
	for _, op := range operations {
		text := source(op, false)
		for _, e := range [][2]string{
			{"call('TIME')", "{0, call('GET', KEYS[#KEYS] .. 'now')}"},
			{
				"call(publish_command, channel .. to, cjson.encode(message))",
				"call('RPUSH', KEYS[#KEYS] .. 'news', message.line .. ' ' .. message.kind " +
					".. ' ' .. (message.ticket or '') .. table.concat(message.stay or {}, ','))",
			},
			edits[op],
		} {
			if e[0] != "" && strings.Count(text, e[0]) != 1 {
				t.Fatalf("%s.lua has %q %d times, want once", op, e[0], strings.Count(text, e[0]))
			}
			text = strings.Replace(text, e[0], e[1], 1)
		}
		scripts[op] = redis.NewScript(text)
		dbtest.Must(t, scripts[op].Load(t.Context(), h.rdb).Err())
	}
	return scripts
}

// step carries out one random operation and returns the first difference in what is answered.
func (tw *pair) step() error {
	tw.now += tw.pass()
	if tw.random.IntN(60) == 0 {
		tw.lose()
	}
	c := tw.last
	if tw.random.IntN(6) > 0 || c.op == "" {
		tw.client = tw.nodes[tw.random.IntN(4)/3]
		c = tw.draw()
	}
	tw.last = c
	answer, err := tw.both(c)
	if err != nil {
		return err
	}
	if r, err := decode(answer); err == nil && r.turn != nil {
		tw.turns[c.session] = *r.turn
	}
	return nil
}

// lose takes all data from both.
func (tw *pair) lose() {
	tw.memory = memory.New(func() int64 { return tw.now })
	keys := lineKeys(tw.prefix, Name{tw.name.Partition, pairSessions[2]}).names
	tw.rdb.Del(tw.t.Context(), keys...)
}

// pass is how much time goes by before an operation: mostly little, now and then enough for something to end.
func (tw *pair) pass() int64 {
	ends := []time.Duration{3 * time.Second, 7 * time.Second, 10 * time.Second, 2 * time.Second, time.Minute}
	if tw.random.IntN(10) == 0 {
		return ends[tw.random.IntN(len(ends))].Microseconds()
	}
	return tw.random.Int64N(400_000)
}

func (tw *pair) session(key string) *session {
	return newSession(tw.client.Line(Name{tw.name.Partition, key}))
}

func (tw *pair) call(op operation, session string, own ...any) command {
	return tw.session(session).newCommand(op, own)
}

// both carries a call out twice and compares the answers, the messages and what is left.
func (tw *pair) both(c command) ([]any, error) {
	ctx, read := tw.t.Context(), tw.call(opState, pairSessions[2])
	keys, pipe := tw.session(c.session).keys.names, tw.rdb.Pipeline()
	counter := keys[len(keys)-1]
	pipe.Set(ctx, counter+"now", tw.now, time.Minute)
	pipe.Del(ctx, counter+"news")
	answer, messages := tw.queue(pipe, c), pipe.LRange(ctx, counter+"news", 0, -1)
	state := tw.queue(pipe, read)
	if _, err := pipe.Exec(ctx); err != nil {
		tw.t.Fatalf("%s: %v", c.op, err) // no difference, but a fault of the test
	}
	want := answer.Val().([]any)
	got := tw.inMemory(c)
	published := tw.published()
	for _, key := range pairSessions[:2] {
		tw.tamper(tw.memory, tw.session(key).keys)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return nil, fmt.Errorf("%s of %q, %q: memory answers %v, Redis %v", c.op, c.session, c.args, got, want)
	}
	slices.Sort(messages.Val())
	if !slices.Equal(published, messages.Val()) {
		return nil, fmt.Errorf("%s of %q, %q: memory publishes %q, Redis %q", c.op, c.session, c.args, published,
			messages.Val())
	}
	if left := tw.inMemory(read); fmt.Sprint(left) != fmt.Sprint(state.Val()) {
		return nil, fmt.Errorf("%s of %q, %q leaves %v in memory, %v in Redis", c.op, c.session, c.args, left,
			state.Val())
	}
	return want, nil
}

// inMemory carries a call out in memory.
func (tw *pair) inMemory(c command) []any {
	s := tw.session(c.session)
	values, err := tw.memory.Run(memoryScripts()[c.op], s.keys.names, s.arguments(c, plainPublish)...)
	if err != nil {
		tw.t.Fatalf("%s of %q, %q in memory: %v", c.op, c.session, c.args, err)
	}
	return values
}

// published takes the messages away that were published in memory, each in one line, sorted.
func (tw *pair) published() []string {
	lines := []string{}
	for _, payload := range tw.memory.Published {
		var m message
		if err := json.Unmarshal([]byte(payload), &m); err != nil {
			tw.t.Fatalf("message %s: %v", payload, err)
		}
		lines = append(lines, m.Line+" "+m.Kind+" "+m.Ticket+strings.Join(m.Stay, ","))
	}
	tw.memory.Published = nil
	slices.Sort(lines)
	return lines
}

// queue adds a call to a pipeline.
func (tw *pair) queue(pipe redis.Pipeliner, c command) *redis.Cmd {
	s := tw.session(c.session)
	return tw.scripts[c.op].EvalSha(tw.t.Context(), pipe, s.keys.names, s.arguments(c, plainPublish)...)
}

// draw chooses an operation and its arguments.
func (tw *pair) draw() command {
	const lease = 10_000_000
	session := pairSessions[tw.random.IntN(len(pairSessions))]
	one := pairSessions[tw.random.IntN(2)] // for what is not done to joint lines
	if session != pairSessions[2] {
		one = session
	}
	turn := tw.turns[pairSessions[tw.random.IntN(len(pairSessions))]]
	for tw.random.IntN(4) > 0 && turn.ticket != tw.turns[session].ticket {
		turn = tw.turns[session]
	}
	known := []int64{0, 0, 0, tw.now - 60_000_000, tw.now}[tw.random.IntN(5)]
	kept := []int64{
		0, 0, 0, 0, 0, 0, tw.now - tw.random.Int64N(60_000_000), tw.now + tw.random.Int64N(10_000_000),
		tw.now + 7_200_000_000,
	}[tw.random.IntN(9)]
	name := func() string { return "t" + strconv.Itoa(tw.random.IntN(10)) }
	switch tw.random.IntN(18) {
	case 0, 1, 2, 3, 4:
		work := []string{"", "work"}
		return tw.call(opEnter, session, known, name(), kept, work[tw.random.IntN(2)], "c", "another", 0,
			work[tw.random.IntN(2)], "c")
	case 5:
		return tw.call(opLeave, session, name())
	case 6:
		return tw.call(opRejoin, session, tw.now, name(), tw.now-1000, "work", "c", name(), 0, "", "c")
	case 7, 8:
		return tw.call(opBeat, session, known, 1, name(), name(), name(), name(), name())
	case 9:
		return tw.call(opHold, session, turn.ticket, turn.fence, lease, []int{4_000_000, 60_000_000}[tw.random.IntN(2)])
	case 10, 11:
		return tw.call(opRelease, session, turn.ticket, turn.fence, tw.random.IntN(4))
	case 12:
		return tw.call(opReturn, session, turn.ticket, turn.fence)
	case 13, 16:
		return tw.call(opTake, session, turn.ticket, turn.fence, 1+tw.random.IntN(4))
	case 14:
		return tw.call(opRestore, session, name(), tw.now-1000-tw.random.Int64N(9_000_000), "", "c", name(), tw.now-1,
			"work", "c")
	}
	switch tw.random.IntN(4) {
	case 0: // more than one look buries
		var crowd []any
		for i := range 200 {
			crowd = append(crowd, "crowd"+strconv.Itoa(i), tw.now-1000+int64(i), "", "c")
		}
		return tw.call(opRestore, session, crowd...)
	case 1:
		return tw.call(opEvict, one)
	}
	for _, key := range pairSessions[:2] { // best while a run is being served
		if integer(tw.memory.Call("ZCARD", tw.session(key).keys.taken())) > 0 {
			one = key
		}
	}
	return tw.call(opClose, one, "sold out")
}
