package webtest

import (
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
)

// markOf is where Redis says since when it has kept its data.
func (r *harness) markOf() string { return r.Setup.Config.Prefix + "{epoch:0}" }

// loseAll loses all that Redis has. With hidden, Redis says that nothing is lost: the negative control.
func (r *harness) loseAll(t *testing.T, hidden bool) {
	t.Helper()
	mark := r.Redis.Get(t.Context(), r.markOf()).Val()
	if !strings.HasSuffix(mark, " 1") {
		t.Fatalf("the mark of a new installation is %q", mark)
	}
	pipe := r.Redis.TxPipeline()
	pipe.FlushAll(t.Context())
	if hidden {
		pipe.Set(t.Context(), r.markOf(), mark, 0)
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// losses runs a test with a loss, and its control with a loss that is hidden.
func losses(t *testing.T, test func(t *testing.T, r *harness, lose func(), hidden bool)) {
	t.Helper()
	for name, hidden := range map[string]bool{"noticed": false, "control: hidden": true} { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newHarnessWith(t, programtest.Setup{Redis: dbtest.PrivateRedisURL(t)})
			test(t, r, func() { r.loseAll(t, hidden) }, hidden)
		})
	}
}

// untilSoldOut waits until the cache knows that a slot has no seats left.
func (r *harness) untilSoldOut(t *testing.T, slot booking.SlotKey) {
	t.Helper()
	dbtest.Eventually(t, "the cache knows that the slot is sold out", func() bool {
		day, err := r.Availability.List(t.Context(), slot.RestaurantID, slot.Date)
		return err == nil && day[slot.Time].Remaining() == 0
	})
}

// A diner's repeat at another instance finds the reservation after Redis has lost everything; another diner
// reads that all seats are gone.
func TestPress_ARepeatFindsWhatItMadeAfterALoss(t *testing.T) {
	t.Parallel()
	losses(t, func(t *testing.T, r *harness, lose func(), hidden bool) {
		slot, ann := r.slot("19:00"), r.diner(t, 0)
		request := r.requestFor(slot, 5)
		made := r.press(t, ann, "key-1", "wait=10", request).want(t, 201, "")
		r.press(t, r.diner(t, 0), "key-1", "wait=10", request).want(t, 201, "")
		r.untilSoldOut(t, slot)
		twin := r.twin(t)
		lose()
		r.untilSoldOut(t, slot)
		if hidden {
			twin.press(t, ann, "key-1", "wait=10", request).want(t, 409, "sold_out")
			return
		}
		for _, at := range []*harness{twin, r} {
			again := at.press(t, ann, "key-1", "wait=10", request).want(t, 201, "")
			if again.text(t, "id") != made.text(t, "id") {
				t.Errorf("the repeat found %s, not %s", again.raw, made.raw)
			}
			at.press(t, ann, "key-2", "wait=10", request).want(t, 409, "sold_out")
			at.press(t, ann, "key-1", "wait=10", r.requestFor(slot, 6)).want(t, 422, "idempotency_key_reused")
		}
		twin.press(t, r.diner(t, 0), "key-1", "wait=10", request).want(t, 409, "sold_out")
		r.balances(t)
	})
}

// A slot that begins too soon by now refuses nobody who has a reservation there.
func TestPress_ALateRepeatFindsWhatItMadeAfterALoss(t *testing.T) {
	t.Parallel()
	losses(t, func(t *testing.T, r *harness, lose func(), hidden bool) {
		slot, ann := r.slot("19:00"), r.diner(t, 0)
		request := r.requestFor(slot, 2)
		request["note"], request["items"] = "창가", []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 1}}
		made := r.press(t, ann, "key-1", "wait=10", request).want(t, 201, "")
		start, err := r.restaurant.Start(slot.Date, slot.Time)
		dbtest.Must(t, err)
		r.clock.Store(&start)
		lose()
		again := r.press(t, ann, "key-1", "wait=10", request)
		if found := again.status == 201 && again.text(t, "id") == made.text(t, "id"); found == hidden {
			t.Errorf("the repeat was answered %d %s", again.status, again.raw)
		}
		request["note"] = "문가"
		if other := r.press(t, ann, "key-1", "wait=10", request); other.status == 201 {
			t.Errorf("another request under the key was answered %s", other.raw)
		}
	})
}

func TestTicket_IsFoundAfterALoss(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Redis: dbtest.PrivateRedisURL(t)})
	slot, ann := r.slot("19:00"), r.diner(t, 0)
	release := r.rival(t, slot)
	ticket := r.line(t, ann, slot)
	release()
	if got := r.ended(t, ann, ticket); got.state != "reserved" {
		t.Fatalf("ann is %s", got.state)
	}
	twin := r.twin(t)
	r.loseAll(t, false)
	if state := twin.get(t, ann, "/api/tickets/"+ticket).want(t, 200, "").text(t, "state"); state != "reserved" {
		t.Errorf("the ticket is %s", state)
	}
}

// Who has a coupon does not read that all are gone.
func TestClaim_ARepeatFindsWhatItMadeAfterALoss(t *testing.T) {
	t.Parallel()
	losses(t, func(t *testing.T, r *harness, lose func(), hidden bool) {
		campaign, ann := r.campaign(t, "one", 1, 0), r.diner(t, 0)
		made := r.claim(t, ann, campaign, "key-1", "wait=10").want(t, 201, "")
		twin := r.twin(t)
		lose()
		again := twin.claim(t, ann, campaign, "key-1", "wait=10")
		if found := again.status == 201 && again.text(t, "id") == made.text(t, "id"); found == hidden {
			t.Errorf("the repeat was answered %d %s", again.status, again.raw)
		}
		twin.claim(t, r.diner(t, 0), campaign, "key-1", "wait=10").want(t, 409, "sold_out")
	})
}

// What staff booked under a key for a guest is found as well, and no diner's under the same key.
func TestGuests_ARepeatFindsWhatItMadeAfterALoss(t *testing.T) {
	t.Parallel()
	losses(t, func(t *testing.T, r *harness, lose func(), hidden bool) {
		slot, host := r.slot("19:00"), r.staff(t, r.restaurant.ID)
		body := byPhone(slot, 5, map[string]any{"note": "창가"})
		made := r.book(t, host, "key-1", "wait=10", body).want(t, 201, "")
		r.press(t, host, "key-2", "wait=10", r.requestFor(slot, 5)).want(t, 201, "")
		r.untilSoldOut(t, slot)
		twin := r.twin(t)
		lose()
		r.untilSoldOut(t, slot)
		again := twin.book(t, host, "key-1", "wait=10", body)
		if found := again.status == 201 && again.text(t, "id") == made.text(t, "id"); found == hidden {
			t.Errorf("the repeat was answered %d %s", again.status, again.raw)
		}
		twin.book(t, host, "key-2", "wait=10", body).want(t, 409, "sold_out")
		r.balances(t)
	})
}

// A crowd that is refused after a loss is looked for in the database together.
func TestPress_ACrowdCostsFewStatementsAfterALoss(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Redis: dbtest.PrivateRedisURL(t)})
	slot := r.slot("19:00")
	for range 2 {
		r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 5)).want(t, 201, "")
	}
	crowd := r.crowd(t, 301)
	r.loseAll(t, false)
	r.untilSoldOut(t, slot)
	r.refusals(t, crowd[:1], slot)
	database := r.countStatements(t)
	database.settle(t)
	r.refusals(t, crowd[1:], slot)
	calls, texts := database.taken(t)
	if calls == 0 || calls > len(crowd)/2 {
		t.Errorf("%d statements for %d refusals: %s", calls, len(crowd)-1, texts)
	}
	t.Logf("%d statements for %d refusals", calls, len(crowd)-1)
}
