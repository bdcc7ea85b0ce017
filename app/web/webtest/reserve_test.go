package webtest

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
)

// requestFor returns the body of a request for seats.
func (r *harness) requestFor(slot booking.SlotKey, party int) map[string]any {
	return map[string]any{"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": party}
}

// press sends a request for seats. prefer says how long the server may take to answer.
func (r *harness) press(t *testing.T, who person, key, prefer string, body map[string]any) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPost, path: "/api/reservations", as: who, body: body,
		headers: map[string]string{"Idempotency-Key": key, "Prefer": prefer}})
}

func TestPress_MakesAReservation(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	body := r.requestFor(r.slot("19:00"), 3)
	body["items"] = []map[string]any{{"menuItemId": r.menu[1].ID, "quantity": 1},
		{"menuItemId": r.menu[0].ID, "quantity": 2}, {"menuItemId": r.menu[1].ID, "quantity": 2}}
	body["note"], body["allergies"] = "<script>alert(1)</script> 🍜", "땅콩"
	body["seatIds"], body["couponId"], body["somethingNew"] = []int{}, nil, true

	made := r.press(t, who, "key-1", "wait=10", body).want(t, 201, "")
	if made.text(t, "state") != "temporary" || made.number(t, "depositAmount") != 30_000 ||
		made.number(t, "menuAmount") != 79_000 {
		t.Errorf("made: %s", made.raw)
	}
	if made.text(t, "note") != body["note"] || made.text(t, "allergies") != "땅콩" ||
		made.text(t, "holdExpiresAt") == "" {
		t.Errorf("made: %s", made.raw)
	}
	items := made.list(t, "items")
	if len(items) != 2 || items[1]["quantity"] != 3.0 || items[0]["name"] != "갈비찜" {
		t.Errorf("items: %v", items)
	}
	id := made.text(t, "id")
	if made.header.Get("Location") != "/api/reservations/"+id || made.header.Get("Idempotent-Replayed") != "" ||
		made.header.Get("Preference-Applied") != "wait=10" {
		t.Errorf("headers: %v", made.header)
	}
	found := r.get(t, who, "/api/reservations/"+id).want(t, 200, "")
	if string(found.raw) != string(made.raw) {
		t.Errorf("found %s\nmade %s", found.raw, made.raw)
	}
	if own := r.get(t, who, "/api/reservations").list(t, "reservations"); len(own) != 1 || own[0]["id"] != id {
		t.Errorf("own: %v", own)
	}
}

func TestPress_RepeatIsTheSamePress(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	body := r.requestFor(r.slot("19:00"), 2)
	first := r.press(t, who, "key-1", "wait=10", body).want(t, 201, "")
	again := r.press(t, who, "key-1", "wait=10", body).want(t, 201, "")
	if again.text(t, "id") != first.text(t, "id") || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %s %v", again.raw, again.header)
	}
	other := r.requestFor(r.slot("19:00"), 3)
	r.press(t, who, "key-1", "wait=10", other).want(t, 422, "idempotency_key_reused")
	elsewhere := r.requestFor(r.slot("20:00"), 2)
	r.press(t, who, "key-1", "wait=10", elsewhere).want(t, 422, "idempotency_key_reused")
	duplicate := r.press(t, who, "key-2", "wait=10", body).want(t, 409, "duplicate")
	if duplicate.text(t, "reservationId") != first.text(t, "id") {
		t.Errorf("duplicate of %s: %s", first.text(t, "id"), duplicate.raw)
	}
	// Keys belong to a person.
	r.press(t, r.diner(t, 0), "key-1", "wait=10", body).want(t, 201, "")
}

func TestPress_WithoutRoomNamesAlternatives(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.seat(t, r.diner(t, 0), slot, 8)
	a := r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 3)).want(t, 409, "sold_out")
	if a.number(t, "remaining") != 2 || a.number(t, "onHold") != 8 {
		t.Errorf("sold out: %s", a.raw)
	}
	near := a.list(t, "alternatives")
	if len(near) != 4 || near[0]["date"] != string(slot.Date) || near[0]["state"] != "open" ||
		near[0]["time"] == "19:00" {
		t.Errorf("alternatives: %v", near)
	}
	// Once the cache knows, the refusal costs no place in the line and says the same.
	dbtest.Eventually(t, "the cache knows", func() bool {
		o, err := r.Availability.List(t.Context(), slot.RestaurantID, slot.Date)
		return err == nil && o[slot.Time].Held == 8
	})
	cached := r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 3)).want(t, 409, "sold_out")
	if cached.number(t, "remaining") != 2 || len(cached.list(t, "alternatives")) != 4 {
		t.Errorf("from the cache: %s", cached.raw)
	}
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 2)).want(t, 201, "")
}

func TestPress_OnAClosedSlot(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host, err := r.Bookings.Staff(t.Context(), r.staff(t, r.restaurant.ID).id, r.restaurant.ID)
	if err == nil {
		closed := true
		_, err = r.Bookings.ChangeSlot(t.Context(), host, slot, reserve.SlotChange{Closed: &closed}, false)
	}
	dbtest.Must(t, err)
	a := r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 2)).want(t, 409, "closed")
	if len(a.list(t, "alternatives")) != 4 {
		t.Errorf("closed: %s", a.raw)
	}
}

func TestPress_WaitsBehindARival(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	who, body := r.diner(t, 0), r.requestFor(slot, 2)

	a := r.press(t, who, "key-1", "wait=0", body).want(t, 429, "waiting")
	ticket := a.text(t, "ticket")
	if a.number(t, "position") != 1 || a.number(t, "waitingCount") != 1 || a.number(t, "estimatedSeconds") < 1 {
		t.Errorf("waiting: %s", a.raw)
	}
	if after, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || after < 1 || after > 5 {
		t.Errorf("Retry-After: %q", a.header.Get("Retry-After"))
	}
	if !strings.HasSuffix(a.header.Get("Location"), ticket) {
		t.Errorf("Location: %q", a.header.Get("Location"))
	}
	behind := r.press(t, r.diner(t, 0), "key-1", "respond-async", body).want(t, 202, "")
	if behind.number(t, "position") != 2 || behind.text(t, "state") != "waiting" ||
		behind.header.Get("Location") != "/api/tickets/"+behind.text(t, "ticket") {
		t.Errorf("behind: %s %v", behind.raw, behind.header)
	}
	// A repeat keeps the place; another key of the same person is "in progress".
	if again := r.press(t, who, "key-1", "wait=0", body).want(t, 429, "waiting"); again.text(t, "ticket") != ticket ||
		again.number(t, "position") != 1 {
		t.Errorf("again: %s", again.raw)
	}
	r.press(t, who, "key-2", "wait=0", body).want(t, 409, "in_progress")
	r.press(t, who, "key-1", "wait=0", r.requestFor(slot, 3)).want(t, 422, "idempotency_key_reused")
	if own := r.get(t, who, "/api/reservations").list(t, "reservations"); len(own) != 0 {
		t.Errorf("reservations while waiting: %v", own)
	}

	release()
	made := r.press(t, who, "key-1", "wait=20", body).want(t, 201, "")
	dbtest.Eventually(t, "the one behind is served too", func() bool {
		now := r.get(t, person{}, "/healthz")
		return now.status == 200 && r.seats(t, slot) == 4
	})
	if made.number(t, "partySize") != 2 {
		t.Errorf("made: %s", made.raw)
	}
}

// seats is how many are held of a slot.
func (r *harness) seats(t *testing.T, slot booking.SlotKey) int {
	t.Helper()
	known, err := r.Stores.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	dbtest.Must(t, err)
	return known[slot].Held
}

func TestPress_TooManyLines(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	for i, at := range []booking.TimeOfDay{"15:00", "16:00", "17:00", "18:00", "19:00"} {
		defer r.rival(t, r.slot(at))()
		r.press(t, who, "key-"+strconv.Itoa(i), "wait=0", r.requestFor(r.slot(at), 2)).want(t, 429, "waiting")
	}
	a := r.press(t, who, "key-6", "wait=0", r.requestFor(r.slot("20:00"), 2)).want(t, 429, "too_many_lines")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestPress_RepeatThatRedisHasForgotten(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	body := r.requestFor(r.slot("19:00"), 2)
	body["items"] = []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 2}}
	first := r.press(t, who, "key-1", "wait=10", body).want(t, 201, "")
	forget := func() {
		keys, err := r.Redis.Keys(t.Context(), r.Setup.Config.Prefix+"*").Result()
		if err != nil || len(keys) == 0 {
			t.Fatal(keys, err)
		}
		dbtest.Must(t, r.Redis.Del(t.Context(), keys...).Err())
	}
	forget()
	if again := r.press(t, who, "key-1", "wait=10", body).want(t, 201, ""); again.text(t, "id") != first.text(t, "id") {
		t.Errorf("again: %s", again.raw)
	}
	forget()
	body["items"] = []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 1}}
	r.press(t, who, "key-1", "wait=10", body).want(t, 422, "idempotency_key_reused")
	if own := r.get(t, who, "/api/reservations").list(t, "reservations"); len(own) != 1 {
		t.Errorf("own: %v", own)
	}
}

func TestPress_RepeatAfterTheSlotCloses(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	who, body := r.diner(t, 0), r.requestFor(slot, 2)
	r.press(t, who, "key-1", "wait=0", body).want(t, 429, "waiting")
	start := r.start(t, slot)
	r.clock.Store(&start) // the slot begins

	ticket := r.press(t, who, "key-1", "wait=0", body).want(t, 429, "waiting").text(t, "ticket")
	r.press(t, who, "key-1", "wait=0", r.requestFor(slot, 3)).want(t, 422, "invalid")
	r.press(t, who, "key-2", "wait=0", body).want(t, 422, "invalid")
	r.press(t, r.diner(t, 0), "key-1", "wait=0", body).want(t, 422, "invalid")
	release()
	made := r.press(t, who, "key-1", "wait=20", body).want(t, 201, "")
	if done := r.get(t, who, "/api/tickets/"+ticket).want(t, 200, ""); done.text(t, "reservationId") != made.text(t,
		"id") {
		t.Errorf("the ticket got %s, the press %s", done.raw, made.raw)
	}
}
