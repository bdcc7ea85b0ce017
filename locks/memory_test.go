package locks

import (
	"fmt"
	"testing"

	"lunchgo/db/dbtest"
	"lunchgo/locks/internal/memory"
)

// seeds are those of histories.
type seeds struct{ first, n uint64 }

// soon are the seeds for controls, by the fault: most faults show in the first history or the second, these only from a
// later one on.
func soon(fault string) seeds {
	first := map[string]uint64{"those taken along are lost": 2, "evicting twice": 4, "closing on the taken": 7,
		"taking twice": 7, "a take is forgotten": 7, "taking without end": 20}[fault]
	return seeds{first, 30}
}

// comparePairs plays histories of several seeds and returns the first difference.
func comparePairs(t *testing.T, of seeds, edits map[operation][2]string, tamper func(*memory.Server, keys)) error {
	h := newHarness(t)
	scripts := h.pairScripts(edits)
	for seed := of.first; seed < of.first+of.n; seed++ {
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
	of := seeds{0, 8}
	if testing.Short() {
		of.n = 2
	}
	dbtest.Must(t, comparePairs(t, of, nil, nil))
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
	of := func(op operation, from, to string) map[operation][2]string {
		return map[operation][2]string{op: {from, to}}
	}
	off := func(g guard) map[operation][2]string {
		if g.op == "" {
			return everywhere(g.from, g.to)
		}
		return of(g.op, g.from, g.to)
	}
	faults := map[string]map[operation][2]string{
		"the lowest number is not first": off(orderOfLine),
		"leases never end":               off(lookAtLease),
		"those taken along are lost":     off(returnOfTaken),
		"holders are lost":               off(returnOfHolder),
		"orphans are lost":               off(adoptionOfHead),
		"the dead live":                  off(lookAtNode),
		"joint turns are halves":         everywhere("ready and not r.ticket and", "ready and"),
		"older tickets are not awaited":  off(waitForOlder),
		"ready is published repeatedly":  everywhere("if r.ready ~= head.ticket or", "if true or"),
		"the share stays":                everywhere("left + (share - left)", "share + 0 * (share - left)"),
		"numbers do not rise": of(opEnter, "if highest and brought > highest then",
			"if false then"),
		"beats keep nobody alive": of(opBeat, "if ARGV[11] == '1' then keep_node() end", ""),
		"half gone":               of(opBeat, "if marks[i] == 'g' then\n", "if false then\n"),
		"taking twice":            off(requestOfTake),
		"the pace stays":          of(opRelease, "* 0.8 + held / served * 0.2", ""),
		"any fence will do":       off(fenceOfRelease),
		"a return loses the place": of(opReturn, "end_turn(true)",
			"r.arrival = format_int(draw(1))\n    end_turn(true)"),
		"leaving a turn":        off(turnOfLeaver),
		"closing on the taken":  of(opClose, "local served = call('ZRANGE', taken, 0, -1)", "local served = {}"),
		"evicting nobody":       of(opEvict, "  end_turn(false)\n  if", "  if"),
		"evicting twice":        of(opEvict, "if before[1] == request then", "if false then"),
		"taking without end":    of(opTake, "2000 - call('ZCARD', taken)", "0 - call('ZCARD', taken)"),
		"restoring at any time": of(opRestore, "if not settling() then return answer(0) end", ""),
		"nobody comes back":     of(opRejoin, "if #ARGV > 10 then", "if false then"),
	}
	for name, edits := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := comparePairs(t, soon(name), edits, nil)
			if err == nil {
				t.Fatal("nothing was noticed")
			}
			t.Log(err)
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
		"the counter falls back":  clear(keys.counter),
		"the taken are forgotten": clear(keys.taken),
		"the order is another": func(m *memory.Server, k keys) {
			if last, _ := m.Call("ZRANGE", k.waiting(), -1, -1).([]any); len(last) > 0 {
				m.Call("ZADD", k.waiting(), 1, last[0])
			}
		},
		"all nodes die":              set(keys.record, "nodes", ""),
		"turns are long":             set(keys.record, "end", 1<<52),
		"a release is forgotten":     set(keys.record, "ended:a", 0),
		"a take is forgotten":        set(keys.record, "take_request", ""),
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
			if err := comparePairs(t, soon(name), nil, fault); err == nil {
				t.Fatal("nothing was noticed")
			}
		})
	}
}
