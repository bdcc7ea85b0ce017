package locks

import (
	"fmt"
	"slices"

	"github.com/anishathalye/porcupine"
)

// What a line is for those who use it, one deed after the other: the model that recorded histories are held against. It
// knows nothing of nodes, messages and beats.

// modelCall is what somebody did, and outcome what came of it.
type modelCall struct {
	what   string // enter, turn, release, leave or read
	ticket string
	fence  int64 // of the turn to be released
}

type outcome struct {
	place Place // of an enter
	fence int64 // of a turn
	err   error
	order []string // of a read: who waits
	held  bool     // of a read: somebody has the turn
}

// standing is a ticket in the modelled line.
type standing struct {
	ticket  string
	arrival int64
}

// modelState is a line.
type modelState struct {
	holder  string
	arrival int64      // of the holder
	fence   int64      // of the holder; 0 until a caller has seen it
	last    int64      // highest fence that a caller has seen
	line    []standing // by arrival
}

var fairLock = porcupine.Model{
	Init: func() any { return modelState{} },
	Step: func(state, in, out any) (bool, any) { return state.(modelState).step(in.(modelCall), out.(outcome)) },
	Equal: func(a, b any) bool {
		m, n := a.(modelState), b.(modelState)
		return m.holder == n.holder && m.fence == n.fence && m.last == n.last && slices.Equal(m.line, n.line)
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v: %+v", in, out) },
}

// step reports whether the deed can have had that outcome, and how the line stands then.
func (m modelState) step(d modelCall, out outcome) (bool, modelState) {
	m.line = slices.Clone(m.line)
	at := slices.IndexFunc(m.line, func(s standing) bool { return s.ticket == d.ticket })
	switch d.what {
	case "enter":
		return m.enter(d.ticket, at, out.place)
	case "turn":
		agrees := m.holder == d.ticket && (m.fence == out.fence || m.fence == 0 && out.fence > m.last)
		m.fence, m.last = out.fence, out.fence
		return agrees, m
	case "release":
		if m.holder != d.ticket || m.fence != d.fence {
			return out.err == ErrStale, m
		}
		return out.err == nil, m.promote()
	case "leave":
		return m.leave(d, at, out.err)
	}
	var waiting []string
	for _, s := range m.line {
		waiting = append(waiting, s.ticket)
	}
	return slices.Equal(waiting, out.order) && out.held == (m.holder != ""), m
}

func (m modelState) enter(ticket string, at int, place Place) (bool, modelState) {
	if m.holder == ticket {
		known := m.fence == place.Fence || m.fence == 0 && place.Fence > m.last
		m.fence, m.last = place.Fence, max(m.last, place.Fence)
		return known && place.Granted && place.Arrival == m.arrival, m
	}
	if at < 0 {
		at = len(m.line)
		if at > 0 && m.line[at-1].arrival >= place.Arrival {
			return false, m
		}
		m.line = append(m.line, standing{ticket, place.Arrival})
	}
	if m.holder == "" {
		m = m.promote()
		if m.holder != ticket {
			return false, m
		}
		return m.enter(ticket, -1, place)
	}
	return !place.Granted && place.Position == at+1 && place.Arrival == m.line[at].arrival, m
}

// promote gives the turn to the first.
func (m modelState) promote() modelState {
	m.holder, m.fence, m.arrival = "", 0, 0
	if len(m.line) > 0 {
		m.holder, m.arrival = m.line[0].ticket, m.line[0].arrival
		m.line = m.line[1:]
	}
	return m
}

// leave models leaving: a turn stays with its ticket, whether anybody has seen it or not.
func (m modelState) leave(d modelCall, at int, err error) (bool, modelState) {
	holds := m.holder == d.ticket
	if err == ErrServing || holds || err != nil {
		return err == ErrServing && holds, m
	}
	if at >= 0 {
		m.line = slices.Delete(m.line, at, at+1)
	}
	return true, m
}
