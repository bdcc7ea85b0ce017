package diner

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/refusal"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// submission is a sent booking form and what became of it.
type submission struct {
	by         reserve.Submitter
	restaurant booking.Restaurant
	form       views.BookingForm
	draft      booking.Draft
	problem    *views.BookingProblem
	short      []booking.Shortage     // dishes of which less is left than was ordered
	seats      booking.SeatTakenError // chosen ones that somebody has
	coupon     bool                   // was refused
	refused    bool                   // a rush is full of those: answering one asks no database
	signedOut  bool                   // the form asked for no address, as it was of somebody who was signed in
	asks       views.Consent          // beside the button
	own        *booking.Reservation   // that is being changed; nil for a new one
}

// reserve answers POST /restaurants/:slug/reservations.
func (s *Pages) reserve(c *fiber.Ctx) error {
	p, err := s.submissionOf(c)
	if err != nil {
		return err
	}
	session, unknown := respond.Session(c)
	p.by.UserID = session.UserID
	p.signedOut = unknown != nil && !c.Request().PostArgs().Has(views.FieldEmail)
	switch {
	case isRefresh(c):
		return s.bookingAgain(c, p, fiber.StatusOK, nil)
	case unknown != nil && s.NoLetters:
		return s.bookingAgain(c, p, fiber.StatusUnauthorized, nil)
	}
	if p.by.IdempotencyKey, err = respond.FormKey(c); err != nil {
		return err
	}
	var fieldErrors []respond.Field
	p.draft, fieldErrors = draftOf(p.restaurant, p.form)
	if unknown != nil {
		fieldErrors = append(fieldErrors, signUpErrors(personOf(c, p).CheckWithoutPassword())...)
	}
	if len(fieldErrors) > 0 {
		fieldErrors = append(fieldErrors, s.furtherErrors(c.UserContext(), p.draft)...)
		return s.bookingAgain(c, p, fiber.StatusUnprocessableEntity, fieldErrors)
	}
	if unknown != nil {
		if p.by.UserID, err = s.introduce(c, p); err != nil {
			return s.refuse(c, p, respond.ProblemOf(err), err)
		}
		p.asks = views.Consent{} // the account has the consent
	}
	return s.submit(c, p)
}

// submit enters the line with a form that was checked, and sends the diner on.
func (s *Pages) submit(c *fiber.Ctx, p submission) error {
	watch, _, err := s.Bookings.Submit(c.UserContext(), p.by, p.draft)
	if err != nil {
		return s.refuse(c, p, respond.ProblemOf(err), err)
	}
	defer watch.Close()
	s.noteBooking(c, &p)
	return s.settle(c, watch, func(result waiting.Result) error {
		return toReserved(c, result)
	}, func(why respond.Problem) error { return s.refuse(c, p, why, why) })
}

// personOf is who fills a form in without being signed in.
func personOf(c *fiber.Ctx, p submission) identity.SignUp {
	return identity.SignUp{Name: p.form.Name, Email: p.form.Email, Phone: p.form.Phone, Language: respond.Lang(c)}
}

// introduce makes an account for whoever fills the form in, and signs the browser in. It returns the account's id.
func (s *Pages) introduce(c *fiber.Ctx, p submission) (userID string, err error) {
	person := personOf(c, p)
	person.Agrees = s.saidTo(c, identity.ByCheckout)
	token, session, err := s.Limits.Introduce(c, person, p.by.IdempotencyKey)
	if err != nil {
		return "", err
	}
	return session.UserID, s.signInBrowser(c, token, session)
}

func (s *Pages) submissionOf(c *fiber.Ctx) (submission, error) {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	return submission{restaurant: r, form: readBookingForm(c), asks: s.askedBy(c)}, err
}

// refuse shows the form again with why it led to nothing, if the table of outcomes says where; else it returns
// err. The form gets a new key where the old one is answered.
func (s *Pages) refuse(c *fiber.Ctx, p submission, why respond.Problem, err error) error {
	var invalid *booking.InvalidError
	switch {
	case errors.As(err, &invalid):
		return s.bookingAgain(c, p, why.Status, formErrors(p.draft, invalid.Fields))
	case why.Field == views.FieldCoupon:
		return s.refuseCoupon(c, p, why.Code)
	case why.Code == waiting.ErrInProgress.Code: // the key is not answered yet
		p.problem = &views.BookingProblem{Kind: headline(why)}
		return s.bookingAgain(c, p, why.Status, nil)
	case why.Headline != "":
		s.explain(c, &p, why)
		p.form.IdempotencyKey = rand.Text()
		return s.bookingAgain(c, p, why.Status, nil)
	case why.Field != "":
		p.form.IdempotencyKey = rand.Text()
		return s.bookingAgain(c, p, why.Status, []respond.Field{{Name: why.Field, Reason: why.Code}})
	}
	return err
}

// explain puts into the form what a turn, or the cache, said of what it asks for.
func (s *Pages) explain(c *fiber.Ctx, p *submission, why respond.Problem) {
	p.problem = &views.BookingProblem{Kind: headline(why), Remaining: refusal.Details[booking.SoldOutError](why).Remaining,
		ReservationID: reservationOf(why),
		Reason:        respond.OwnSentence(respond.Lang(c), why)}
	p.short = refusal.Details[booking.OutOfStockError](why).Items
	p.seats = refusal.Details[booking.SeatTakenError](why)
	p.problem.Seats, p.problem.OtherSeats = labelsOf(p.restaurant, p.seats.Taken),
		labelsOf(p.restaurant, p.seats.Instead)
	p.problem.Items = s.shortNames(c.UserContext(), respond.Lang(c), p.restaurant.ID, p.short)
	if why.Code == booking.ErrSoldOut.Code {
		p.problem.WaitlistURL = p.waitlistURL()
	}
	if why.Alternatives {
		p.problem.Alternatives = slotsOf(s.near(c.UserContext(), *p))
	}
}

// near are open slots near the one that the form asks for; none if they are not known.
func (s *Pages) near(ctx context.Context, p submission) []reserve.Slot {
	slot := booking.SlotKey{RestaurantID: p.restaurant.ID, Date: booking.Date(p.draft.Date),
		Time: booking.TimeOfDay(p.draft.Time)}
	near, err := s.nearby.List(ctx, p.restaurant, slot, reserve.PartyStayOf(ctx, s.Bookings, p.draft, slot))
	if err != nil {
		s.Log.WarnContext(ctx, "find alternatives failed", "error", err) // a refusal without them beats none
	}
	return near
}

// refuseCoupon shows the form again with why the chosen coupon cannot be used, and with those that can.
func (s *Pages) refuseCoupon(c *fiber.Ctx, p submission, code string) error {
	s.held.Forget(p.by.UserID)
	p.coupon, p.form.Coupon, p.form.IdempotencyKey = true, "", rand.Text()
	return s.bookingAgain(c, p, fiber.StatusConflict, []respond.Field{{Name: views.FieldCoupon, Reason: code}})
}

// furtherErrors are those of a draft of which some answers could not even be read, so that the diner hears of all
// at once.
func (s *Pages) furtherErrors(ctx context.Context, draft booking.Draft) []respond.Field {
	var invalid *booking.InvalidError
	if _, _, err := s.Bookings.Check(ctx, draft); errors.As(err, &invalid) {
		return formErrors(draft, invalid.Fields)
	}
	return nil
}

// bookingURL is the form with as much of its answers as an address carries.
func bookingURL(p submission) string {
	day, err := time.ParseInLocation(time.DateOnly, p.form.Date, p.restaurant.Location)
	party, ok := respond.ReadPartySize(p.form.Party, usualParty(p.restaurant))
	if err != nil || !ok {
		return views.RestaurantURL(p.restaurant.Slug)
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", p.form.Date+" "+p.form.Time, p.restaurant.Location)
	if err != nil {
		return views.RestaurantDayURL(p.restaurant.Slug, day, party)
	}
	return views.BookURL(p.restaurant.Slug, at, party)
}
