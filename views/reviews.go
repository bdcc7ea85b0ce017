package views

import (
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reviews"
	"lunchgo/views/i18n"
)

// ReviewsURL is a page of a restaurant's reviews. GET: reviews.Reviews, or reviews.More when HX-Target is
// "reviews-more".
func ReviewsURL(slug, after string) string {
	return withQuery(RestaurantURL(slug)+"/reviews", FieldAfter, after)
}

// ReviewURL writes the review of a visit. GET: reviews.Form. POST: fields Stars and Text; 303 to the reservation, 422
// renders it again.
func ReviewURL(reservationID string) string { return ReservationURL(reservationID) + "/review" }

// ReviewDeleteURL deletes the review of a visit. POST: 303 to the reservation.
func ReviewDeleteURL(reservationID string) string { return ReviewURL(reservationID) + "/delete" }

// ReviewReportURL reports a review. GET: reviews.Report. POST: field Reason; 303 to the restaurant, 422 renders it
// again.
func ReviewReportURL(id int64) string { return "/reviews/" + strconv.FormatInt(id, 10) + "/report" }

// StaffReviewsURL is the reviews of a restaurant for its staff. The query is unanswered=. GET: reviews.Staff.
func StaffReviewsURL(restaurantID int64, unanswered bool) string {
	address := StaffSectionURL(restaurantID, SectionReviews)
	if unanswered {
		return address + "?" + FieldUnanswered + "=1"
	}
	return address
}

// ReviewAnswerURL answers a review of the list. POST: field Text; 303 to the list, 422 renders it again.
func ReviewAnswerURL(p StaffReviews, id int64) string {
	address := StaffReviewsURL(p.RestaurantID, false) + "/" + strconv.FormatInt(id, 10) + "/answer"
	only := ""
	if p.Unanswered {
		only = "1"
	}
	return withQuery(address, FieldUnanswered, only, FieldAfter, p.After)
}

// OperatorReviewsURL lists reported reviews. GET: reviews.Operator.
func OperatorReviewsURL() string { return "/operator/reviews" }

// OperatorDecideURL hides or keeps a review of the list. POST: fields Reason, Action and Version; 303 to the list, 422
// renders it again.
func OperatorDecideURL(p OperatorReviews, id int64) string {
	return withQuery(OperatorReviewsURL()+"/"+strconv.FormatInt(id, 10), FieldAfter, p.After)
}

// Fields of the forms of reviews besides Text and Reason.
const (
	FieldStars      = "stars"
	FieldUnanswered = "unanswered"
	ActionHide      = "hide"
)

// ReviewList is a part of a restaurant's reviews. Component: reviews.List(views.ReviewList).
type ReviewList struct {
	Lang    string
	Of      *booking.Restaurant
	Reviews []reviews.Review
	Next    string // address of the next part; empty on the last one
}

// Reviews is a page of a restaurant's reviews. Component: reviews.Reviews(views.Reviews).
type Reviews struct {
	Layout
	List ReviewList
}

// ReviewForm is the form of a review. Component: reviews.Form(views.ReviewForm).
type ReviewForm struct {
	Layout
	ReservationID string
	Restaurant    *booking.Restaurant
	At            time.Time // of the visit
	Party         int
	Author        string // as others see it
	Stars         int    // 0: none are chosen
	Text          string
	IsWritten     bool
	Errors        FieldErrors
}

// ReviewReport is the form that reports a review. Component: reviews.Report(views.ReviewReport).
type ReviewReport struct {
	Layout
	Of     *booking.Restaurant
	Review reviews.Review
	Reason string
	Errors FieldErrors
}

// StaffReviews is the page of staff. Component: reviews.Staff(views.StaffReviews).
type StaffReviews struct {
	StaffShell
	Reviews    []reviews.Review
	Unanswered bool   // only those are listed
	After      string // where the page begins
	Refused    int64  // the review whose answer was refused; 0 for none
	Typed      string
	Errors     FieldErrors
	Pager      Pager
}

// OperatorReviews is what was reported. Component: reviews.Operator(views.OperatorReviews).
type OperatorReviews struct {
	Layout
	Reported []OperatorReported
	After    string // where the page begins
	Refused  int64  // the review whose decision was refused; 0 for none
	Errors   FieldErrors
	Pager    Pager
}

// OperatorReported is a reported review with its restaurant.
type OperatorReported struct {
	reviews.Reported
	Of *booking.Restaurant
}

// RatingText is the mean of a restaurant's stars, to one decimal.
func RatingText(r booking.Rating) string { return strconv.FormatFloat(r.Average(), 'f', 1, 64) }

// ReviewErrors are what is wrong with a form about a review, in words.
func ReviewErrors(lang string, invalid *booking.InvalidError) FieldErrors {
	errors := FieldErrors{}
	for _, f := range invalid.Fields {
		errors[f.Field] = i18n.T(lang, "review.fault_"+f.Field+"_"+f.Reason, "Max", f.Max)
	}
	return errors
}
