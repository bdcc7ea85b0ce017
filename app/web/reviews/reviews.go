// Package reviews serves the page on which staff answer the reviews of their restaurant.
package reviews

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reviews"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/reviews"
)

// Pages answers the requests of staff.
type Pages struct {
	Places  workplace.Finder
	Reviews *reviews.Service
}

// Mount adds the routes.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	r.Get("/staff/restaurants/:restaurant/reviews", gates.Shed, p.Places.For(team.AnswerReviews, p.list))
	r.Post("/staff/restaurants/:restaurant/reviews/:review/answer", gates.Change, gates.Shed,
		p.Places.For(team.AnswerReviews, p.answer))
}

// list answers GET /staff/restaurants/{id}/reviews.
func (p *Pages) list(c *fiber.Ctx, w workplace.Workplace) error {
	return p.show(c, w, 0, "", nil)
}

// show renders the list. refused is the review whose answer was refused, with what was typed; 0 for none.
func (p *Pages) show(c *fiber.Ctx, w workplace.Workplace, refused int64, typed string,
	invalid *booking.InvalidError) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	page := views.StaffReviews{StaffShell: p.Places.Shell(c, w, views.SectionReviews), Refused: refused, Typed: typed,
		Unanswered: c.Query(views.FieldUnanswered) != "", After: c.Query(views.FieldAfter)}
	found, err := p.Reviews.ListAtWork(c.UserContext(), w.By, w.Restaurant.ID,
		reviews.Filter{Unanswered: page.Unanswered}, asked)
	if err != nil {
		return err
	}
	page.Reviews = found.Items
	page.Pager = respond.Pager(c, views.StaffReviewsURL(w.Restaurant.ID, false), views.FieldAfter, found.Next)
	status := fiber.StatusOK
	if invalid != nil {
		status, page.Path = fiber.StatusUnprocessableEntity, views.StaffReviewsURL(w.Restaurant.ID, false)
		page.Errors = views.ReviewErrors(page.Lang, invalid)
	}
	return respond.Render(c, status, pages.Staff(page))
}

// answer answers POST …/reviews/{review}/answer.
func (p *Pages) answer(c *fiber.Ctx, w workplace.Workplace) error {
	id, err := respond.NumberParam(c, "review")
	if err != nil {
		return err
	}
	text := respond.FormValue(c, views.FieldText)
	err = p.Reviews.Answer(c.UserContext(), w.By, id, text)
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		return p.show(c, w, id, text, invalid)
	}
	return respond.Done(c, err, views.StaffReviewsURL(w.Restaurant.ID, c.Query(views.FieldUnanswered) != ""),
		views.FlashSuccess, "flash.review_answered")
}
