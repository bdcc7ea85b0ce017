package db_test

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest/measured"
	"lunchgo/db/pg"
)

// dinersASlot is how many reservations a slot gets before a benchmark goes on with the next one.
const dinersASlot = 512

// servedAtOnce are the sizes of the runs of BenchmarkServe.
var servedAtOnce = []int{1, 8, 64}

func TestBenchmarks_HaveTheSizesShown(t *testing.T) {
	t.Parallel()
	for _, size := range servedAtOnce {
		measured.Hold(t, fmt.Sprint("serve/", size), map[string]int{"diners a run": size})
	}
	measured.Hold(t, "offers", offersSizes)
}

// perRun is what a benchmark whose operations are runs of some size has measured.
func perRun(b *testing.B, size int) map[string]float64 {
	return map[string]float64{"requests a second": float64(b.N*size) / b.Elapsed().Seconds(),
		"ms a run": b.Elapsed().Seconds() * 1e3 / float64(b.N)}
}

// BenchmarkServe serves runs of new diners in one slot after another. One operation is one turn.
func BenchmarkServe(b *testing.B) {
	for _, size := range servedAtOnce {
		b.Run(fmt.Sprintf("run=%d", size), func(b *testing.B) {
			h := setupWith(b, pg.Config{QueryTimeout: time.Minute, LockTimeout: time.Minute, MaxConns: 1})
			maker := newHarness(h.Instance(b), h.URL)
			var diners []string
			slots := 0
			began := h.BackendCPU(b)
			b.ResetTimer()
			for b.Loop() {
				if len(diners) < size {
					b.StopTimer()
					diners, slots = maker.Diners(b, dinersASlot, 0), slots+1
					b.StartTimer()
				}
				slot := h.Slot(booking.TimeOfDay(fmt.Sprintf("%02d:%02d", slots/60%24, slots%60)))
				slot.Date = slot.Date.AddDays(slots / (24 * 60))
				var run []booking.Request
				for _, id := range diners[:size] {
					run = append(run, h.Request(id, slot))
				}
				diners = diners[size:]
				if _, _, err := h.Slots.Serve(b.Context(), h.Turn(slot, 10*dinersASlot, 1), run); err != nil {
					b.Fatal(err)
				}
			}
			results := perRun(b, size)
			results["PostgreSQL µs a request"] = (h.BackendCPU(b) - began).Seconds() * 1e6 / float64(b.N*size)
			measured.Log(b, fmt.Sprint("serve/", size), map[string]int{"diners a run": size}, results)
		})
	}
}
