package locks

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// Whatever a message says, Redis decides: who waits finds the same place, and who has the turn keeps it.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", "[]", `"text"`, `{"kind": "granted"}`, `{"line": "19:00", "kind": "ready"}`,
		`{"line": "19:00", "kind": "granted", "ticket": "waits", "fence": "1795280000000000"}`,
		`{"line": "19:00", "kind": "granted", "ticket": "nobody", "fence": "9007199254740993"}`,
		`{"line": "19:00", "kind": "evicted", "ticket": "holds", "fence": "1"}`,
		`{"line": "19:00", "kind": "adopted", "ticket": "waits", "at": "9007199254740993"}`,
		`{"line": "19:00", "kind": "left", "ticket": "waits", "at": "-1"}`,
		`{"line": "19:00", "kind": "served", "at": "1", ` +
			`"served": [{"ticket": "waits", "result": "7"}, {}, {"ticket": "holds"}]}`,
		`{"line": "19:00", "kind": "served", "served": {}}`,
		`{"line": "19:00", "kind": "closed", "reason": "sold out", "stay": ["holds", "waits"], "at": "9007199254740993"}`,
		"{\"line\": \"19:00\x1f20:00\", \"kind\": \"closed\"}", `{"line": "20:00", "kind": "closed", "at": 1}`,
		`{"kind": "granted", "fence": "1e3"}`, `{"at": "99999999999999999999"}`,
	} {
		f.Add(seed)
	}
	h := newHarness(f)
	patient := func(cfg *Config) { cfg.Lease, cfg.TTL, cfg.MaxHold = time.Minute, time.Minute, time.Hour }
	a, b := h.node("a", patient), h.node("b", patient)
	turn := h.turnOf(a, "holds")
	place := h.enter(b, "waits")
	f.Fuzz(func(t *testing.T, payload string) {
		for _, c := range []*Client{a, b} {
			c.onMessage(h.name.Partition, payload, false)
		}
		again, err := b.Line(h.name).Enter(t.Context(), Entry{Ticket: "waits"})
		if err != nil || again.Arrival != place.Arrival || again.Position != 1 {
			t.Errorf("%+v, %v, stood at %+v", again, err, place)
		}
		still, err := a.Line(h.name).Enter(t.Context(), Entry{Ticket: "holds"})
		if err != nil || still.Fence != turn.Fence() {
			t.Errorf("%+v, %v, had fence %d", still, err, turn.Fence())
		}
	})
}

// Whatever is in a ticket, its work and its result, they arrive as they were, or are refused.
func FuzzEntry(f *testing.F) {
	f.Add("t1", "work", "result", int64(0))
	f.Add("", "", "", int64(0))
	f.Add("\xff", "", "", int64(0))
	f.Add("t\x00\x1f\"\\{}é한", "\xff", "r", int64(1))
	f.Add(strings.Repeat("t", maxTicket), strings.Repeat("w", 5000), "\"}]\n", int64(1700000000000000))
	f.Add(strings.Repeat("t", maxTicket+1), "", "", int64(0))
	f.Add("1e+15", "-0", "nil", int64(-1))
	f.Add("late", "", "", int64(math.MaxInt64))
	h := newHarness(f)
	j := newRecordingObserver()
	a, b := h.node("a", nil), h.node("b", j.attach)
	b.retainSubscription(h.name.Partition) // for good, so that no message is lost
	h.awaitSubscribed("b")
	f.Fuzz(func(t *testing.T, ticket, work, result string, arrival int64) {
		h := &harness{t: t, rdb: h.rdb, prefix: h.prefix, name: h.name}
		turn := h.turnOf(a, "the holder")
		place, err := b.Line(h.name).Enter(t.Context(), Entry{Ticket: ticket, Work: work, Arrival: arrival})
		bad := ticket == "" || len(ticket) > maxTicket || !utf8.ValidString(ticket+" "+work) || arrival < 0
		if bad != errors.Is(err, ErrBadEntry) &&
			!(arrival > place.ServerTime.UnixMicro() && errors.Is(err, ErrBadEntry)) {
			t.Errorf("%q: %v", ticket, err)
		}
		run, takeErr := turn.Take(t.Context(), 1)
		if taken := err == nil && work != "" && ticket != "the holder"; takeErr != nil || len(run) > 1 ||
			taken != (len(run) == 1) {
			t.Fatalf("took %+v, %v", run, takeErr)
		}
		if len(run) == 1 && (run[0].Ticket != ticket || run[0].Work != work || run[0].Arrival != place.Arrival) {
			t.Errorf("took %+v, want %q", run, ticket)
		}
		dbtest.Must(t, turn.Release(t.Context(), 1, Result{Ticket: ticket, Value: result}))
		switch {
		case len(run) == 1:
			eventually(t, "its node hears the result", func() bool {
				d, gone := j.departures()[ticket]
				return gone && (d.Result == result || !utf8.ValidString(result))
			})
		case err == nil && ticket != "the holder":
			h.release(h.nextIs(b, ticket), 1)
		}
	})
}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`[1, "1795280000000000", 0, 0, [], "a", 1]`, `[2, 3, 0, 1, ["t", "5", "4", "3", 2, 1], ["t", "1", 1, "w"], -1, 7]`,
		`[]`, `[1, 2, 3, 4]`, `[null, null, null, null, null]`, `["x", [], "", "1e99", [1, 2, 3, 4, 5, 6], [[]], [[[]]]]`,
		`[1, 2, 1, 0, "0.25", ["t1", "t2"], [0, 1, 1, 9], 1]`, `[1, 2, 1, 0, "x", ["t1"], [-5], 1]`,
		`[0, 0, 0, 0, "NaN", 1, 2, 0]`,
	} {
		f.Add([]byte(seed))
	}
	h := newHarness(f)
	c := h.node("a", nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		var values []any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if decoder.Decode(&values) != nil {
			return
		}
		values = asRedisAnswers(values).([]any)
		if p, err := readState(values); err == nil {
			_ = p.with(p).Estimate(1)
			for ticket, position := range p.Positions {
				if position < 1 || position > p.Count {
					t.Errorf("%q at %d of %d", ticket, position, p.Count)
				}
			}
		}
		answer, err := decode(values)
		if err != nil {
			return
		}
		for i := range len(values) {
			_, _, _ = answer.integer(i), answer.text(i), answer.texts(i)
		}
		s := newSession(c.Line(h.name))
		s.take(&heldTurn{line: s.line, foreign: map[string]bool{}}, answer)
	})
}

// asRedisAnswers makes of JSON what Redis may answer: texts, whole numbers, lists and nil.
func asRedisAnswers(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := strconv.ParseInt(v.String(), 10, 64) // 0 for what Redis cannot answer
		return n
	case []any:
		for i := range v {
			v[i] = asRedisAnswers(v[i])
		}
	case bool:
		return redis.Nil
	}
	return v
}

// Keys of different lines are different, and those of a partition carry one hash tag.
func FuzzKeys(f *testing.F) {
	f.Add("line", "evening", "19:00", "20:00")
	f.Add("", "", "", "a")
	f.Add("p", "{}", "}{", "}")
	f.Add("p", "%7B", "{", "counter")
	f.Add("p", "a}b{c", "node:", "x:holder")
	f.Fuzz(func(t *testing.T, prefix, partition, one, two string) {
		if strings.ContainsAny(prefix, "{}") || strings.Contains(one+two, separator) || one == two {
			return
		}
		seen := map[string]bool{}
		all := slices.Concat(lineKeys(prefix, Name{partition, one}).names[:5],
			lineKeys(prefix, Name{partition, two}).names)
		joint := lineKeys(prefix, JointName(partition, []string{two, one, two}))
		for _, key := range all {
			if seen[key] || !slices.Contains(joint.names, key) {
				t.Errorf("%q is twice among %q, or not among %q", key, all, joint.names)
			}
			seen[key] = true
			_, tag, _ := strings.Cut(key, "{")
			tag, _, closed := strings.Cut(tag, "}")
			if !closed || tag != plain.Replace(partition) {
				t.Errorf("%q has the hash tag %q", key, tag)
			}
		}
		if len(joint.names) != len(all) {
			t.Errorf("%d keys of a joint line, want %d", len(joint.names), len(all))
		}
	})
}
