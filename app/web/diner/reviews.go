package diner

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reviews"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/reviews"
)

// reviewsPerPage is how many reviews a restaurant's page shows, and each step to more of them.
const reviewsPerPage = 6

// reviews answers GET /restaurants/:slug/reviews; only the reviews when that part of the page is asked for.
func (s *Pages) reviews(c *fiber.Ctx) error {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	if err != nil {
		return err
	}
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	asked.Limit = reviewsPerPage
	found, err := s.Reviews.List(c.UserContext(), r.ID, reviews.Filter{}, asked)
	if err != nil {
		return err
	}
	list := reviewList(respond.Lang(c), r, found)
	if respond.WantsPart(c, "reviews-more") {
		return respond.Render(c, fiber.StatusOK, pages.More(list))
	}
	return respond.Render(c, fiber.StatusOK, pages.Reviews(views.Reviews{Layout: s.layout(c), List: list}))
}

// newestReviews are those on a restaurant's page, a moment ago. A restaurant without a rating costs no query.
func (s *Pages) newestReviews(ctx context.Context, lang string, r booking.Restaurant) (views.ReviewList, error) {
	if r.Rating.Reviews == 0 {
		return views.ReviewList{}, nil
	}
	found, err := s.newest.Load(ctx, r.ID, func(ctx context.Context) (keyset.Page[reviews.Review], error) {
		return s.Reviews.List(ctx, r.ID, reviews.Filter{}, keyset.Request{Limit: reviewsPerPage})
	})
	return reviewList(lang, r, found), err
}

func reviewList(lang string, r booking.Restaurant, found keyset.Page[reviews.Review]) views.ReviewList {
	list := views.ReviewList{Lang: lang, Of: &r, Reviews: found.Items}
	if found.Next != "" {
		list.Next = views.ReviewsURL(r.Slug, found.Next)
	}
	return list
}

// ownReviews are the reviews of those visits among a diner's reservations that are completed, and which of the others
// may still be reviewed, by the id of the reservation.
func (s *Pages) ownReviews(ctx context.Context, all []booking.Reservation) (map[string]reviews.Review,
	map[string]bool, error) {
	var visits []string
	open := map[string]bool{}
	for _, res := range all {
		if res.State != booking.Completed {
			continue
		}
		r, err := s.Bookings.Catalog.FindRestaurant(ctx, res.RestaurantID)
		if err != nil {
			return nil, nil, err
		}
		visits = append(visits, res.ID)
		open[res.ID] = reviews.CheckVisit(res.State, res.Slot.Date, booking.DateOf(s.now(), r.Location)) == nil
	}
	if len(visits) == 0 {
		return nil, nil, nil
	}
	written, err := s.Reviews.ListOf(ctx, visits)
	for id := range written { // in any order
		delete(open, id)
	}
	return written, open, err
}

// reviewForm answers GET /reservations/:id/review.
func (s *Pages) reviewForm(c *fiber.Ctx, res booking.Reservation) error {
	return s.showReviewForm(c, res, nil, nil)
}

// showReviewForm shows the form with the review as it is, or a draft with what is wrong with it. What cannot be
// reviewed is shown as it is.
func (s *Pages) showReviewForm(c *fiber.Ctx, res booking.Reservation, draft *reviews.Draft,
	invalid *booking.InvalidError) error {
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	written, open, err := s.ownReviews(c.UserContext(), []booking.Reservation{res})
	if err != nil {
		return err
	}
	review, isWritten := written[res.ID]
	if !open[res.ID] && !isWritten || review.HiddenReason != "" {
		return respond.Redirect(c, views.ReservationURL(res.ID))
	}
	page := views.ReviewForm{Layout: s.layout(c), ReservationID: res.ID, Restaurant: b.restaurant, At: b.at,
		Party: res.PartySize, Stars: review.Stars, Text: review.Text, IsWritten: isWritten}
	page.Author = reviews.ShortName(page.SignedInName)
	if invalid == nil {
		return respond.Render(c, fiber.StatusOK, pages.Form(page))
	}
	page.Path, page.Stars, page.Text = views.ReviewURL(res.ID), draft.Stars, draft.Text
	page.Errors = views.ReviewErrors(page.Lang, invalid)
	return respond.Render(c, fiber.StatusUnprocessableEntity, pages.Form(page))
}

// writeReview answers POST /reservations/:id/review.
func (s *Pages) writeReview(c *fiber.Ctx, res booking.Reservation) error {
	draft := reviews.Draft{UserID: res.UserID, ReservationID: res.ID, Text: respond.FormValue(c, views.FieldText)}
	draft.Stars, _ = strconv.Atoi(respond.FormValue(c, views.FieldStars)) // 0 is refused
	_, err := s.Reviews.Write(c.UserContext(), draft)
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		return s.showReviewForm(c, res, &draft, invalid)
	}
	if err != nil {
		return err
	}
	s.newest.Forget(res.RestaurantID)
	return respond.RedirectSaying(c, views.ReservationURL(res.ID), views.FlashSuccess, "flash.review_saved")
}

// deleteReview answers POST /reservations/:id/review/delete.
func (s *Pages) deleteReview(c *fiber.Ctx, res booking.Reservation) error {
	if err := s.Reviews.Delete(c.UserContext(), res.UserID, res.ID); err != nil {
		return err
	}
	s.newest.Forget(res.RestaurantID)
	return respond.RedirectSaying(c, views.ReservationURL(res.ID), views.FlashSuccess, "flash.review_deleted")
}

// reportForm answers GET /reviews/:review/report.
func (s *Pages) reportForm(c *fiber.Ctx, page views.ReviewReport, _ identity.Session) error {
	return respond.Render(c, fiber.StatusOK, pages.Report(page))
}

// reported finds the review of the path, and who reads it.
func (s *Pages) reported(c *fiber.Ctx) (page views.ReviewReport, session identity.Session, err error) {
	if session, err = respond.Session(c); err != nil {
		return page, session, err
	}
	id, err := respond.NumberParam(c, "review")
	if err != nil {
		return page, session, err
	}
	if page.Review, err = s.Reviews.Find(c.UserContext(), id); err != nil {
		return page, session, err
	}
	r, err := s.Bookings.Catalog.FindRestaurant(c.UserContext(), page.Review.RestaurantID)
	page.Layout, page.Of = s.layout(c), &r
	return page, session, err
}

// reportReview answers POST /reviews/:review/report.
func (s *Pages) reportReview(c *fiber.Ctx, page views.ReviewReport, session identity.Session) error {
	page.Reason = respond.FormValue(c, views.FieldReason)
	err := s.Reviews.Report(c.UserContext(), page.Review.ID, session.UserID, page.Reason)
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		page.Errors = views.ReviewErrors(page.Lang, invalid)
		return respond.Render(c, fiber.StatusUnprocessableEntity, pages.Report(page))
	}
	return respond.Done(c, err, views.RestaurantURL(page.Of.Slug), views.FlashSuccess, "flash.review_reported")
}
