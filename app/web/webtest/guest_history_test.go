package webtest

import (
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// Staff find a guest by name or number, with what happened at their restaurant and nothing of another's, where the id means nothing.
func TestGuests_HistoryIsOfThisRestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, begun, later := r.staff(t, r.restaurant.ID), r.begun(), r.slot("19:00")
	_, came := r.confirm(t, begun, 2)
	by, err := r.Bookings.Staff(t.Context(), host.id, r.restaurant.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Bookings.Mark(t.Context(), by, came, booking.Arrived); err != nil {
		t.Fatal(err)
	}
	r.book(t, host, "key-1", "wait=20", byPhone(later, 2, map[string]any{"allergies": "땅콩"})).want(t, 201, "")
	r.book(t, host, "key-2", "wait=20", byPhone(later, 3, map[string]any{"phone": "+82 10 9876 5432"})).want(t, 201, "")

	path := "/api" + views.GuestsURL(r.restaurant.ID, "")
	all := r.get(t, host, path).want(t, 200, "").list(t, "guests")
	if len(all) != 2 || all[0]["visits"] != 1.0 || all[0]["hasAccount"] != true || all[0]["lastVisit"] == nil || all[1]["visits"] != 0.0 {
		t.Fatalf("guests %v", all)
	}
	first := r.get(t, host, path+"?limit=1").want(t, 200, "")
	if next := r.get(t, host, path+"?limit=1&after="+first.text(t, "next")).want(t, 200, "").list(t, "guests"); len(next) != 1 || next[0]["id"] != all[1]["id"] {
		t.Errorf("next page %v", next)
	}
	for words, want := range map[string]int{"하늘": 1, "98765432": 1, "9876-5432": 1, "5433": 0, "%25%25": 0} {
		if found := r.get(t, host, path+"?q="+words).want(t, 200, "").list(t, "guests"); len(found) != want {
			t.Errorf("%s finds %v", words, found)
		}
	}
	r.get(t, host, path+"?q=987").want(t, 422, "invalid")
	id, _ := all[1]["id"].(string)
	profile := r.get(t, host, path+"/"+id).want(t, 200, "")
	if len(profile.list(t, "bookings")) != 2 || !strings.Contains(string(profile.raw), "땅콩") {
		t.Errorf("profile %s", profile.raw)
	}
	other, _ := r.newRestaurant(t, "another")
	stranger := r.staff(t, other.ID)
	r.get(t, stranger, "/api"+views.GuestURL(other.ID, id)).want(t, 404, "not_found")
	r.get(t, stranger, path+"/"+id).want(t, 404, "not_found")
	if found := r.get(t, stranger, "/api"+views.GuestsURL(other.ID, "")).want(t, 200, "").list(t, "guests"); len(found) != 0 {
		t.Errorf("another restaurant's guests: %v", found)
	}
	r.page(t, host, views.GuestsURL(r.restaurant.ID, "김")).is(t, 422).has(t, `value="김"`, `aria-invalid="true"`)
	r.page(t, host, views.GuestsURL(r.restaurant.ID, "하늘")).is(t, 200).has(t, views.GuestURL(r.restaurant.ID, id))
	r.page(t, host, views.GuestURL(r.restaurant.ID, id)).is(t, 200).has(t, "땅콩", "다가오는 예약", "/staff/reservations/")
}
