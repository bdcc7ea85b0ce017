package webtest

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// caller is a guest of the harness's restaurant whom staff know by a phone number, and a host to act on them.
func (r *harness) caller(t *testing.T) guests.About {
	t.Helper()
	host := r.staff(t, r.restaurant.ID)
	find := func() []guests.Guest {
		found, err := r.Stores.Guests.ListGuests(t.Context(), r.restaurant.ID, guests.Search{Digits: "01098765432"},
			keyset.Request{})
		dbtest.Must(t, err)
		return found.Items
	}
	if len(find()) == 0 {
		r.book(t, host, rand.Text(), "wait=20", byPhone(r.slot("19:00"), 1, nil)).want(t, 201, "")
	}
	return guests.About{RestaurantID: r.restaurant.ID, Guest: find()[0].ID, By: host.id}
}

// Staff find a guest by name or number, with what happened at their restaurant and nothing of another's, where the id
// means nothing.
func TestGuests_HistoryIsOfThisRestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, begun, later := r.staff(t, r.restaurant.ID), r.begun(), r.slot("19:00")
	_, came := r.confirm(t, begun, 2)
	by, err := r.Bookings.Staff(t.Context(), host.id, r.restaurant.ID)
	dbtest.Must(t, err)
	if _, err := r.Bookings.Mark(t.Context(), by, came, booking.Arrived); err != nil {
		t.Fatal(err)
	}
	r.book(t, host, "key-1", "wait=20", byPhone(later, 2, map[string]any{"allergies": "땅콩"})).want(t, 201, "")
	r.book(t, host, "key-2", "wait=20", byPhone(later, 3, map[string]any{"phone": "+82 10 9876 5432"})).want(t, 201, "")

	path := "/api" + views.GuestsURL(r.restaurant.ID, "")
	all := r.get(t, host, path).want(t, 200, "").list(t, "guests")
	if len(all) != 2 || all[0]["visits"] != 1.0 || all[0]["hasAccount"] != true || all[0]["lastVisit"] == nil ||
		all[1]["visits"] != 0.0 {
		t.Fatalf("guests %v", all)
	}
	first := r.get(t, host, path+"?limit=1").want(t, 200, "")
	if next := r.get(t, host, path+"?limit=1&after="+first.text(t, "next")).want(t, 200, "").list(t,
		"guests"); len(next) != 1 || next[0]["id"] != all[1]["id"] {
		t.Errorf("next page %v", next)
	}
	for words, want := range map[string]int{"하늘": 1, "ㄱㅎㄴ": 1, "ㄱㅎㅁ": 0, "98765432": 1,
		"9876-5432": 1, "5433": 0, "%25%25": 0} {
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
	if found := r.get(t, stranger, "/api"+views.GuestsURL(other.ID, "")).want(t, 200, "").list(t,
		"guests"); len(found) != 0 {
		t.Errorf("another restaurant's guests: %v", found)
	}
	r.page(t, host, views.GuestsURL(r.restaurant.ID, "김")).is(t, 422).has(t, `value="김"`, `aria-invalid="true"`)
	r.page(t, host, views.GuestsURL(r.restaurant.ID, "하늘")).is(t, 200).has(t, views.GuestURL(r.restaurant.ID, id))
	r.page(t, host, views.GuestURL(r.restaurant.ID, id)).is(t, 200).has(t, "땅콩", "다가오는 예약", "/staff/reservations/")
}

// Staff write notes and tags over the API; another restaurant of the same diner never sees them, and the log has no
// words.
func TestNotes_AreOfThisRestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, manager := r.staff(t, r.restaurant.ID), r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	diner, reservation := r.confirm(t, r.slot("19:00"), 2)
	other, _ := r.newRestaurant(t, "another")
	stranger := r.staffAs(t, other.ID, identity.RoleManager)
	elsewhere := r.slot("20:00")
	elsewhere.RestaurantID = other.ID
	r.mustExec(t, `UPDATE reservations SET state = 'confirmed' WHERE id = $1`, r.seat(t, diner, elsewhere, 2))
	path := "/api" + views.GuestsURL(r.restaurant.ID, "")
	id, _ := r.get(t, host, path).want(t, 200, "").list(t, "guests")[0]["id"].(string)
	about := path + "/" + id
	tea := map[string]any{"text": " likes tea "}

	r.post(t, host, about+"/notes", "", tea).want(t, 409, "no_consent")
	r.call(t, host, "PUT", about+"/tags", map[string]any{"tags": []string{"vip"}}).want(t, 409, "no_consent")
	if account := r.call(t, diner, "PATCH", "/api/account", map[string]any{"historyConsent": true}).
		want(t, 200, ""); account.json["historyConsent"] != true {
		t.Errorf("the account %s", account.raw)
	}
	note := r.post(t, host, about+"/notes", "", tea).want(t, 201, "")
	if note.text(t, "text") != "likes tea" || note.text(t, "writtenBy") != host.id {
		t.Errorf("the note %s", note.raw)
	}
	for _, bad := range []string{"", "  ", strings.Repeat("가", guests.MaxNote+1), "a\u202eb"} {
		r.post(t, host, about+"/notes", "", map[string]any{"text": bad}).want(t, 422, "invalid")
	}
	many := []string{}
	for i := range guests.MaxTags + 1 {
		many = append(many, strings.Repeat("t", i+1))
	}
	for _, bad := range [][]string{many, {strings.Repeat("가", guests.MaxTag+1)}, {"a\u0007"}} {
		r.call(t, host, "PUT", about+"/tags", map[string]any{"tags": bad}).want(t, 422, "invalid")
	}
	set := r.call(t, host, "PUT", about+"/tags",
		map[string]any{"tags": []string{"VIP", " Wine  lover", "wine LOVER", ""}}).want(t, 200, "")
	if string(set.raw) != `{"tags":["vip","Wine lover"]}` {
		t.Errorf("tags %s", set.raw)
	}
	evening := string(r.get(t, host, r.teamPath("evening")+"?date="+string(r.slot("19:00").Date)).want(t, 200, "").raw)
	if !strings.Contains(evening, `"guestNote":"likes tea"`) ||
		!strings.Contains(evening, `"guestTags":["vip","Wine lover"]`) {
		t.Errorf("the evening %s", evening)
	}
	page := strings.TrimPrefix(about, "/api")
	r.page(t, host, views.StaffReservationURL(reservation)).is(t, 200).has(t, page, "likes tea", "Wine lover")
	r.page(t, host, page).is(t, 200).has(t, "likes tea", "Wine lover").hasNot(t, "/delete\"")
	r.send(t, host, page+"/notes", url.Values{"text": {""}}).is(t, 422).has(t, "field-text-error")
	r.send(t, host, page+"/tags", url.Values{"kind": {"vip"}, "tags": {"Wine lover, " + strings.Repeat("t", 31)}}).is(t,
		422).has(t, "field-tags-error")
	r.isolated(t, other.ID, stranger, about, note.raw)

	one := about + "/notes/" + strings.Split(strings.Split(string(note.raw), `"id":`)[1], ",")[0]
	r.delete(t, host, one).want(t, 403, "forbidden")
	r.delete(t, manager, one).want(t, 204, "")
	r.delete(t, manager, one).want(t, 404, "not_found")
	r.delete(t, manager, about+"/notes/x").want(t, 404, "not_found")
	log := string(r.get(t, manager, r.teamPath("audit")).want(t, 200, "").raw)
	r.post(t, host, about+"/notes", "", tea).want(t, 201, "")
	r.send(t, diner, views.AccountHistoryURL(), url.Values{"consent": {views.ConsentNo}}).is(t, 303)
	if after := string(r.get(t, host, about).want(t, 200, "").raw); strings.Contains(after, "likes tea") ||
		strings.Contains(after, "ine lover") {
		t.Errorf("after the consent is withdrawn: %s", after)
	}
	if !strings.Contains(log, "guest.note_delete") || !strings.Contains(log, "guest.tags") ||
		strings.Contains(log, "likes tea") || strings.Contains(log, "ine lover") {
		t.Errorf("the log %s", log)
	}
}

// isolated checks that staff of another restaurant, where the same diner has a booking, find nothing of this one's.
func (r *harness) isolated(t *testing.T, other int64, stranger person, about string, note []byte) {
	t.Helper()
	theirs := r.get(t, stranger, "/api"+views.GuestsURL(other, "")).want(t, 200, "")
	guest := theirs.list(t, "guests")[0]
	id, _ := guest["id"].(string)
	profile := r.get(t, stranger, "/api"+views.GuestURL(other, id)).want(t, 200, "")
	if guest["notesAllowed"] != true || len(profile.list(t, "notes")) != 0 ||
		strings.Contains(string(theirs.raw)+string(profile.raw), "ine lover") {
		t.Errorf("another restaurant's: %s, %s; %s", theirs.raw, profile.raw, note)
	}
	_, ours, _ := strings.Cut(about, "/guests/")
	for _, at := range []string{about, "/api" + views.GuestURL(other, ours)} {
		r.post(t, stranger, at+"/notes", "", map[string]any{"text": "x"}).want(t, 404, "not_found")
		r.call(t, stranger, "PUT", at+"/tags", map[string]any{"tags": []string{"x"}}).want(t, 404, "not_found")
		r.delete(t, stranger, at+"/notes/1").want(t, 404, "not_found")
	}
}
