package db_test

import (
	"fmt"
	"testing"

	"lunchgo/app/booking"
)

// BenchmarkServeSeats serves single diners in a hall with 64 named seats, slot after slot, until each is full: those
// who choose a seat each, and those who are given one. One operation is one turn.
func BenchmarkServeSeats(b *testing.B) {
	const seats = 64
	for _, size := range []int{1, 64} {
		for _, choice := range []string{"chosen", "given"} {
			b.Run(fmt.Sprintf("run=%d/%s", size, choice), func(b *testing.B) {
				h := setup(b)
				ids := h.openHall(b, seats)
				var diners []string
				slots := 0
				for b.Loop() {
					if len(diners) == 0 {
						b.StopTimer()
						diners, slots = h.Diners(b, seats, 0), slots+1
						b.StartTimer()
					}
					slot := h.Slot(booking.TimeOfDay(fmt.Sprintf("%02d:%02d", slots/60%24, slots%60)))
					slot.Date = slot.Date.AddDays(slots / (24 * 60))
					var run []booking.Request
					for i, id := range diners[:size] {
						req := h.Request(id, slot)
						if req.PartySize = 1; choice == "chosen" {
							req.SeatIDs = []int64{ids[seats-len(diners)+i]}
						}
						run = append(run, req)
					}
					diners = diners[size:]
					outcomes, _, err := h.Slots.Serve(b.Context(), h.Turn(slot, seats, 1), run)
					if err != nil || !outcomes[size-1].Reserves() {
						b.Fatal(outcomes, err)
					}
				}
				b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "requests/s")
			})
		}
	}
}
