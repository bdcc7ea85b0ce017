package diner

import (
	"cmp"
	"crypto/rand"
	"errors"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/refusal"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// changing is a change that its diner is about to make, and the form it is made with.
type changing struct {
	submission
	res    booking.Reservation
	quoted int64
}

// askChange answers GET /reservations/:id/change; what cannot be changed any more is shown as it is.
func (s *Pages) askChange(c *fiber.Ctx, p changing) error {
	if _, err := s.Bookings.CheckChange(c.UserContext(), p.res.UserID, p.res.ID, booking.ChangeDraft{}); over(err) {
		return respond.Redirect(c, views.ReservationURL(p.res.ID))
	}
	p.form = formOf(p.res)
	return s.changeForm(c, p, fiber.StatusOK, nil)
}

// over says whether an error is about the reservation, and not about what is wanted instead.
func over(err error) bool {
	return slices.ContainsFunc([]error{booking.ErrWrongState, booking.ErrHoldExpired, booking.ErrPast,
		booking.ErrTooLateToChange,
		booking.ErrChangedMeanwhile}, func(known error) bool { return errors.Is(err, known) })
}

// changingOf reads whose reservation is to be changed.
func (s *Pages) changingOf(c *fiber.Ctx) (changing, error) {
	res, err := s.own(c)
	if err != nil {
		return changing{}, err
	}
	r, err := s.Bookings.Catalog.FindRestaurant(c.UserContext(), res.RestaurantID)
	return changing{res: res, submission: submission{by: reserve.Submitter{UserID: res.UserID}, restaurant: r,
		own: &res}}, err
}

// formOf is the form as it is filled in at first.
func formOf(res booking.Reservation) views.BookingForm {
	form := views.BookingForm{Date: string(res.Slot.Date), Time: string(res.Slot.Time),
		Party: strconv.Itoa(res.PartySize), Note: res.Note, Allergies: res.Allergies,
		Was: booking.Texts{Note: res.Note, Allergies: res.Allergies}, Quantities: map[int64]string{}}
	for _, it := range res.Items {
		form.Quantities[it.MenuItemID] = strconv.Itoa(it.Quantity)
	}
	return form
}

// change answers POST /reservations/:id/change: it looks times up, says what a change costs, or makes it.
func (s *Pages) change(c *fiber.Ctx, p changing) (err error) {
	p.form = readBookingForm(c)
	if isRefresh(c) {
		return s.changeForm(c, p, fiber.StatusOK, nil)
	}
	var fieldErrors []respond.Field
	p.draft, fieldErrors = draftOf(p.restaurant, p.form)
	if len(fieldErrors) > 0 {
		return s.changeForm(c, p, fiber.StatusUnprocessableEntity, fieldErrors)
	}
	action := respond.FormValue(c, views.FieldAction)
	if action != views.ActionChange && action != views.ActionByCard {
		p.form.IdempotencyKey = rand.Text()
		return s.previewChange(c, p, respond.Problem{Status: fiber.StatusOK})
	}
	if p.by.IdempotencyKey, err = respond.FormKey(c); err != nil {
		return err
	}
	if p.quoted, err = strconv.ParseInt(respond.FormValue(c, views.FieldQuoted), 10, 64); err != nil {
		return respond.BadRequest
	}
	if action == views.ActionByCard {
		return s.payForChange(c, p)
	}
	return s.submitChange(c, p)
}

// payForChange has the payment provider expect what the wallet lacks for the change, and sends the diner there. What the
// wallet can pay alone it pays.
func (s *Pages) payForChange(c *fiber.Ctx, p changing) error {
	begun, err := s.Checkout.BeginChange(c.UserContext(), respond.Lang(c), p.by, p.res.ID, p.wanted())
	switch {
	case err == nil:
		return respond.Redirect(c, views.PaymentURL(begun.ID))
	case errors.Is(err, payments.ErrWalletPays), errors.Is(err, payments.ErrNone),
		errors.Is(err, booking.ErrNothingToChange): // or the key has made the change already
		return s.submitChange(c, p)
	case errors.Is(err, payments.ErrAway), errors.Is(err, payments.ErrRefused):
		return s.previewChange(c, p, respond.ProblemOf(err))
	}
	return s.refuseChange(c, p, err)
}

// wanted is what the form asks for instead.
func (p changing) wanted() booking.ChangeDraft {
	items := p.draft.Items
	if items == nil {
		items = []booking.DraftItem{}
	}
	wanted := booking.ChangeDraft{Date: &p.draft.Date, Time: &p.draft.Time, PartySize: &p.draft.PartySize,
		Items: &items, SeatIDs: p.draft.SeatIDs, Quoted: p.quoted}
	if p.draft.Note != p.form.Was.Note {
		wanted.Note = &p.draft.Note
	}
	if p.draft.Allergies != p.form.Was.Allergies {
		wanted.Allergies = &p.draft.Allergies
	}
	return wanted
}

// submitChange enters the change into the line and sends the diner on.
func (s *Pages) submitChange(c *fiber.Ctx, p changing) error {
	watch, _, err := s.Bookings.Change(c.UserContext(), p.by, p.res.ID, p.wanted())
	if err != nil {
		return s.refuseChange(c, p, err)
	}
	defer watch.Close()
	return s.settle(c, watch, func(waiting.Result) error { return toChanged(c, p.res.ID) },
		func(why respond.Problem) error { return s.refuseChangeTurn(c, p, why) })
}

// refuseChange answers a change that did not get into the line.
func (s *Pages) refuseChange(c *fiber.Ctx, p changing, err error) error {
	why := respond.ProblemOf(err)
	var invalid *booking.InvalidError
	switch {
	case errors.As(err, &invalid):
		return s.changeForm(c, p, why.Status, formErrors(p.draft, invalid.Fields))
	case why.Code == booking.ErrAmountChanged.Code:
		return s.previewChange(c, p, why)
	case why.Code == waiting.ErrInProgress.Code:
		p.problem = &views.BookingProblem{Kind: headline(why)}
		return s.changeForm(c, p, why.Status, nil)
	case why.Field == views.FieldForm:
		return s.changeForm(c, p, why.Status, []respond.Field{{Name: why.Field, Reason: why.Code}})
	case over(err):
		return respond.RedirectSaying(c, views.ReservationURL(p.res.ID), views.FlashError, "error."+why.Code)
	}
	return err
}

// refuseChangeTurn answers a change whose turn led to nothing, with what was asked for.
func (s *Pages) refuseChangeTurn(c *fiber.Ctx, p changing, why respond.Problem) error {
	switch {
	case why.Code == booking.ErrAmountChanged.Code, why.Code == refusal.BalanceTooLow.Code:
		return s.previewChange(c, p, why)
	case why.Headline != "" && why.Unchanged != "":
		p.short, p.refused = refusal.Details[booking.OutOfStockError](why).Items, true
		p.problem = &views.BookingProblem{Kind: headline(why),
			Remaining:     refusal.Details[booking.SoldOutError](why).Remaining,
			ReservationID: reservationOf(why),
			Reason:        respond.OwnSentence(respond.Lang(c), why),
			Items:         s.shortNames(c.UserContext(), respond.Lang(c), p.restaurant.ID, p.short)}
		return s.changeForm(c, p, why.Status, nil)
	}
	return toUnchanged(c, p.res.ID, why)
}

// toChanged shows a reservation that was changed.
func toChanged(c *fiber.Ctx, id string) error {
	return respond.RedirectSaying(c, views.ReservationURL(id), views.FlashSuccess, "flash.changed")
}

// toUnchanged shows a reservation that stays as it was, and why.
func toUnchanged(c *fiber.Ctx, id string, why respond.Problem) error {
	return respond.RedirectSaying(c, views.ReservationURL(id), views.FlashError,
		"flash."+cmp.Or(why.Unchanged, "unchanged"))
}

// changeForm shows the form with its answers.
func (s *Pages) changeForm(c *fiber.Ctx, p changing, status int, fieldErrors []respond.Field) error {
	f := s.layoutInRush(c)
	f.Path = views.ChangeURL(p.res.ID) // a change of language cannot send the form again
	b, err := s.booked(c.UserContext(), p.res)
	if err != nil {
		return err
	}
	page, err := s.bookingPage(c.UserContext(), f, p.submission)
	if err != nil {
		return err
	}
	page.Problem, page.Coupons = p.problem, nil
	page.Press, page.Dishes.Press = views.ChangeURL(p.res.ID), views.ChangeURL(p.res.ID)
	page.Errors = errorsOf(f.Lang, fieldErrors)
	page.Dishes.Errors = itemErrors(page.Errors)
	return respond.Render(c, status, pages.Change(views.Change{Booking: page, ReservationID: p.res.ID,
		Now: views.ChangeSide{At: b.at, Until: b.until, Party: p.res.PartySize, Items: b.items}}))
}

// previewChange says what the change costs, and what spoke against it a moment ago, if something did.
func (s *Pages) previewChange(c *fiber.Ctx, p changing, why respond.Problem) error {
	quote, err := s.Bookings.QuoteChange(c.UserContext(), p.res.UserID, p.res.ID, p.wanted())
	if err != nil {
		return s.refuseChange(c, p, err)
	}
	f := s.layout(c)
	f.Path = views.ChangeURL(p.res.ID)
	page, err := s.preview(c.UserContext(), f, quote)
	if err != nil {
		return err
	}
	page.Form, page.Changed = p.form, why.Code == booking.ErrAmountChanged.Code
	page.Form.IdempotencyKey = rand.Text()
	switch why.Code {
	case refusal.BalanceTooLow.Code, payments.ErrAway.Code, payments.ErrRefused.Code:
		page.Errors = errorsOf(f.Lang, []respond.Field{{Name: views.FieldForm, Reason: why.Code}})
	}
	return respond.Render(c, why.Status, pages.ChangePreview(page))
}
