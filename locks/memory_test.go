package locks

import (
	"fmt"
	"testing"

	"lunchgo/locks/internal/memory"
)

// comparePairs plays histories of several seeds and returns the first difference.
func comparePairs(t *testing.T, seeds uint64, edits map[operation][2]string, tamper func(*memory.Server, keys)) error {
	h := newHarness(t)
	scripts := h.pairScripts(edits)
	for seed := range seeds {
		tw := newPair(h, seed, scripts)
		if tamper != nil {
			tw.tamper = tamper
		}
		for i := range 300 {
			if err := tw.step(); err != nil {
				return fmt.Errorf("seed %d, step %d: %w", seed, i, err)
			}
		}
	}
	return nil
}

func TestMemory_AnswersAsRedisDoes(t *testing.T) {
	t.Parallel()
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	if err := comparePairs(t, seeds, nil, nil); err != nil {
		t.Fatal(err)
	}
}

// A difference between Redis and memory must be noticed, in whichever of them the fault is.
func TestMemory_DifferenceFromAlteredScriptIsNoticed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays many histories")
	}
	everywhere := func(from, to string) map[operation][2]string {
		edits := map[operation][2]string{}
		for _, op := range operations {
			edits[op] = [2]string{from, to}
		}
		return edits
	}
	faults := map[string]map[operation][2]string{
		"the lowest number is not first": everywhere("call('ZRANGE', waiting, 0, 0, 'WITHSCORES')\n    if",
			"call('ZRANGE', waiting, -1, -1, 'WITHSCORES')\n    if"),
		"leases never end": everywhere("if h[1] and tonumber(h[2]) <= now then", "if false then"),
		"those taken along are lost": everywhere("for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end",
			""),
		"joint turns are halves": everywhere("ready = ready and head[1] == first[1]",
			"ready = true or head[1] == first[1]"),
		"older tickets are not awaited": everywhere("if till > now and till > r.till then", "if false then"),
		"ready is published repeatedly": everywhere("call('HSET', record, 'ready', head[1])", ""),
		"the share stays":               everywhere("left + (r.share - left)", "r.share + 0 * (r.share - left)"),
		"a late comer is dead":          {opEnter: {"adopt(owner)\n    set_owner()", "adopt(owner)"}},
		"numbers do not rise":           {opEnter: {"if tonumber(arrival) > highest then", "if false then"}},
		"beats keep nobody alive":       {opBeat: {"if #refreshed > 0 then", "if false then"}},
		"half gone":                     {opBeat: {"if marks[i] == 'g' then", "if false then"}},
		"taking twice":                  {opTake: {"local again = h[4] == request", "local again = false"}},
		"the pace stays":                {opRelease: {"format_int(pace * 0.8 + held / served * 0.2)", "format_int(pace)"}},
		"any fence will do":             {opRelease: {"if h[1] == ticket and h[2] == fence then", "if h[1] == ticket then"}},
		"a return loses the place": {opReturn: {"call('ZADD', waiting, h[3], ticket)",
			"call('ZADD', waiting, draw(), ticket)"}},
		"leaving a turn":        {opLeave: {"if h[1] == ticket and h[2] ~= '1' then", "if h[1] == ticket then"}},
		"parking a turn":        {opPark: {"h[1] == ticket and h[2] == '1' or", ""}},
		"closing on the taken":  {opClose: {"local run = call('ZRANGE', taken, 0, -1)", "local run = {}"}},
		"evicting nobody":       {opEvict: {"  end_turn(h[1], h[2])\n  if", "  if"}},
		"evicting twice":        {opEvict: {"if before[1] == request then", "if false then"}},
		"taking without end":    {opTake: {"2000 - call('ZCARD', taken)", "0 - call('ZCARD', taken)"}},
		"restoring at any time": {opRestore: {"if not settling() then return answer(0) end", ""}},
	}
	for name, edits := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := comparePairs(t, 30, edits, nil); err == nil {
				t.Fatal("nothing was noticed")
			}
		})
	}
}

func TestMemory_FaultOfMemoryIsNoticed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays many histories")
	}
	set := func(key func(keys) string, field string, value any) func(*memory.Server, keys) {
		return func(m *memory.Server, k keys) {
			if m.Call("HGET", key(k), field) != nil {
				m.Call("HSET", key(k), field, value)
			}
		}
	}
	clear := func(key func(keys) string) func(*memory.Server, keys) {
		return func(m *memory.Server, k keys) { m.Call("DEL", key(k)) }
	}
	faults := map[string]func(*memory.Server, keys){
		"the counter falls back":   clear(keys.counter),
		"the parked are forgotten": clear(keys.parked),
		"the taken are forgotten":  clear(keys.taken),
		"the order is another": func(m *memory.Server, k keys) {
			if last, _ := m.Call("ZRANGE", k.waiting(), -1, -1).([]any); len(last) > 0 {
				m.Call("ZADD", k.waiting(), 1, last[0])
			}
		},
		"nobody dies": func(m *memory.Server, k keys) {
			alive, _ := m.Call("ZRANGE", k.alive(), 0, -1).([]any)
			for _, ticket := range alive {
				m.Call("ZADD", k.alive(), 1<<52, ticket)
			}
		},
		"a grant is never claimed":   set(keys.holder, "claimed", 0),
		"turns are long":             set(keys.holder, "end", 1<<52),
		"a release is forgotten":     set(keys.record, "released:a", 0),
		"a take is forgotten":        set(keys.holder, "take_request", ""),
		"a closing is forgotten":     set(keys.record, "close_request", ""),
		"the reason is forgotten":    set(keys.record, "reason", ""),
		"a line is born every time":  func(m *memory.Server, k keys) { m.Call("HDEL", k.record(), "born") },
		"older tickets come in vain": set(keys.record, "until", 0),
		"ready is published again":   set(keys.record, "ready", ""),
		"the pace is forgotten":      func(m *memory.Server, k keys) { m.Call("HDEL", k.record(), "pace") },
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := comparePairs(t, 30, nil, fault); err == nil {
				t.Fatal("nothing was noticed")
			}
		})
	}
}
