package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reviews"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) reviewsRoutes() group {
	return group{"reviews", "What diners say of their visits, and what restaurants answer.", []operation{
		{route: "GET /restaurants/{id}/reviews", id: "listReviews", right: access.Anyone,
			path: []parameter{{name: "id", is: number}}, run: lists("reviews", a.restaurantOf, a.listReviews),
			summary: "List the reviews of a restaurant",
			says:    "The newest first."},
		{route: "PUT /reservations/{id}/review", id: "writeReview",
			right: access.Own, limit: ofChanges, run: takes(a.ownReservation, a.writeReview),
			summary: "Review a visit, or change its review",
			text: "A visit can be reviewed once it is completed, for 90 days; its review can be changed for longer, " +
				"unless an operator has hidden it.",
			says: "The review as others see it.", refuses: []string{"not_visited", "review_over", "review_hidden"}},
		{route: "DELETE /reservations/{id}/review", id: "deleteReview",
			right: access.Own, limit: ofChanges, run: does(a.ownReservation, a.deleteReview),
			summary: "Delete the review of a visit",
			says:    "There is none.", refuses: []string{"review_hidden"}},
		{route: "PUT /staff/reviews/{id}/answer", id: "answerReview",
			right: access.Staff(team.AnswerReviews), limit: ofChanges, run: doesWith(a.reviewAtWork, a.answerReview),
			path:    []parameter{{name: "id", is: number}},
			summary: "Answer a review, or change the answer",
			says:    "The answer is public."},
	}}
}

// review is what a diner says of a visit.
type review struct {
	reviews.Review
	VisitMonth string     `json:"visitMonth"`           // month of the visit, YYYY-MM
	AnsweredAt *time.Time `json:"answeredAt,omitempty"` // missing without an answer
}

func newReview(r reviews.Review) review {
	return review{r, string(r.Visited[:len("2006-01")]), timeOrNull(r.AnsweredAt)}
}

func (a *API) listReviews(c *fiber.Ctx, of booking.Restaurant, page keyset.Request) (keyset.Page[review], error) {
	return as(paged(newReview))(a.Reviews.List(c.UserContext(), of.ID, reviews.Filter{}, page))
}

type reviewRequest struct {
	Stars int    `json:"stars"`
	Text  string `json:"text"`
}

func (a *API) writeReview(c *fiber.Ctx, of booking.Reservation, in reviewRequest) (review, error) {
	return as(newReview)(a.Reviews.Write(c.UserContext(), reviews.Draft{UserID: of.UserID, ReservationID: of.ID,
		Stars: in.Stars, Text: in.Text}))
}

func (a *API) deleteReview(c *fiber.Ctx, of booking.Reservation) error {
	return a.Reviews.Delete(c.UserContext(), of.UserID, of.ID)
}

// answerable is a review, for staff of its restaurant.
type answerable struct {
	by team.Staff
	id int64
}

// reviewAtWork finds the review of the path. To who works elsewhere it is not there.
func (a *API) reviewAtWork(c *fiber.Ctx) (of answerable, err error) {
	s, err := respond.Session(c)
	if err != nil {
		return of, err
	}
	if of.id, err = respond.NumberParam(c, "id"); err != nil {
		return of, err
	}
	found, err := a.Reviews.Find(c.UserContext(), of.id)
	if err != nil {
		return of, err
	}
	if of.by, err = a.Bookings.Staff(c.UserContext(), s.UserID, found.RestaurantID); err == nil {
		err = of.by.Check(found.RestaurantID, team.AnswerReviews)
	}
	return of, err
}

type answerRequest struct {
	Text string `json:"text"`
}

func (a *API) answerReview(c *fiber.Ctx, of answerable, in answerRequest) error {
	return a.Reviews.Answer(c.UserContext(), of.by, of.id, in.Text)
}
