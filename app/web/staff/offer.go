package staff

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// offerTyped is another time that staff offer to guests, as typed.
type offerTyped struct {
	date, time string
	refund     bool
}

func readOffer(c *fiber.Ctx) offerTyped {
	return offerTyped{respond.FormValue(c, views.FieldOfferDate), respond.FormValue(c, views.FieldOfferTime),
		respond.FormValue(c, views.FieldOfferRefund) == views.Yes}
}

// read returns what is offered, which is nothing without a date. Returns *booking.InvalidError.
func (o offerTyped) read() (offer booking.OfferedTime, err error) {
	if o.date == "" {
		return offer, nil
	}
	offer.Refund = o.refund
	if offer.Date, err = booking.ParseDate(o.date); err != nil {
		return offer, booking.Invalid([]booking.FieldError{{Field: "offer.date", Reason: "invalid_date"}})
	}
	if o.time == "" {
		return offer, nil
	}
	if offer.Time, err = booking.ParseTimeOfDay(o.time); err != nil {
		return offer, booking.Invalid([]booking.FieldError{{Field: "offer.time", Reason: "invalid_time"}})
	}
	return offer, nil
}

// offeredDays is how far ahead the form looks for times of the restaurant.
const offeredDays = 14

// offerForm is the form with what was typed. It knows no date yet, and so lists the times of all days.
func (p *Pages) offerForm(lang string, w place, typed offerTyped) views.OfferForm {
	today := booking.DateOf(p.Bookings.Now(), w.Restaurant.Location)
	form := views.OfferForm{Date: typed.date, Time: typed.time, First: string(today), Refund: typed.refund,
		CanRefund: w.By.May(team.CancelWithRefund),
		Times:     []views.Choice{{Label: i18n.T(lang, "message.offer_same")}}}
	var times []booking.TimeOfDay
	for i := range offeredDays {
		times = append(times, w.Restaurant.Times(today.AddDays(i))...)
	}
	slices.Sort(times)
	for _, at := range slices.Compact(times) {
		form.Times = append(form.Times, views.Choice{Value: string(at), Label: i18n.Clock(lang, string(at))})
	}
	return form
}

// offered is the other time that a message offers; empty for none.
func (w place) offered(l views.Layout, o booking.OfferedTime) string {
	switch start, err := w.Restaurant.Start(o.Date, o.Time); {
	case o.IsNone():
		return ""
	case o.Time == "" || err != nil:
		return i18n.LongDate(l.Lang, w.Midnight(o.Date)) + ", " + l.T("message.offer_same")
	default:
		return i18n.DateTime(l.Lang, start)
	}
}
