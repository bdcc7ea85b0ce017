package reviews_test

import (
	"errors"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reviews"
	"lunchgo/app/wallet"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	dbreviews "lunchgo/db/reviews"
	"lunchgo/db/testkit"
)

// wantRating compares the rating that is kept with what is wanted, and with the reviews.
func wantRating(t *testing.T, h *testkit.Harness, when string, want booking.Rating) {
	t.Helper()
	r, err := h.Catalog.FindRestaurant(t.Context(), h.Restaurant.ID)
	all, listErr := h.Catalog.ListRatings(t.Context())
	if err := errors.Join(err, listErr); err != nil || r.Rating != want || all[r.ID] != want {
		t.Errorf("%s: rated %+v, in the list %+v, %v; want %+v", when, r.Rating, all[r.ID], err, want)
	}
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("%s: %+v, %v", when, report.Wrong(), err)
	}
}

// A visit is reviewed once it is completed, by its diner, in time. What is refused changes nothing.
func TestReviews_OfCompletedVisits(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store := dbreviews.NewStore(h.Pool)
	coming, guest := h.Confirmed(t, h.Slot("18:00"))
	visit, diner := h.Visit(t, "19:00")
	old, regular := h.Visit(t, "20:00")
	h.MustExec(t, `UPDATE slots SET service_date = (clock_timestamp() AT TIME ZONE 'Asia/Seoul')::date - $1::int
		WHERE service_time = '20:00'`, reviews.OpenDays+1)
	for _, c := range []struct {
		name, user, reservation string
		want                    error
	}{
		{"not completed", guest, coming, reviews.ErrNotVisited},
		{"another's", guest, visit, booking.ErrNotFound},
		{"unknown", diner, "none", booking.ErrNotFound},
		{"too late", regular, old, reviews.ErrOver},
	} {
		_, err := store.Write(t.Context(), reviews.Draft{UserID: c.user, ReservationID: c.reservation, Stars: 1})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if err := store.Delete(t.Context(), guest, visit); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("no review is deleted: %v", err)
	}
	wantRating(t, h, "before", booking.Rating{})
	h.MustExec(t, `UPDATE slots SET service_date = service_date + 1 WHERE service_time = '20:00'`)
	h.Review(t, old, 2)
	first := h.Review(t, visit, 5)
	wantRating(t, h, "two reviews", booking.Rating{Stars: 7, Reviews: 2})
	if changed := h.Review(t, visit, 3); changed.ID != first.ID || changed.Visited != h.Slot("19:00").Date {
		t.Errorf("changed: %+v", changed)
	}
	wantRating(t, h, "one is changed", booking.Rating{Stars: 5, Reviews: 2})
	h.MustExec(t, `UPDATE slots SET service_date = service_date - 1 WHERE service_time = '20:00'`)
	h.Review(t, old, 1) // a review can be changed for longer
	if err := store.Delete(t.Context(), diner, visit); err != nil {
		t.Error(err)
	}
	wantRating(t, h, "one is deleted", booking.Rating{Stars: 1, Reviews: 1})
}

// Staff answer, somebody reports, an operator hides and shows again; a hidden review stays as it is.
func TestReviews_AnsweredReportedHidden(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store := dbreviews.NewStore(h.Pool)
	visit, diner := h.Visit(t, "18:00")
	other, _ := h.Visit(t, "19:00")
	review, newest := h.Review(t, visit, 5), h.Review(t, other, 4)
	host := h.Host(t)
	answer := reviews.Answer{ReviewID: review.ID, RestaurantID: h.Restaurant.ID, StaffID: host, Text: "고맙습니다."}
	for _, text := range []string{"고맙습니다.", "또 오세요."} {
		answer.Text = text
		dbtest.Must(t, store.Answer(t.Context(), answer))
	}
	answer.RestaurantID++
	if err := store.Answer(t.Context(), answer); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("staff of another restaurant: %v", err)
	}
	list := func(filter reviews.Filter) (ids []int64) {
		page := keyset.Request{Limit: 1}
		for {
			got, err := store.List(t.Context(), h.Restaurant.ID, filter, page)
			dbtest.Must(t, err)
			for _, r := range got.Items {
				ids = append(ids, r.ID)
			}
			if got.Next == "" {
				return ids
			}
			after, _ := keyset.Parse(got.Next)
			page.After = &after
		}
	}
	if all, unanswered := list(reviews.Filter{}), list(reviews.Filter{Unanswered: true}); !slices.Equal(all,
		[]int64{newest.ID, review.ID}) || !slices.Equal(unanswered, []int64{newest.ID}) {
		t.Errorf("listed %v, unanswered %v", all, unanswered)
	}
	for range 2 {
		dbtest.Must(t, store.Report(t.Context(), review.ID, host, "광고"))
	}
	reported, err := store.ListReported(t.Context(), keyset.Request{})
	if err != nil || len(reported.Items) != 1 || reported.Items[0].Answer != "또 오세요." ||
		!slices.Equal(reported.Items[0].Reasons, []string{"광고"}) || reported.Items[0].Reports != 1 {
		t.Errorf("reported: %+v, %v", reported.Items, err)
	}
	decide := func(hide bool) {
		t.Helper()
		d := reviews.Decision{ReviewID: review.ID, OperatorID: host, Hide: hide, Reason: "광고입니다."}
		if err := store.Decide(t.Context(), d); !errors.Is(err, reviews.ErrChanged) {
			t.Errorf("decided on what nobody has read: %v", err)
		}
		err := h.Pool.Get(t.Context(), &d.Version, `SELECT `+dbreviews.Version+` FROM reviews v WHERE id = $1`,
			review.ID)
		if err == nil {
			err = store.Decide(t.Context(), d)
		}
		if err != nil {
			t.Error(err)
		}
	}
	read := reported.Items[0].Version
	dbtest.Must(t, store.Report(t.Context(), review.ID, diner, "욕설"))
	late := reviews.Decision{ReviewID: review.ID, OperatorID: host, Reason: "괜찮습니다.", Version: read}
	if err := store.Decide(t.Context(), late); !errors.Is(err, reviews.ErrChanged) {
		t.Errorf("decided before the last report was read: %v", err)
	}
	decide(true)
	wantRating(t, h, "one is hidden", booking.Rating{Stars: 4, Reviews: 1})
	own, err := store.ListOf(t.Context(), []string{visit, other})
	if err != nil || own[visit].HiddenReason != "광고입니다." || own[other].HiddenReason != "" {
		t.Errorf("its author sees %+v, %v", own, err)
	}
	_, writeErr := store.Write(t.Context(), reviews.Draft{UserID: diner, ReservationID: visit, Stars: 1})
	deleteErr := store.Delete(t.Context(), diner, visit)
	if !errors.Is(writeErr, reviews.ErrHidden) || !errors.Is(deleteErr, reviews.ErrHidden) {
		t.Errorf("changed: %v, deleted: %v", writeErr, deleteErr)
	}
	_, findErr := store.Find(t.Context(), review.ID)
	if reportErr := store.Report(t.Context(), review.ID, diner, "x"); !errors.Is(findErr, booking.ErrNotFound) ||
		!errors.Is(reportErr, booking.ErrNotFound) {
		t.Errorf("found: %v, reported: %v", findErr, reportErr)
	}
	decide(false)
	wantRating(t, h, "it is public again", booking.Rating{Stars: 9, Reviews: 2})
	isReported := func(when string, want bool) {
		t.Helper()
		dbtest.Must(t, store.Report(t.Context(), review.ID, host, "또 광고"))
		if open, err := store.ListReported(t.Context(), keyset.Request{}); err != nil || len(open.Items) > 0 != want {
			t.Errorf("%s: reported %+v, %v", when, open.Items, err)
		}
	}
	isReported("after the decision", false)
	if _, err := store.Write(t.Context(), reviews.Draft{UserID: diner, ReservationID: visit, Stars: 5}); err != nil {
		t.Fatal(err)
	}
	isReported("after it changed", true)
	if got := list(reviews.Filter{Unanswered: true}); !slices.Equal(got, []int64{newest.ID, review.ID}) {
		t.Errorf("without an answer to what they say now: %v", got)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE action LIKE 'review.%' AND reservation_id = $1`,
		visit); n != 4 {
		t.Errorf("%d acts are written down, want 4", n)
	}
}

// A visit that staff take back has no review, and neither has an account that is deleted.
func TestReviews_GoWithTheirVisits(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	undone, _ := h.Visit(t, "18:00")
	visit, diner := h.Visit(t, "19:00")
	h.Review(t, undone, 1)
	h.Review(t, visit, 5)
	if _, err := h.AtStart().Undo(t.Context(), undone, booking.Completed, diner); err != nil {
		t.Fatal(err)
	}
	wantRating(t, h, "a visit is taken back", booking.Rating{Stars: 5, Reviews: 1})
	account, findErr := h.Wallets.Find(t.Context(), diner)
	_, _, drawErr := h.Wallets.Withdraw(t.Context(),
		wallet.Withdrawal{UserID: diner, Amount: account.Balance, IdempotencyKey: "all"})
	dbtest.Must(t, errors.Join(findErr, drawErr))
	if _, err := h.Users.DeleteAccount(t.Context(), identity.EndedSessions{UserID: diner}); err != nil {
		t.Fatal(err)
	}
	if n := h.Count(t, `SELECT count(*) FROM reviews`); n != 0 || h.Count(t, `SELECT sum(reviews) FROM ratings`) != 0 {
		t.Errorf("%d reviews of nobody", n)
	}
}
