package webtest

import (
	"fmt"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// openRoom opens a restaurant with named seats in the place of the harness's: a counter of three, two tables for two
// that can be joined, and one for four that parties of three and more get. It returns their ids by their labels.
func (r *harness) openRoom(t testing.TB) map[string]int64 {
	t.Helper()
	place := r.restaurant
	place.Slug, place.Capacity = "salon", 11
	place.Floor = booking.Floor{Width: 700, Height: 300}
	for i, label := range []string{"C1", "C2", "C3", "T1", "T2", "T3"} {
		seat := booking.Seat{ID: int64(i + 1), Label: label, Kind: booking.CounterSeat, Places: 1,
			Area: booking.Area{X: 100 * i, Width: 60, Height: 60}}
		if i > 2 {
			seat.Kind, seat.Places = booking.TableSeat, []int{2, 2, 4}[i-3]
		}
		if i%3 > 0 && label != "T3" {
			seat.Partners = []int64{int64(i)}
		}
		place.Seats = append(place.Seats, seat)
	}
	place.Seats[5].MinParty = 3
	id, err := r.Stores.Seeds.PutRestaurant(t.Context(), place, r.menu)
	if err == nil {
		r.restaurant, err = r.Bookings.Catalog.FindRestaurant(t.Context(), id)
	}
	if err == nil {
		r.menu, err = r.Bookings.Catalog.ListMenu(t.Context(), id)
	}
	dbtest.Must(t, err)
	ids := map[string]int64{}
	for _, seat := range r.restaurant.Seats {
		ids[seat.Label] = seat.ID
	}
	return ids
}

// at returns a request for named seats.
func (r *harness) at(slot booking.SlotKey, party int, seats ...int64) map[string]any {
	body := r.requestFor(slot, party)
	body["seatIds"] = seats
	return body
}

// seatStates are what the API says of each seat in a slot, by label.
func (r *harness) seatStates(t *testing.T, slot booking.SlotKey) map[string]any {
	t.Helper()
	path := fmt.Sprintf("/api/restaurants/%d/seats?date=%s&time=%s", slot.RestaurantID, slot.Date, slot.Time)
	states := map[string]any{}
	for _, seat := range r.get(t, person{}, path).want(t, 200, "").list(t, "seats") {
		states[seat["label"].(string)] = seat["state"]
	}
	return states
}

// awaitSeat waits until the API says of a seat what it shall.
func (r *harness) awaitSeat(t *testing.T, slot booking.SlotKey, label string, state booking.SeatState) {
	t.Helper()
	dbtest.Eventually(t, fmt.Sprintf("seat %s is %s", label, state),
		func() bool { return r.seatStates(t, slot)[label] == string(state) })
}

func ids(a answer, member string) []int64 {
	var list []int64
	all, _ := a.json[member].([]any)
	for _, id := range all {
		list = append(list, int64(id.(float64)))
	}
	return list
}

func TestSeats_ChosenOnesAreReserved(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	who, rival := r.diner(t, 100_000), r.diner(t, 0)
	r.awaitSeat(t, slot, "C3", booking.SeatFree)

	made := r.press(t, who, "key-1", "wait=10", r.at(slot, 3, seats["C3"], seats["C1"], seats["C2"])).want(t, 201, "")
	if got := ids(made, "seatIds"); !slices.Equal(got, []int64{seats["C1"], seats["C2"], seats["C3"]}) {
		t.Errorf("made: %s", made.raw)
	}
	id := made.text(t, "id")
	again := r.press(t, who, "key-1", "wait=10", r.at(slot, 3, seats["C1"], seats["C2"], seats["C3"])).want(t, 201, "")
	if again.text(t, "id") != id {
		t.Errorf("the same request again: %s", again.raw)
	}
	r.press(t, who, "key-1", "wait=10", r.at(slot, 3, seats["T3"])).want(t, 422, "idempotency_key_reused")
	r.press(t, who, "key-1", "wait=10", r.requestFor(slot, 3)).want(t, 422, "idempotency_key_reused")
	r.awaitSeat(t, slot, "C3", booking.SeatHeld)

	refused := r.press(t, rival, "key-2", "wait=10", r.at(slot, 2, seats["C1"], seats["C2"])).want(t, 409, "seat_taken")
	if !slices.Equal(ids(refused, "takenSeatIds"), []int64{seats["C1"], seats["C2"]}) ||
		!slices.Equal(ids(refused, "otherSeatIds"), []int64{seats["T1"]}) ||
		len(refused.list(t, "alternatives")) == 0 {
		t.Errorf("refused: %s", refused.raw)
	}
	r.post(t, who, "/api/reservations/"+id+"/payment", "pay", map[string]any{"kind": "deposit"}).want(t, 200, "")
	r.awaitSeat(t, slot, "C3", booking.SeatTaken)
	r.delete(t, who, "/api/reservations/"+id).want(t, 200, "")
	if _, err := r.Bookings.Reservations.SettleRefunds(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	r.Availability.Changed(slot)
	r.awaitSeat(t, slot, "C3", booking.SeatFree)
	r.press(t, rival, "key-3", "wait=10", r.at(slot, 2, seats["C1"], seats["C2"])).want(t, 201, "")
	r.balances(t)
}

func TestSeats_WithoutAChoiceTheBestAreGiven(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	for i, c := range []struct {
		party int
		want  []int64
	}{
		{4, []int64{seats["T3"]}}, {2, []int64{seats["T1"]}}, {1, []int64{seats["C1"]}}, {2, []int64{seats["T2"]}}, {2, []int64{seats["C2"], seats["C3"]}},
	} {
		made := r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, c.party)).want(t, 201, "")
		if !slices.Equal(ids(made, "seatIds"), c.want) {
			t.Errorf("party %d of %d: %v, want %v", i, c.party, made.json["seatIds"], c.want)
		}
	}
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 1)).want(t, 409, "sold_out")
}

// Covers are left, but only seats apart: a party of two hears at once that there is nothing for it, and a single diner
// not.
func TestSeats_SoldOutForWhomNoneFit(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	for _, taken := range [][]int64{{seats["C2"]}, {seats["T1"]}, {seats["T2"]}} {
		party := r.restaurant.Seats.Places(taken)
		r.press(t, r.diner(t, 0), "key-1", "wait=10", r.at(slot, party, taken...)).want(t, 201, "")
	}
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.at(slot, 4, seats["T3"])).want(t, 201, "")
	r.awaitSeat(t, slot, "T3", booking.SeatHeld)
	refused := r.press(t, r.diner(t, 0), "key-1", "wait=0", r.requestFor(slot, 2)).want(t, 409, "sold_out")
	if refused.number(t, "remaining") != 1 {
		t.Errorf("refused: %s", refused.raw)
	}
	for party, state := range map[int]string{1: "open", 2: "sold_out"} {
		path := fmt.Sprintf("/api/restaurants/%d/slots?date=%s&partySize=%d", slot.RestaurantID, slot.Date, party)
		for _, s := range r.get(t, person{}, path).list(t, "slots") {
			if s["time"] == string(slot.Time) && s["state"] != state {
				t.Errorf("for a party of %d: %v", party, s)
			}
		}
	}
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 1)).want(t, 201, "")
}

func TestSeats_Nonsense(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, seats := r.slot("19:00"), r.openRoom(t)
	slot := r.slot("19:00")
	for name, c := range map[string]struct {
		body map[string]any
		want string
	}{
		"unknown":                    {r.at(slot, 2, 999_999), "422 invalid seatIds[0] unknown"},
		"below zero":                 {r.at(slot, 2, -1), "422 invalid seatIds[0] unknown"},
		"twice":                      {r.at(slot, 4, seats["T1"], seats["T1"]), "422 invalid seatIds[1] duplicate"},
		"too small":                  {r.at(slot, 3, seats["T1"]), "422 invalid seatIds seats_too_small"},
		"apart":                      {r.at(slot, 2, seats["C1"], seats["C3"]), "422 invalid seatIds seats_apart"},
		"a counter and a table":      {r.at(slot, 3, seats["C1"], seats["T1"]), "422 invalid seatIds seats_apart"},
		"too many":                   {r.at(slot, 2, seats["T1"], seats["T2"]), "422 invalid seatIds seats_too_many"},
		"for larger parties":         {r.at(slot, 2, seats["T3"]), "422 invalid seatIds seats_for_larger"},
		"21 of them":                 {r.at(slot, 2, make([]int64, 21)...), "422 invalid seatIds too_many"},
		"where none are named":       {r.at(other, 2, seats["T1"]), "422 invalid seatIds no_seat_map"},
		"words":                      {map[string]any{"seatIds": "C1"}, "400 bad_request seatIds wrong_type"},
		"halves":                     {map[string]any{"seatIds": []float64{1.5}}, "400 bad_request seatIds wrong_type"},
		"nothing, which is a choice": {r.at(slot, 0), "422 invalid partySize out_of_range"},
	} {
		t.Run(name, func(t *testing.T) {
			a := r.press(t, r.diner(t, 0), "key-1", "wait=0", c.body)
			got := fmt.Sprint(a.status, " ", a.json["code"])
			for _, f := range a.list(t, "fields")[:1] {
				got += fmt.Sprint(" ", f["name"], " ", f["reason"])
			}
			if got != c.want {
				t.Errorf("%s, want %s: %s", got, c.want, a.raw)
			}
		})
	}
	r.nothingStored(t)
	for path, want := range map[string]string{
		"/api/restaurants/999999/seats?date=2026-12-24&time=19:00": "404 not_found",
		"/api/restaurants/x/seats?date=2026-12-24&time=19:00":      "404 not_found",
		"/api/restaurants/%d/seats?time=19:00":                     "422 invalid",
		"/api/restaurants/%d/seats?date=2026-12-24":                "422 invalid",
		"/api/restaurants/%d/seats?date=2026-02-30&time=19:00":     "422 invalid",
		"/api/restaurants/%d/seats?date=2026-12-24&time=25:00":     "422 invalid",
		"/api/restaurants/%d/seats?date=2026-12-24&time=03:00":     "422 invalid",
	} {
		if slices.Contains([]byte(path), '%') {
			path = fmt.Sprintf(path, r.restaurant.ID)
		}
		if a := r.get(t, person{}, path); fmt.Sprint(a.status, " ", a.json["code"]) != want {
			t.Errorf("%s: %s, want %s", path, a.raw, want)
		}
	}
}
