package db

import (
	"fmt"
	"testing"

	"lunchgo/app/booking"
)

// dinersASlot is how many reservations a slot gets before a benchmark goes on with the next one.
const dinersASlot = 512

// BenchmarkServe serves runs of new diners in one slot after another. One operation is one turn.
func BenchmarkServe(b *testing.B) {
	for _, size := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("run=%d", size), func(b *testing.B) {
			h := setup(b)
			var diners []string
			slots := 0
			b.ResetTimer()
			for b.Loop() {
				if len(diners) < size {
					b.StopTimer()
					diners, slots = h.diners(b, dinersASlot, 0), slots+1
					b.StartTimer()
				}
				slot := h.slot(booking.TimeOfDay(fmt.Sprintf("%02d:%02d", slots/60%24, slots%60)))
				slot.Date = slot.Date.AddDays(slots / (24 * 60))
				var run []booking.Request
				for _, id := range diners[:size] {
					run = append(run, h.request(id, slot))
				}
				diners = diners[size:]
				if _, _, err := h.slots.Serve(b.Context(), h.turn(slot, 10*dinersASlot, 1), run); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
