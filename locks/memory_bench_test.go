package locks

import (
	"strconv"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks/internal/memory"
)

// BenchmarkMemory enters tickets behind many others and hands the turn on, without Redis.
func BenchmarkMemory(b *testing.B) {
	for _, waiting := range []int{10, 10_000} {
		b.Run(strconv.Itoa(waiting), func(b *testing.B) {
			h := newHarness(b)
			s := newSession(h.node("a", nil).Line(h.name))
			m := memory.New(func() int64 { return time.Now().UnixMicro() })
			n := 0
			run := func(op operation, args ...any) reply {
				values, err := m.Run(memoryScripts()[op], s.keys.names,
					s.arguments(s.newCommand(op, args), plainPublish)...)
				dbtest.Must(b, err)
				answer, err := decode(values)
				dbtest.Must(b, err)
				return answer
			}
			enter := func() reply {
				n++
				return run(opEnter, 0, "t"+strconv.Itoa(n), 0, "", "")
			}
			turn := enter().turn
			for range waiting {
				enter()
			}
			for b.Loop() {
				enter()
				turn = run(opRelease, turn.ticket, turn.fence, 1).turn
			}
		})
	}
}
