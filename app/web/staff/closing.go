package staff

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/closing"
	"lunchgo/app/identity"
	"lunchgo/app/refusal"
	"lunchgo/app/setup"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/staff"
)

// closingView is what is closed: a day, or slots of it.
type closingView struct {
	steering
	hours closing.Hours
}

// url is the address of the page.
func (v closingView) url() string {
	if v.isDay() {
		return views.StaffClosingURL(v.Restaurant.ID, v.start)
	}
	return views.StaffSlotClosingURL(v.Restaurant.ID, v.start, string(v.hours.Last))
}

// closingForm is the form that closes a day, as typed, and what became of it.
type closingForm struct {
	closingView
	order  closing.Order
	chosen string // what becomes of the reservations; empty before the form was sent
	offer  offerTyped
	errs   views.FieldErrors // of the refusal, if its sentence does not say enough
}

// closingOf reads which day or which slots a path names, for somebody who may close them.
func (p *Pages) closingOf(c *fiber.Ctx) (v closingView, err error) {
	if v.steering, err = p.steering(c); err != nil {
		return v, err
	}
	v.hours, err = closing.HoursOf(v.date, v.at, strings.Clone(c.Query(views.FieldLast)))
	if err != nil {
		return v, respond.NotFound
	}
	return v, v.By.Check(v.Restaurant.ID, v.hours.Action())
}

// closing answers GET …/days/{date}/closing and GET …/slots/{date}/{time}/closing.
func (p *Pages) closing(c *fiber.Ctx, v closingView) error {
	day, err := p.Closings.Find(c.UserContext(), v.By, v.Restaurant, v.hours)
	if err != nil {
		return err
	}
	return p.showClosing(c, closingForm{closingView: v}, day)
}

// close answers POST to the addresses of closing. Reservations are cancelled only if the form has named them.
func (p *Pages) close(c *fiber.Ctx, v closingView) error {
	what := respond.FormValue(c, views.FieldReservations)
	f := closingForm{closingView: v, chosen: what, offer: readOffer(c), order: closing.Order{Hours: v.hours,
		Reason:  respond.FormValue(c, views.FieldReason),
		Cancel:  what == views.ReservationsCancel,
		Write:   what == views.ReservationsWrite || what == views.ReservationsOffer,
		Named:   strings.Split(respond.FormValue(c, views.FieldConfirmed), ","),
		Message: respond.FormValue(c, views.FieldMessage)}}
	if f.chosen == views.ReservationsOffer {
		f.order.Offer, f.refused = f.offer.read()
		if f.refused == nil && f.order.Offer.IsNone() {
			f.refused = booking.Invalid([]booking.FieldError{{Field: "offer.date", Reason: "required"}})
		}
	}
	if f.refused == nil {
		f.refused = p.Closings.Close(c.UserContext(), v.By, v.Restaurant, f.order)
	}
	if f.refused == nil {
		if f.order.Write {
			return respond.RedirectSaying(c, v.url(), views.FlashSuccess, "flash.closing_written")
		}
		return respond.SeeOther(c, v.url())
	}
	var invalid *booking.InvalidError
	switch {
	case errors.Is(f.refused, booking.ErrChangedMeanwhile):
		f.errs = views.FieldErrors{views.FieldForm: i18n.T(respond.Lang(c), "closing.more_now")}
	case errors.As(f.refused, &invalid):
		f.errs = closingErrors(respond.Lang(c), invalid)
	case !errors.Is(f.refused, setup.ErrChanged) && !errors.Is(f.refused, booking.ErrPast) &&
		!errors.Is(f.refused, identity.ErrTooManyLetters):
		return f.refused
	}
	day, err := p.Closings.Find(c.UserContext(), v.By, v.Restaurant, v.hours)
	if err != nil {
		return err
	}
	return p.showClosing(c, f, day)
}

// closingFields are those of the form that say themselves what is wrong with them.
var closingFields = []string{views.FieldReason, views.FieldMessage, views.FieldOfferDate, views.FieldOfferTime}

// closingErrors says what is wrong in the form; what has no field there is wrong with all of it.
func closingErrors(lang string, invalid *booking.InvalidError) views.FieldErrors {
	errs := guestErrors(lang, invalid)
	for _, field := range slices.Sorted(maps.Keys(errs)) {
		if !slices.Contains(closingFields, field) {
			errs[views.FieldForm] = errs[field]
			delete(errs, field)
		}
	}
	return errs
}

// showClosing renders a day with what was typed.
func (p *Pages) showClosing(c *fiber.Ctx, f closingForm, day closing.Day) error {
	page := views.StaffClosing{StaffShell: p.shell(c, f.place), Day: f.start, Closed: day.Closed,
		IsOver: f.date < f.Today(p.Bookings.Now()), Reason: day.Reason, Money: day.Money(),
		Done: day.Count(closing.Done), Pending: day.Count(closing.Pending), Errors: f.errs}
	page.Offer = p.offerForm(page.Lang, f.place, f.offer)
	if page.Chosen = f.chosen; f.chosen != "" {
		page.Reason, page.Message = f.order.Reason, f.order.Message
	}
	if page.Last = string(f.hours.Last); !f.hours.IsDay() {
		page.IsOver = !p.Bookings.Now().Before(f.start)
		for _, at := range append([]booking.TimeOfDay{f.hours.First}, day.Later...) {
			page.Lasts = append(page.Lasts, views.Choice{Value: string(at), Label: i18n.Clock(page.Lang, string(at))})
		}
	}
	for _, party := range day.Coming() {
		page.Named = append(page.Named, party.ReservationID)
		page.People += party.PartySize
		if party.CanCancel() {
			page.Cancels++
		}
	}
	for _, party := range day.First() {
		shown := f.closingParty(page.Lang, party)
		if party.Comes() {
			page.Coming = append(page.Coming, shown)
		}
		if party.HasFailed() {
			page.Failed = append(page.Failed, shown)
		}
	}
	for _, other := range day.Others {
		page.Others = append(page.Others, views.ClosingDay{Day: f.Midnight(other.Date), Parties: other.Parties})
	}
	status := fiber.StatusOK
	if f.refused != nil {
		why := respond.ProblemOf(f.refused)
		if status = why.Status; page.Errors == nil {
			page.Errors = views.FieldErrors{views.FieldForm: respond.Sentence(page.Lang, why)}
		}
	}
	return respond.Render(c, status, pages.Closing(page))
}

func (v steering) closingParty(lang string, p closing.Party) views.ClosingParty {
	out := views.ClosingParty{Paid: p.Paid, Reached: p.Reached, There: p.Comes() && !p.CanCancel(),
		MessageGuest: views.MessageGuest{ReservationID: p.ReservationID, Name: guestName(lang, p.Name),
			When: v.timeOf(lang, v.date, p.Time, v.date), Party: p.PartySize, Phone: p.Phone, Answer: p.Answer}}
	if p.Progress == closing.Failed {
		known := refusal.ByCode(p.Failure)
		switch {
		case known == nil:
			out.Failure = i18n.T(lang, "error.internal")
		case errors.Is(known, refusal.Forbidden):
			out.Failure = i18n.T(lang, "closing.orderer_left")
		default:
			out.Failure = respond.Sentence(lang, respond.NewProblem(known))
		}
	}
	return out
}
