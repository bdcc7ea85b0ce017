package db

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

// BenchmarkPooler compares what the product does all the time on a server of its own and behind a PgBouncer.
func BenchmarkPooler(b *testing.B) {
	address := dbtest.Template(b, "schema", migrated)
	for name, way := range map[string]string{
		"direct": address, "pgbouncer": dbtest.PgBouncer(b, address, "pool_mode = transaction", "default_pool_size = 10").URL,
	} {
		db, err := Open(b.Context(), pg.Config{URL: way})
		dbtest.Must(b, err)
		h := newHarness(db, way)
		restaurant := testRestaurant()
		restaurant.Slug = name
		h.open(b, restaurant)
		b.Run("read/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := h.catalog.FindRestaurant(b.Context(), h.restaurant.ID); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, size := range []int{1, 64} {
			b.Run(map[int]string{1: "turn of 1/", 64: "turn of 64/"}[size]+name, func(b *testing.B) {
				serveFull(b, h, size)
			})
		}
		b.Cleanup(func() { _ = db.Close() })
	}
}

// serveFull serves turns of diners who reserve, each in a slot of their own.
func serveFull(b *testing.B, h *harness, size int) {
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		slot := h.slot("19:00")
		slot.Date = booking.Date("2041-01-01").AddDays(i)
		diners := h.diners(b, size, 0)
		run := make([]booking.Request, size)
		for j := range run {
			run[j] = h.request(diners[j], slot)
		}
		b.StartTimer()
		if _, _, err := h.slots.Serve(b.Context(), h.turn(slot, 1_000, 1), run); err != nil {
			b.Fatal(err)
		}
	}
}
