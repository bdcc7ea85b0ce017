package diner

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// turnPatience is how long a press waits for its turn before the diner is shown the line: most of the time there is
// none.
const turnPatience = 700 * time.Millisecond

// pressed is a press of "pay the deposit" and what became of it.
type pressed struct {
	by         reserve.Submitter
	restaurant booking.Restaurant
	form       views.BookingForm
	draft      booking.Draft
	problem    *views.BookingProblem
	short      []booking.Shortage     // dishes of which less is left than was ordered
	seats      booking.SeatTakenError // chosen ones that somebody has
	coupon     bool                   // was refused
	refused    bool                   // a rush is full of those: answering one asks no database
	own        *booking.Reservation   // that is being changed; nil for a new one
}

// reserve answers POST /restaurants/:slug/reservations.
func (s *Pages) reserve(c *fiber.Ctx) error {
	p, err := s.pressOf(c)
	if err != nil {
		return err
	}
	session, unknown := respond.Session(c)
	p.by.UserID = session.UserID
	switch {
	case isRefresh(c):
		return s.bookingAgain(c, p, fiber.StatusOK, nil)
	case unknown != nil:
		return respond.Redirect(c, views.SignInURL(bookingURL(p)))
	}
	if p.by.IdempotencyKey, err = respond.FormKey(c); err != nil {
		return err
	}
	var faults []respond.Field
	p.draft, faults = draftOf(p.restaurant, p.form)
	if len(faults) > 0 {
		return s.refuseForm(c, p, append(faults, s.furtherFaults(c.UserContext(), p.draft)...))
	}
	watch, _, err := s.Bookings.Submit(c.UserContext(), p.by, p.draft)
	if err != nil {
		return s.refusePress(c, p, err)
	}
	defer watch.Close()
	return s.answerPress(c, p, watch)
}

func (s *Pages) pressOf(c *fiber.Ctx) (pressed, error) {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	return pressed{restaurant: r, form: readBookingForm(c)}, err
}

// answerPress sends the diner on: to the payment of the table, to the line, or back to the form.
func (s *Pages) answerPress(c *fiber.Ctx, p pressed, watch *waiting.Watch) error {
	patience, cancel := context.WithTimeout(c.UserContext(), turnPatience)
	defer cancel()
	switch status := watch.WaitForResult(patience); status.State {
	case waiting.Reserved:
		return respond.Redirect(c, views.PayURL(status.Result.ReservationID))
	case waiting.Waiting:
		return respond.Redirect(c, views.TicketFromURL(watch.Token(), status.Position))
	case waiting.Left:
		return respond.Redirect(c, views.TicketURL(watch.Token()))
	default:
		return s.refuseWish(c, p, status.Result)
	}
}

// refuseWish shows the form again with what the turn, or the cache, had to say. It has a new key: the old one is
// answered.
func (s *Pages) refuseWish(c *fiber.Ctx, p pressed, result waiting.Result) error {
	what, _ := respond.ProblemOfResult(result)
	switch {
	case result.Code == waiting.CodeKeyReused:
		return s.refusePress(c, p, booking.ErrKeyReused)
	case what.Status != fiber.StatusConflict:
		return what
	case outcomeKind(result) == views.OutcomeCoupon:
		return s.refuseCoupon(c, p, result.Code)
	}
	var near []reserve.Slot
	if result.Code == waiting.CodeSoldOut || result.Code == waiting.CodeClosed || result.Code == waiting.CodeSeatTaken {
		slot := booking.SlotKey{RestaurantID: p.restaurant.ID, Date: booking.Date(p.draft.Date), Time: booking.TimeOfDay(p.draft.Time)}
		var err error
		if near, err = s.nearby.List(c.UserContext(), p.restaurant, slot, reserve.VisitOf(c.UserContext(), s.Bookings, p.draft, slot)); err != nil {
			s.Log.Warn("alternatives are not known", "error", err) // a refusal without them beats none
		}
	}
	p.short = waiting.Shortages(result)
	p.problem = problemOf(result, near)
	p.seats = waiting.Seats(result)
	p.problem.Seats, p.problem.OtherSeats = labelsOf(p.restaurant, p.seats.Taken), labelsOf(p.restaurant, p.seats.Instead)
	if result.Code == waiting.CodeSoldOut {
		p.problem.WaitlistURL = p.waitlistURL()
	}
	p.problem.Items = s.shortNames(c.UserContext(), respond.Lang(c), p.restaurant.ID, p.short)
	p.form.IdempotencyKey = rand.Text()
	return s.bookingAgain(c, p, what.Status, nil)
}

// refusePress answers a press that did not get into the room.
func (s *Pages) refusePress(c *fiber.Ctx, p pressed, err error) error {
	var invalid *booking.InvalidError
	switch {
	case errors.As(err, &invalid):
		return s.refuseForm(c, p, formFaults(p.draft, invalid.Fields))
	case errors.Is(err, booking.ErrCoupon):
		return s.refuseCoupon(c, p, respond.ProblemOf(err).Code)
	case errors.Is(err, waiting.ErrInProgress):
		p.problem = &views.BookingProblem{Kind: views.OutcomeInProgress}
		return s.bookingAgain(c, p, fiber.StatusConflict, nil)
	case errors.Is(err, booking.ErrKeyReused):
		p.form.IdempotencyKey = rand.Text()
		return s.refuseForm(c, p, []respond.Field{{Name: views.FieldForm, Reason: "key_reused"}})
	}
	return err
}

// refuseCoupon shows the form again with why the chosen coupon cannot be used, and with those that can.
func (s *Pages) refuseCoupon(c *fiber.Ctx, p pressed, code string) error {
	s.held.Forget(p.by.UserID)
	p.coupon, p.form.Coupon, p.form.IdempotencyKey = true, "", rand.Text()
	return s.bookingAgain(c, p, fiber.StatusConflict, []respond.Field{{Name: views.FieldCoupon, Reason: code}})
}

// furtherFaults are those of a draft of which some answers could not even be read, so that the diner hears of all at once.
func (s *Pages) furtherFaults(ctx context.Context, draft booking.Draft) []respond.Field {
	var invalid *booking.InvalidError
	if _, _, err := s.Bookings.Check(ctx, draft); errors.As(err, &invalid) {
		return formFaults(draft, invalid.Fields)
	}
	return nil
}

func (s *Pages) refuseForm(c *fiber.Ctx, p pressed, faults []respond.Field) error {
	return s.bookingAgain(c, p, fiber.StatusUnprocessableEntity, faults)
}

// bookingURL is the form with as much of its answers as an address carries.
func bookingURL(p pressed) string {
	at, err := time.ParseInLocation("2006-01-02 15:04", p.form.Date+" "+p.form.Time, p.restaurant.Location)
	party, ok := respond.ReadPartySize(p.form.Party, usualParty(p.restaurant))
	if err != nil || !ok {
		return views.RestaurantURL(p.restaurant.Slug)
	}
	return views.BookURL(p.restaurant.Slug, at, party)
}
