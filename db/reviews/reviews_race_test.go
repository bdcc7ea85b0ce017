package reviews_test

import (
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reviews"
	"lunchgo/db/dbtest"
	dbreviews "lunchgo/db/reviews"
	"lunchgo/db/testkit"
)

// writers is how many write the same review at once.
const writers = 8

// writeAtOnce has a diner write the review of a visit at two servers, several times at once, and returns how many
// reviews there are.
func writeAtOnce(t *testing.T, h *testkit.Harness, visit, diner string) int {
	t.Helper()
	servers := []*dbreviews.Store{dbreviews.NewStore(h.Instance(t)), dbreviews.NewStore(h.Instance(t))}
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			draft := reviews.Draft{UserID: diner, ReservationID: visit, Stars: 1 + i%reviews.MaxStars}
			if _, err := servers[i%2].Write(t.Context(), draft); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return h.Count(t, `SELECT count(*) FROM reviews`)
}

// However often a review is written at once, it is one.
func TestReviews_OneAVisit(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	visit, diner := h.Visit(t, "18:00")
	if n := writeAtOnce(t, h, visit, diner); n != 1 {
		t.Errorf("%d reviews of one visit", n)
	}
	wantRating(t, h, "afterwards", booking.Rating{
		Stars: int64(h.Count(t, `SELECT sum(stars) FROM reviews`)), Reviews: 1})
}

// Control: without the unique row everybody who writes adds one.
func TestReviews_WithoutUniqueRow(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	visit, diner := h.Visit(t, "18:00")
	h.MustExec(t, `ALTER TABLE reviews DROP CONSTRAINT reviews_one_a_visit`)
	h.Weaken(dbreviews.WriteReview, func(query string) string {
		query = dbtest.Replacing("ON CONFLICT ON CONSTRAINT reviews_one_a_visit DO UPDATE", "")(query)
		query = dbtest.Replacing("SET stars = excluded.stars, text = excluded.text, changed_at = clock_timestamp()",
			"")(query)
		return dbtest.Replacing("WHERE r.hidden_reason = ''", "")(query)
	})
	if n := writeAtOnce(t, h, visit, diner); n != writers {
		t.Errorf("%d reviews without the guard: the test above proves nothing", n)
	}
}
