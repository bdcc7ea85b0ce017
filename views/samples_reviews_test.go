package views_test

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/reviews"
	"lunchgo/views"
	"lunchgo/views/pages"
	reviewed "lunchgo/views/reviews"
)

// reviewsOf are reviews of all kinds: with and without words and an answer, long and hostile ones.
func reviewsOf(lang string) []reviews.Review {
	return []reviews.Review{
		{ID: 4, ReservationID: "r4", Author: pick(lang, "김○○", "H. K."), Stars: 5, Visited: "2026-11-19", WrittenAt: evening,
			Text: pick(lang, "나물 하나하나 간이 살아 있어요.\n누룽지까지 싹 비웠습니다.",
				"Every one of the greens had its own seasoning.\nWe left nothing in the pot."),
			Answer: pick(lang, "다음에는 봄나물로 모시겠습니다.", "Come back for the spring greens."), AnsweredAt: evening},
		{ID: 3, ReservationID: "r3", Author: "J. D.", Stars: 4, Visited: "2026-10-02", WrittenAt: evening},
		{ID: 2, ReservationID: "r2", Author: hostile, Stars: 1, Visited: "2025-12-31", WrittenAt: evening,
			Text: hostile + strings.Repeat("word", 60), Answer: hostile},
	}
}

func rated() *booking.Restaurant {
	r := head()
	r.Rating = booking.Rating{Stars: 589, Reviews: 128}
	return r
}

func reviewList(lang string) views.ReviewList {
	return views.ReviewList{Lang: lang, Of: rated(), Reviews: reviewsOf(lang), Next: views.ReviewsURL("sol-bap", "x")}
}

// addReviews adds the pages of what diners say of their visits.
func addReviews(lang string, all map[string]templ.Component) {
	list := views.Reviews{Layout: layout(lang, "/restaurants/sol-bap/reviews"), List: reviewList(lang)}
	all["reviews-list"] = reviewed.Reviews(list)
	form := views.ReviewForm{Layout: layout(lang, views.ReviewURL("r1")), ReservationID: "r1", Restaurant: head(),
		At: evening, Party: 2, Author: reviewsOf(lang)[0].Author}
	all["review-form"] = reviewed.Form(form)
	form.IsWritten, form.Stars, form.Text = true, 4, hostile
	all["review-form-written"] = reviewed.Form(form)
	form.Stars, form.Errors = 0, views.FieldErrors{views.FieldStars: form.T("review.fault_stars_out_of_range"),
		views.FieldText: form.T("review.fault_text_too_long", "Max", reviews.MaxText)}
	all["review-form-errors"] = reviewed.Form(form)
	report := views.ReviewReport{Layout: layout(lang, views.ReviewReportURL(4)), Of: head(), Review: reviewsOf(lang)[0]}
	all["review-report"] = reviewed.Report(report)
	report.Errors = views.FieldErrors{views.FieldReason: report.T("review.fault_reason_required")}
	all["review-report-errors"] = reviewed.Report(report)
	own := reservation(lang, booking.Completed)
	own.Reviewable = true
	all["reservation-reviewable"] = pages.Reservation(own)
	own.Reviewable, own.Review = false, &reviewsOf(lang)[0]
	all["reservation-reviewed"] = pages.Reservation(own)
	own.Review.HiddenReason = hostile
	all["reservation-review-hidden"] = pages.Reservation(own)
	page := views.StaffReviews{StaffShell: staffShell(lang, views.SectionReviews)}
	all["staff-reviews-empty"] = reviewed.Staff(page)
	page.Unanswered = true
	all["staff-reviews-none"] = reviewed.Staff(page)
	page.Reviews = reviewsOf(lang)
	page.Pager = views.Pager{Lang: lang, Next: views.StaffReviewsURL(1, true) + "&after=x"}
	all["staff-reviews"] = reviewed.Staff(page)
	page.Refused, page.Errors = 3, views.FieldErrors{views.FieldText: page.T("review.fault_text_required")}
	all["staff-reviews-errors"] = reviewed.Staff(page)
	reported := views.OperatorReviews{Layout: layout(lang, views.OperatorReviewsURL())}
	reported.IsOperator = true
	all["operator-reviews-none"] = reviewed.Operator(reported)
	for _, r := range reviewsOf(lang) {
		reported.Reported = append(reported.Reported, views.OperatorReported{Of: head(), Reported: reviews.Reported{
			Review: r, Reports: 12, Reasons: []string{pick(lang, "광고입니다.", "It is an advertisement."), hostile}}})
	}
	all["operator-reviews"] = reviewed.Operator(reported)
	reported.Refused = 3
	reported.Errors = views.FieldErrors{views.FieldReason: reported.T("review.fault_reason_required")}
	all["operator-reviews-errors"] = reviewed.Operator(reported)
}

// A review in another language than the page is read out in its own.
func TestReviews_AreReadInTheirLanguage(t *testing.T) {
	t.Parallel()
	list := views.ReviewList{Lang: "ko", Of: rated(), Reviews: []reviews.Review{
		{Stars: 5, Text: "Lovely room.", Answer: "또 오세요."}, {Stars: 5, Text: "맛있어요."}, {Stars: 5, Text: "5/5"}}}
	korean := rendered(t, reviewed.More(list))
	holds(t, korean, `<p class="review-text" lang="en">Lovely room.`, `<p class="review-text">또`, `<p class="review-text">맛`)
	list.Lang = "en"
	english := rendered(t, reviewed.More(list))
	holds(t, english, `<p class="review-text">Lovely`, `<p class="review-text" lang="ko">또`, `lang="ko">맛`,
		`<p class="review-text">5/5`)
}
