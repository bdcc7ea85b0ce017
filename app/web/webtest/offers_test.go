package webtest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// openTavern opens a restaurant with eighteen places in the place of the harness's: a counter of eight, a table for
// two, and two tables for four that can be joined. Slots follow every half hour, and everybody stays for an hour. It
// returns the ids of its seats by their labels.
func (r *harness) openTavern(t testing.TB) map[string]int64 {
	t.Helper()
	place := r.restaurant
	place.Slug, place.Capacity, place.SlotMinutes, place.Seats = "tavern", 18, 30, nil
	place.StayTiers = []booking.StayTier{{FromParty: 1, Slots: 2}}
	place.Floor = booking.Floor{Width: 1_200, Height: 300}
	for i, label := range []string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "T1", "T2", "T3"} {
		seat := booking.Seat{ID: int64(i + 1), Label: label, Kind: booking.CounterSeat, Places: 1,
			Area: booking.Area{X: 100 * i, Width: 60, Height: 60}}
		if i > 7 {
			seat.Kind, seat.Places = booking.TableSeat, []int{2, 4, 4}[i-8]
		}
		if i > 0 && i < 8 || label == "T3" {
			seat.Partners = []int64{int64(i)}
		}
		place.Seats = append(place.Seats, seat)
	}
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

// seatAlone has somebody sit on each seat, alone, so that all tables are taken and seven covers are left.
func (r *harness) seatAlone(t *testing.T, host person, slot booking.SlotKey, seats map[string]int64) {
	t.Helper()
	for label, id := range seats {
		r.book(t, host, "fill-"+label, "wait=20", byPhone(slot, 1,
			map[string]any{"seatIds": []int64{id}, "name": "손님 " + label})).want(t, 201, "")
	}
}

// slotAt is what the API says of a slot to a party.
func (r *harness) slotAt(t *testing.T, slot booking.SlotKey, party int) map[string]any {
	t.Helper()
	path := fmt.Sprintf("/api/restaurants/%d/slots?date=%s&partySize=%d", slot.RestaurantID, slot.Date, party)
	for _, s := range r.get(t, person{}, path).want(t, 200, "").list(t, "slots") {
		if s["time"] == string(slot.Time) {
			return s
		}
	}
	t.Fatalf("no slot %v", slot)
	return nil
}

// With all seats taken at ten, no list counts covers that nobody can have: not the diner's, not for the slot before,
// whose stay reaches into it, and not that of staff.
func TestOffers_OfTablesNotOfCovers(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats := r.openTavern(t)
	host, ten := r.staff(t, r.restaurant.ID), r.slot("10:00")
	if s := r.slotAt(t, ten, 2); s["state"] != "open" || s["remaining"] != 18.0 || s["fits"] != 7.0 {
		t.Errorf("with all free: %v", s)
	}
	if s := r.slotAt(t, ten, 7); s["state"] != "open" || s["fits"] != 2.0 { // at the tables, then at the counter
		t.Errorf("with all free, for seven: %v", s)
	}
	r.seatAlone(t, host, ten, seats)
	dbtest.Eventually(t, "the slot is sold out", func() bool { return r.slotAt(t, ten, 1)["state"] == "sold_out" })
	for at, state := range map[booking.TimeOfDay]string{"09:00": "open", "09:30": "sold_out", "10:00": "sold_out",
		"10:30": "sold_out", "11:00": "open"} {
		s := r.slotAt(t, r.slot(at), 2)
		if s["state"] != state || state != "open" && (s["remaining"] != 0.0 || s["fits"] != 0.0) {
			t.Errorf("%s: %v, want %s", at, s, state)
		}
		pressed := r.press(t, r.diner(t, 0), "key-"+string(at), "wait=20", r.requestFor(r.slot(at), 2))
		if got := pressed.status == 201; got != (state == "open") {
			t.Errorf("%s is %s: %s", at, state, pressed.raw)
		}
		if pressed.status == 409 && pressed.number(t, "remaining") != 0 {
			t.Errorf("%s was refused with %s", at, pressed.raw)
		}
	}
	chosen := r.page(t, r.diner(t, 0), views.RestaurantURL(r.restaurant.Slug)+"?date="+string(ten.Date)+"&party=2")
	chosen.is(t, 200).hasNot(t, "11석", "7석")
	r.page(t, host, views.StaffSlotURL(r.restaurant.ID, r.start(t, ten))).is(t, 200).hasNot(t, "<dd>7</dd>")
	form := r.page(t, host, views.StaffBookURL(r.restaurant.ID, r.start(t, ten))).is(t, 200)
	form.has(t, "오전 9:30 · 오전 10:00까지", "오전 10:00 · 자리 없음", "오전 11:00 · ").hasNot(t, "오전 10:00 · 7석")
	for _, s := range r.get(t, host, fmt.Sprintf("/api/staff/restaurants/%d/evening?date=%s", r.restaurant.ID,
		ten.Date)).want(t, 200, "").list(t, "slots") {
		if s["time"] == "10:00" && (s["state"] != "sold_out" || s["seatsLeft"] != 0.0 || s["remaining"] != 7.0) {
			t.Errorf("the evening says %v", s)
		}
	}
	seen := r.steer(t, host, slotPath(ten)+"?preview=true", map[string]any{"capacity": 20}).want(t, 200, "")
	if s := seen.json["slot"].(map[string]any); s["remaining"] != 9.0 || s["seatsLeft"] != 0.0 {
		t.Errorf("more covers without more tables: %v", s)
	}
}

// A walk-in whom the next slot leaves no table is refused, sees who has each seat during the whole stay, and is offered
// times only that then work.
func TestOffers_ToAWalkInWork(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats := r.openTavern(t)
	host := r.staff(t, r.restaurant.ID)
	zone := r.restaurant.Location
	if left := time.Until(time.Now().Truncate(30 * time.Minute).Add(30 * time.Minute)); left < 20*time.Second {
		<-time.After(left) // the slot would be over before the test is
	}
	began := time.Now().In(zone).Truncate(30 * time.Minute)
	slot := func(n int) booking.SlotKey {
		at := began.Add(time.Duration(n) * 30 * time.Minute)
		return booking.SlotKey{RestaurantID: r.restaurant.ID, Date: booking.DateOf(at, zone),
			Time: booking.TimeOfDay(at.Format("15:04"))}
	}
	r.seatAlone(t, host, slot(1), seats)
	now := slot(0)
	form := r.page(t, host, views.StaffBookWalkInURL(r.restaurant.ID, began)).is(t, 200)
	form.has(t, "손님 T3", `name="end_time"`)
	if taken := strings.Count(string(form.raw), "seat-box-taken"); taken != len(seats) {
		t.Errorf("%d seats are shown as taken: %s", taken, form.raw)
	}
	sent := url.Values{"idempotency_key": {formKey(t, form)}, "source": {"walk_in"}, "date": {string(now.Date)},
		"time": {string(now.Time)}, "party": {"2"}, views.FieldSeat: {fmt.Sprint(seats["T1"])}}
	path := views.StaffBookURL(r.restaurant.ID, began)
	r.send(t, host, path, sent).is(t, 409).has(t, "T1번 자리는 손님 T1 님")
	sent.Del(views.FieldSeat)
	refused := r.send(t, host, path, sentAgain(sent)).is(t, 409)
	free := slot(3)
	refused.has(t, "대신 가능한 시간", "time="+string(free.Time)+"&amp;party=2").hasNot(t,
		"time="+string(slot(1).Time)+"&amp;party", "time="+string(slot(2).Time)+"&amp;party")
	sent.Set("time", string(free.Time))
	sent.Set("idempotency_key", "key-3")
	r.send(t, host, path, sent).is(t, 303).has(t, "T1")

	// until the next slot begins the table is free: the stay ends then
	clock := func(i int) string { return i18n.Clock("ko", string(slot(i).Time)) }
	form.has(t, clock(0)+" · "+clock(1)+"까지")
	sent.Set("time", string(now.Time))
	sent.Set("end_time", string(slot(2).Time))
	sent.Set("idempotency_key", "key-4")
	r.send(t, host, path, sent).is(t, 409)
	sent.Set("end_time", "03:33")
	r.send(t, host, path, sentAgain(sent)).is(t, 422).has(t, "field-time-error")
	sent.Set("end_time", string(slot(1).Time))
	sent.Set("idempotency_key", "key-5")
	r.send(t, host, path, sent).is(t, 303).has(t, "T1")
	if o := r.occupancy(t, now); o.Held != 2 {
		t.Errorf("for a shorter stay %d seats are held", o.Held)
	}
	if o := r.occupancy(t, slot(1)); o.Held != len(seats) {
		t.Errorf("in the next slot %d seats are held", o.Held)
	}
	sent.Del("end_time")

	sent.Set("action", views.ActionRefresh) // the seats follow the time and the party
	sent.Set("time", string(slot(1).Time))
	r.send(t, host, path, sent).is(t, 200).has(t, "손님 C1", string(slot(1).Time)+`" selected`)
	sent.Set("time", string(slot(6).Time))
	r.send(t, host, path, sent).is(t, 200).hasNot(t, "손님 C1", "seat-box-taken")
}

// A party of seven gets two tables that join, not a row at the counter.
func TestOffers_TablesForLargeParties(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats := r.openTavern(t)
	made := r.press(t, r.diner(t, 0), "key-1", "wait=20", r.requestFor(r.slot("15:00"), 7)).want(t, 201, "")
	if got := ids(made, "seatIds"); len(got) != 2 || got[0] != seats["T2"] || got[1] != seats["T3"] {
		t.Errorf("seven got %v of %v", got, seats)
	}
}
