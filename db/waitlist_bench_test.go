package db_test

import (
	"fmt"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest/measured"
)

var offersSizes = map[string]int{"tables that come free": 5, "waiting parties": 20}

// BenchmarkOffers makes the offers of a slot in which five tables have come free and twenty parties wait.
func BenchmarkOffers(b *testing.B) {
	h := setup(b)
	slots := 0
	for b.Loop() {
		b.StopTimer()
		w := newWaitlist(b, h, booking.TimeOfDay(fmt.Sprintf("%02d:%02d", slots/60, slots%60)))
		for range offersSizes["waiting parties"] {
			w.join(b, 2)
		}
		for n := range w.held {
			w.cancel(b, n)
		}
		slots++
		b.StartTimer()
		w.offer(b)
	}
	measured.Log(b, "offers", offersSizes,
		map[string]float64{"offers a second": float64(5*slots) / b.Elapsed().Seconds()})
}
