package webtest

import (
	"strings"
	"testing"
	"time"

	"lunchgo/app/web/ops"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

func TestBoard_MovesWhenSomethingChanges(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	events, hangUp := r.stream(t, r.staff(t, r.restaurant.ID),
		views.EveningAddress{RestaurantID: r.restaurant.ID, Day: r.start(t, slot), Tab: views.TabSlots}.EventsURL())
	first, _ := nextEvent(t, events)
	if first.name != "evening" || !strings.Contains(first.data, ">0/10<") || strings.Contains(first.data, ">5/10<") {
		t.Errorf("first: %+v", first)
	}
	before := r.reads.Load()
	dbtest.Eventually(t, "it is read again and again", func() bool { return r.reads.Load() >= before+2 })
	select {
	case e := <-events:
		t.Errorf("nothing changed, and yet: %+v", e)
	default:
	}
	r.seat(t, r.diner(t, 0), slot, 5)
	awaitEvent(t, events, "evening", ">5/10<")
	release := r.rival(t, slot)
	defer release()
	awaitEvent(t, events, "evening", "hot")
	hangUp()
	dbtest.Eventually(t, "the stream is closed", func() bool { return r.gauge(t, ops.MetricStreams) == 0 })
}

func TestBoard_IsReadOnceForAll(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	path := views.EveningAddress{RestaurantID: r.restaurant.ID, Day: r.start(t, slot), Tab: views.TabSlots}.EventsURL()
	const viewers = 8
	hangUps := make([]func(), viewers)
	for i := range viewers {
		events, hangUp := r.stream(t, r.staff(t, r.restaurant.ID), path)
		nextEvent(t, events)
		hangUps[i] = hangUp
	}
	began, before := time.Now(), r.reads.Load()
	dbtest.Eventually(t, "the board was read five times more", func() bool { return r.reads.Load() >= before+5 })
	if took := time.Since(began); took < 3*time.Second { // the first may have begun before
		t.Errorf("five readings in %v for %d viewers, want one a second", took, viewers)
	}
	for _, hangUp := range hangUps {
		hangUp()
	}
	dbtest.Eventually(t, "nobody looks", func() bool { return r.gauge(t, ops.MetricStreams) == 0 })
}
