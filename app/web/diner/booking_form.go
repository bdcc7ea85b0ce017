package diner

import (
	"context"
	"crypto/rand"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// bookingForm answers GET /restaurants/:slug/book. It asks whoever is not signed in for a name and an address: nobody
// has to make an account first, and lose the moment. Where no letters are sent, such an account could not be found
// again: there they sign in.
func (s *Pages) bookingForm(c *fiber.Ctx) error {
	session, err := respond.Session(c)
	if err != nil && s.NoLetters {
		return err
	}
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	if err != nil {
		return err
	}
	form := views.BookingForm{Date: c.Query(views.FieldDate), Time: c.Query(views.FieldTime),
		Party:          c.Query(views.FieldParty),
		IdempotencyKey: rand.Text()}
	if form.Date == "" {
		form.Date = string(booking.DateOf(s.now(), r.Location))
	}
	if form.Party == "" {
		form.Party = strconv.Itoa(usualParty(r))
	}
	asks := s.consentOf(respond.Lang(c), "legal.by_booking", identity.Documents{})
	if session.UserID != "" { // they may change it for this booking, and what they send counts
		own, err := s.Accounts.Store.FindUser(c.UserContext(), session.UserID)
		if err != nil {
			return err
		}
		form.Allergies = own.Allergies
		if asks, err = s.consentOfUser(c.UserContext(), asks.Lang, asks.Key, session.UserID); err != nil {
			return err
		}
	}
	p := submission{by: reserve.Submitter{UserID: session.UserID}, restaurant: r, form: form, asks: asks}
	page, err := s.bookingPage(c.UserContext(), s.layout(c), p)
	if err != nil {
		return err
	}
	fieldErrors := dateErrors(r, form)
	page.Errors = errorsOf(page.Lang, fieldErrors)
	return respond.Render(c, statusOf(fieldErrors), pages.Booking(page))
}

// dateErrors says what is wrong with the date and the party of an address.
func dateErrors(r booking.Restaurant, form views.BookingForm) []respond.Field {
	var fieldErrors []respond.Field
	if _, err := booking.ParseDate(form.Date); err != nil {
		fieldErrors = append(fieldErrors, respond.Field{Name: views.FieldDate, Reason: "invalid_date"})
	}
	if party, ok := respond.ReadPartySize(form.Party, 0); !ok || party < r.PartyMin || party > r.PartyMax {
		fieldErrors = append(fieldErrors, respond.Field{Name: views.FieldParty, Reason: "party", Min: r.PartyMin,
			Max: r.PartyMax})
	}
	return fieldErrors
}

// bookingPage is the form with its answers, whatever they are: where date or party cannot be understood, the form shows
// the times of today, for the usual party.
func (s *Pages) bookingPage(ctx context.Context, f views.Layout, p submission) (views.Booking, error) {
	r, form := p.restaurant, p.form
	today := booking.DateOf(s.now(), r.Location)
	date, err := booking.ParseDate(form.Date)
	if err != nil {
		date = today
	}
	party, ok := respond.ReadPartySize(form.Party, usualParty(r))
	if !ok || party < r.PartyMin || party > r.PartyMax {
		party = usualParty(r)
	}
	menu, err := s.Bookings.Catalog.ListMenu(ctx, r.ID)
	if err != nil {
		return views.Booking{}, err
	}
	if p.own != nil {
		menu = p.own.MenuFor(menu)
	}
	at, err := booking.ParseTimeOfDay(form.Time)
	served := menu
	if err == nil {
		served = booking.ServedAt(menu, at)
	}
	ordered := chosenOf(served, form.Quantities)
	slot := booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}
	slots, err := s.Bookings.ListSlotsFor(ctx, r, date,
		booking.Ask{PartyStay: booking.PartyStay{Party: party, Minutes: r.DishMinutes(ordered)}, Own: p.own})
	if err != nil {
		return views.Booking{}, err
	}
	stock := s.stockOf(ctx, p, date, menu)
	if p.own != nil {
		ownDishes(stock, *p.own, date)
	}
	return views.Booking{
		CannotTopUp: !s.PlayMoney && !s.Checkout.IsOpen(),
		Layout:      f,
		Consent:     p.asks,
		Restaurant:  &r,
		Form:        form,
		Day:         respond.Midnight(date, r.Location),
		FirstDate:   respond.Midnight(today, r.Location),
		LastDate:    respond.Midnight(today.AddDays(r.HorizonDays), r.Location),
		Slots:       slotsOf(slots),
		Hours:       r.HoursOn(date, party),
		Stay:        stayShown(r, slot, party, ordered),
		Party:       party,
		Dishes: views.Dishes{Lang: f.Lang, Slug: r.Slug, Day: respond.Midnight(date, r.Location), At: at,
			Menu:       menuOf(f.Lang, r, menu, stock),
			Quantities: form.Quantities, MaxQuantity: booking.MaxItemQuantity},
		Seats:     s.seatPicker(ctx, f.Lang, p, date, party),
		MenuTotal: menuTotal(served, stock, form.Quantities),
		SignInURL: views.SignInURL(bookingURL(p)), SignedOut: p.signedOut,
		MustSignIn: s.NoLetters && p.by.UserID == "",
		Coupons:    s.couponChoices(ctx, f.Lang, p),
		MaxNote:    booking.MaxNoteRunes,
	}, nil
}

// bookingAgain answers a submission that led to nothing with the form as it was filled in.
func (s *Pages) bookingAgain(c *fiber.Ctx, p submission, status int, fieldErrors []respond.Field) error {
	f := s.layoutInRush(c)
	f.Path = views.RestaurantURL(p.restaurant.Slug) // a change of language cannot send the form again
	p.refused = status != fiber.StatusOK
	page, err := s.bookingPage(c.UserContext(), f, p)
	if err != nil {
		return err
	}
	page.Problem = p.problem
	if p.problem != nil {
		markRefused(page.Slots, p)
	}
	page.Errors = errorsOf(f.Lang, fieldErrors)
	page.Dishes.Errors = itemErrors(page.Errors)
	if page.Seats != nil {
		page.Seats.Error = page.Errors[views.FieldSeat]
	}
	return respond.Render(c, status, pages.Booking(page))
}

// refusedStates are what a refusal says of its slot.
var refusedStates = map[views.OutcomeKind]views.SlotState{
	views.OutcomeSoldOut: views.SlotSoldOut,
	views.OutcomeClosed:  views.SlotClosed,
}

// markRefused puts what the turn said of the chosen slot into the times of the form, which may be a moment older:
// nobody should be offered again what was refused just now.
func markRefused(slots []views.Slot, p submission) {
	state, over := refusedStates[p.problem.Kind]
	for i := range slots {
		if over && views.ClockValue(slots[i].At) == p.form.Time {
			slots[i].State, slots[i].Remaining = state, p.problem.Remaining
		}
	}
}
