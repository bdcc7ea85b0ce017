package availability

import (
	"context"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// stored returns how many seats of a slot are held according to Redis; -1 if it does not know.
func (h *harness) stored(c *Cache, at booking.TimeOfDay) int {
	h.t.Helper()
	raw, err := c.read(h.t.Context(), day{1, xmas})
	if err != nil {
		h.t.Fatal(err)
	}
	slots, err := decode(raw)
	if err != nil {
		h.t.Fatal(err)
	}
	if o, ok := slots[at]; ok {
		return o.Held
	}
	return -1
}

// After a turn only its slots are read and stored; all processes see them, and those that are full are called back for.
func TestServed_ReadsTheSlotsOfTheTurn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.source.set(at19, 2)
	h.source.set(at20, 3)
	full := make(chan booking.SlotKey, 1)
	c, other := h.cache(func(_ context.Context, slot booking.SlotKey, _ booking.Occupancy) { full <- slot }), h.cache(nil)
	if held(t, c, at19) != 2 || held(t, other, at19) != 2 {
		t.Fatal("the first reading is wrong")
	}
	whole, life := h.source.reads.Load(), h.rdb.PTTL(t.Context(), c.key(day{1, xmas})).Val()
	h.source.set(at19, 20)
	h.source.set(at20, 5)
	c.Served([]booking.SlotKey{slot})
	dbtest.Eventually(t, "both see the turn", func() bool { return held(t, c, at19) == 20 && held(t, other, at19) == 20 })
	if got := h.stored(c, at20); got != 3 || h.source.reads.Load() != whole || h.source.some.Load() != 1 {
		t.Errorf("the whole day was read: the other slot has %d held, %d readings", got, h.source.reads.Load())
	}
	if got := <-full; got != slot {
		t.Errorf("called for %v", got)
	}
	if now := h.rdb.PTTL(t.Context(), c.key(day{1, xmas})).Val(); now > life {
		t.Errorf("the day lives for %v, and before for %v: a lost write would be seen for ever", now, life)
	}
}

// The whole day is read where Redis does not have it, where somebody waits for seats in a slot of the turn, where
// somebody waited in any slot when the day was read, and where all of it was to be read anyway.
func TestServed_ReadsTheDay(t *testing.T) {
	t.Parallel()
	none := func() {}
	for name, prepare := range map[string]func(h *harness, c *Cache) (served func()){
		"Redis does not have it": func(h *harness, c *Cache) func() {
			h.rdb.Del(t.Context(), c.key(day{1, xmas}))
			return none
		},
		"somebody waits": func(h *harness, _ *Cache) func() {
			h.source.wait(at19)
			return none
		},
		"somebody waited": func(h *harness, c *Cache) func() {
			c.Changed(h.source.wait(at20))
			dbtest.Eventually(t, "it is stored", func() bool {
				return h.rdb.HGet(t.Context(), c.key(day{1, xmas}), string(at20)).Val() != "" &&
					h.source.reads.Load() == 2
			})
			return none
		},
		"a change elsewhere": func(h *harness, c *Cache) func() {
			release := h.source.holdNext()
			c.Changed(h.source.set("21:00", 1))
			dbtest.Eventually(t, "a reading is under way", func() bool { return h.source.reads.Load() == 2 })
			c.Changed(h.source.set("21:00", 2)) // asks for another
			return func() { close(release) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			slot := h.source.set(at19, 2)
			h.source.set(at20, 3)
			c := h.cache(nil)
			held(t, c, at19)
			served := prepare(h, c)
			h.source.set(at20, 5)
			h.source.set(at19, 4)
			c.Served([]booking.SlotKey{slot})
			served()
			dbtest.Eventually(t, "all of the day is stored",
				func() bool { return h.stored(c, at19) == 4 && h.stored(c, at20) == 5 })
		})
	}
}
