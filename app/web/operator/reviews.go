package operator

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reviews"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/reviews"
)

// reviews answers GET /operator/reviews: what was reported and is not decided.
func (p *Pages) reviews(c *fiber.Ctx, session identity.Session) error {
	return p.showReviews(c, session, 0, nil)
}

// showReviews renders the list. refused is the review whose decision was refused; 0 for none.
func (p *Pages) showReviews(c *fiber.Ctx, session identity.Session, refused int64,
	invalid *booking.InvalidError) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	found, err := p.Reviews.ListReported(c.UserContext(), session.UserID, asked)
	if err != nil {
		return err
	}
	page := views.OperatorReviews{Layout: p.Layout(c), Refused: refused, After: c.Query(views.FieldAfter),
		Pager: respond.Pager(c, views.OperatorReviewsURL(), views.FieldAfter, found.Next)}
	for _, reported := range found.Items {
		r, err := p.Restaurants.FindAtWork(c.UserContext(), reported.RestaurantID)
		if err != nil {
			return err
		}
		page.Reported = append(page.Reported, views.OperatorReported{Reported: reported, Of: &r})
	}
	status := fiber.StatusOK
	if invalid != nil {
		status, page.Path = fiber.StatusUnprocessableEntity, views.OperatorReviewsURL()
		page.Errors = views.ReviewErrors(page.Lang, invalid)
	}
	return respond.Render(c, status, pages.Operator(page))
}

// decide answers POST /operator/reviews/:review.
func (p *Pages) decide(c *fiber.Ctx, session identity.Session) error {
	id, err := respond.NumberParam(c, "review")
	if err != nil {
		return err
	}
	version, _ := strconv.ParseInt(respond.FormValue(c, views.FieldVersion), 10, 64)
	err = p.Reviews.Decide(c.UserContext(), reviews.Decision{ReviewID: id, OperatorID: session.UserID,
		Hide:   respond.FormValue(c, views.FieldAction) == views.ActionHide,
		Reason: respond.FormValue(c, views.FieldReason), Version: version})
	if errors.Is(err, reviews.ErrChanged) {
		return respond.RedirectSaying(c, views.OperatorReviewsURL(), views.FlashError,
			"error."+respond.ProblemOf(err).Code)
	}
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		return p.showReviews(c, session, id, invalid)
	}
	return respond.Done(c, err, views.OperatorReviewsURL(), views.FlashSuccess, "flash.review_decided")
}
