package webtest

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/app/reviews"
	"lunchgo/db/dbtest"
)

// review has a diner come and review their visit.
func (r *harness) review(t *testing.T, slot booking.SlotKey) int64 {
	t.Helper()
	who, visit := r.confirm(t, slot, 2)
	r.mustExec(t, completed, visit)
	review, err := r.Program.Reviews.Write(t.Context(), reviews.Draft{UserID: who.id, ReservationID: visit, Stars: 5})
	dbtest.Must(t, err)
	return review.ID
}

const completed = `UPDATE reservations SET state = 'completed', ended_at = now() WHERE id = $1`

// A program reviews a visit once it is completed; what it may not write changes nothing. All see the review and the
// rating, and staff answer it.
func TestReviews_OverHTTP(t *testing.T) {
	t.Parallel()
	setup := programtest.Setup{}
	setup.Config.CatalogMaxAge = 1 // so that the rating is read anew
	r := newHarnessWith(t, setup)
	diner, other := r.diner(t, 100_000), r.diner(t, 0)
	id := r.press(t, diner, rand.Text(), "wait=10", r.requestFor(r.slot("19:00"), 2)).want(t, 201, "").text(t, "id")
	path := "/api/reservations/" + id + "/review"
	write := func(who person, stars int, text string) answer {
		return r.call(t, who, "PUT", path, map[string]any{"stars": stars, "text": text})
	}
	write(diner, 5, "").want(t, 409, "not_visited")
	r.mustExec(t, completed, id)
	write(other, 5, "").want(t, 404, "not_found")
	write(diner, 0, "").want(t, 422, "invalid")
	write(diner, reviews.MaxStars+1, "").want(t, 422, "invalid")
	write(diner, 5, strings.Repeat("가", reviews.MaxText+1)).want(t, 422, "invalid")
	list := fmt.Sprintf("/api/restaurants/%d/reviews", r.restaurant.ID)
	if found := r.get(t, other, list).want(t, 200, "").list(t, "reviews"); len(found) != 0 {
		t.Errorf("after refusals: %v", found)
	}
	made := write(diner, 4, "또 올게요.").want(t, 200, "")
	answers := fmt.Sprintf("/api/staff/reviews/%v/answer", made.json["id"])
	r.call(t, other, "PUT", answers, map[string]any{"text": "x"}).want(t, 404, "not_found")
	manager, thanks := r.staffAs(t, r.restaurant.ID, identity.RoleManager), map[string]any{"text": "고맙습니다."}
	r.call(t, r.staff(t, r.restaurant.ID), "PUT", answers, thanks).want(t, 403, "forbidden")
	r.call(t, manager, "PUT", answers, map[string]any{"text": " "}).want(t, 422, "invalid")
	r.call(t, manager, "PUT", answers, thanks).want(t, 204, "")
	found := r.get(t, other, list).want(t, 200, "").list(t, "reviews")
	if len(found) != 1 || found[0]["text"] != "또 올게요." || found[0]["answer"] != "고맙습니다." {
		t.Errorf("listed: %v", found)
	}
	rated := r.get(t, other, fmt.Sprintf("/api/restaurants/%d", r.restaurant.ID)).want(t, 200, "")
	if rated.json["rating"] != 4.0 || rated.json["reviewCount"] != 1.0 {
		t.Errorf("rated %v by %v", rated.json["rating"], rated.json["reviewCount"])
	}
	for range 2 {
		r.call(t, diner, "DELETE", path, nil).want(t, 204, "")
	}
}
