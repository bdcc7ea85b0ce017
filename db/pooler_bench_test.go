package db_test

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// BenchmarkPooler compares what the product does all the time on a server of its own and behind a PgBouncer.
func BenchmarkPooler(b *testing.B) {
	address := tables.Database(b)
	for name, way := range map[string]string{
		"direct": address, "pgbouncer": dbtest.PgBouncer(b, address, "pool_mode = transaction", "default_pool_size = 10").URL,
	} {
		pool, err := db.Open(b.Context(), pg.Config{URL: way})
		dbtest.Must(b, err)
		h := newHarness(pool, way)
		restaurant := testkit.Restaurant()
		restaurant.Slug = name
		h.Open(b, restaurant)
		b.Run("read/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := h.Catalog.FindRestaurant(b.Context(), h.Restaurant.ID); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, size := range []int{1, 64} {
			b.Run(map[int]string{1: "turn of 1/", 64: "turn of 64/"}[size]+name, func(b *testing.B) {
				serveFull(b, h, size)
			})
		}
		b.Cleanup(func() { _ = pool.Close() })
	}
}

// serveFull serves turns of diners who reserve, each in a slot of their own.
func serveFull(b *testing.B, h *harness, size int) {
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		slot := h.Slot("19:00")
		slot.Date = booking.Date("2041-01-01").AddDays(i)
		diners := h.Diners(b, size, 0)
		run := make([]booking.Request, size)
		for j := range run {
			run[j] = h.Request(diners[j], slot)
		}
		b.StartTimer()
		if _, _, err := h.Slots.Serve(b.Context(), h.Turn(slot, 1_000, 1), run); err != nil {
			b.Fatal(err)
		}
	}
}
