package staff

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// patience is how long a form of staff waits for its turn before it shows the place in the line.
const patience = 3 * time.Second

// bookingAsked is what a member of staff asks of the form for a guest.
type bookingAsked struct {
	place
	day     booking.Date
	source  string
	form    views.StaffBookingForm
	over    bool   // the party is to be seated over the plan
	why     string // as typed
	refused error  // nil when nothing was
}

// book answers GET /staff/restaurants/{id}/book: the form, empty or as the address says.
func (p *Pages) book(c *fiber.Ctx) error {
	w, err := p.place(c)
	if err == nil {
		err = w.By.Check(w.Restaurant.ID, team.BookForGuest)
	}
	if err != nil {
		return err
	}
	asked := bookingAsked{place: w, day: w.Date(c, p.Bookings.Now()),
		source: sourceOf(strings.Clone(c.Query(views.FieldSource)))}
	asked.form = views.StaffBookingForm{Time: strings.Clone(c.Query(views.FieldTime)),
		Party: strings.Clone(c.Query(views.FieldParty)), IdempotencyKey: rand.Text()}
	if asked.form.Party == "" {
		asked.form.Party = "2"
	}
	if err := p.fillCaller(c.UserContext(), &asked, strings.Clone(c.Query(views.FieldCaller))); err != nil {
		return err
	}
	return p.showBooking(c, asked, fiber.StatusOK)
}

func sourceOf(typed string) string {
	if typed == views.SourceWalkIn {
		return views.SourceWalkIn
	}
	return views.SourcePhone
}

// bookGuest answers POST …/book: 303 to the reservation, or to the place in the line.
func (p *Pages) bookGuest(c *fiber.Ctx, w place) (err error) {
	asked := bookingAsked{place: w, source: sourceOf(respond.FormValue(c, views.FieldSource)), form: readBooking(c)}
	if asked.day, err = booking.ParseDate(asked.form.Date); err != nil {
		asked.day = w.Today(p.Bookings.Now())
	}
	caller := respond.FormValue(c, views.FieldCaller)
	if respond.FormValue(c, views.FieldAction) == views.ActionRefresh || caller != "" {
		if err := p.fillCaller(c.UserContext(), &asked, caller); err != nil {
			return err
		}
		return p.showBooking(c, asked, fiber.StatusOK)
	}
	asked.over, asked.why = readOverride(c)
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	watch, _, err := p.Bookings.BookGuest(c.UserContext(), w.By, key, asked.draft(views.Layout{Lang: p.Layout(c).Lang}))
	if err != nil {
		return p.bookingRefused(c, asked, err)
	}
	defer watch.Close()
	status := respond.Settle(c, watch, p.Patience())
	switch {
	case status.State == waiting.Waiting:
		return respond.SeeOther(c, views.StaffTicketURL(w.Restaurant.ID, watch.Token()))
	case status.Result.Err() != nil:
		return p.bookingRefused(c, asked, status.Result.Err())
	}
	next := cmp.Or(nextTab(c, w), views.StaffReservationURL(status.Result.ReservationID))
	return respond.RedirectSaying(c, next, views.FlashSuccess, "flash.guest_booked")
}

// readBooking reads the form as it was typed.
func readBooking(c *fiber.Ctx) views.StaffBookingForm {
	value := func(name string) string { return respond.FormValue(c, name) }
	f := views.StaffBookingForm{Date: value(views.FieldDate), Time: value(views.FieldTime),
		Party: value(views.FieldParty), Name: value(views.FieldName), Phone: value(views.FieldPhone),
		Note: booking.Lines(value(views.FieldNote)), Allergies: booking.Lines(value(views.FieldAllergies)),
		PayWithin: value(views.FieldPayWithin), Email: value(views.FieldEmail),
		Seated: value(views.FieldSeated) == "1", EndTime: value(views.FieldEndTime), SeatIDs: readSeats(c),
		IdempotencyKey: value(views.FieldIdempotencyKey)}
	if more := strings.TrimSpace(value(views.FieldPartyMore)); more != "" {
		f.Party = more
	}
	return f
}

// readOverride reads whether a party is to be seated over the plan, and why.
func readOverride(c *fiber.Ctx) (over bool, why string) {
	return respond.FormValue(c, views.FieldAction) == views.ActionOverride, respond.FormValue(c, views.FieldOverride)
}

// overrideOf is what readOverride has read, as it is asked for.
func overrideOf(over bool, why string) *booking.Override {
	if !over {
		return nil
	}
	return &booking.Override{Reason: why}
}

// readSeats reads the chosen seats.
func readSeats(c *fiber.Ctx) []int64 { return readIDs(respond.FormValues(c, views.FieldSeat)) }

// readIDs reads ids of seats; what is no number is a seat that there is not.
func readIDs(typed []string) []int64 {
	var ids []int64
	for _, typed := range typed {
		id, _ := strconv.ParseInt(typed, 10, 64)
		ids = append(ids, id)
	}
	return ids
}

func (a bookingAsked) draft(l views.Layout) booking.GuestDraft {
	party, _ := strconv.Atoi(strings.TrimSpace(a.form.Party)) // 0 is refused
	d := booking.GuestDraft{Name: a.form.Name, Phone: a.form.Phone, Source: booking.Source(a.source),
		Seated: a.form.Seated, EndTime: a.form.EndTime, PayWithin: booking.PayWithin(a.form.PayWithin),
		Email: a.form.Email, Language: l.Lang, Draft: booking.Draft{RestaurantID: a.Restaurant.ID, Date: a.form.Date, Time: a.form.Time,
			PartySize: party,
			Note:      a.form.Note, Allergies: a.form.Allergies, SeatIDs: a.form.SeatIDs}}
	d.Override = overrideOf(a.over, a.why)
	if strings.TrimSpace(d.Name) == "" && a.source == views.SourceWalkIn {
		d.Name = l.T("guests.walk_in")
	}
	return d
}

// ask is for whom the form asks; a party that is no number stands for any.
func (a bookingAsked) ask() booking.Ask {
	party, _ := strconv.Atoi(strings.TrimSpace(a.form.Party))
	return booking.Ask{PartyStay: booking.PartyStay{Party: max(party, 0)}, Staff: true,
		Begun: a.source == views.SourceWalkIn}
}

// bookingRefused shows the form again with why nothing was booked. The key is a new one: another press asks for
// something else.
func (p *Pages) bookingRefused(c *fiber.Ctx, asked bookingAsked, err error) error {
	status := respond.ProblemOf(err).Status
	if status != fiber.StatusConflict && status != fiber.StatusUnprocessableEntity &&
		!errors.Is(err, identity.ErrTooManyLetters) {
		return err
	}
	asked.refused, asked.form.IdempotencyKey = err, rand.Text()
	if table, ok := asked.tableOf(c, nextTab(c, asked.place)); ok {
		page, err := p.bookingPage(c, asked)
		if err != nil {
			return err
		}
		table.date, table.refused = asked.day, cmp.Or(inOneLine(page.Refusal, page.Errors),
			respond.Sentence(page.Lang, respond.ProblemOf(asked.refused)))
		return p.showTable(c, table, status)
	}
	return p.showBooking(c, asked, status)
}

// showBooking renders the form.
func (p *Pages) showBooking(c *fiber.Ctx, a bookingAsked, status int) error {
	page, err := p.bookingPage(c, a)
	if err != nil {
		return err
	}
	return respond.Render(c, status, pages.Book(page))
}

// bookingPage is the form, with why nothing was booked.
func (p *Pages) bookingPage(c *fiber.Ctx, a bookingAsked) (views.StaffBooking, error) {
	ctx, now := c.UserContext(), p.Bookings.Now()
	page := views.StaffBooking{StaffShell: p.shell(c, a.place), Source: a.source, Answers: a.form,
		Today: a.Midnight(a.Today(now)), Day: a.Midnight(a.day)}
	page.Path = views.StaffBookURL(a.Restaurant.ID, page.Day) // a change of language cannot send the form again
	page.Answers.Date = string(a.day)
	day, err := p.dayFor(ctx, a.place, a.day, a.source == views.SourceWalkIn)
	if err != nil {
		return page, err
	}
	ask := a.ask()
	if a.source == views.SourcePhone {
		page.Deposit, page.Within = a.Restaurant.DepositOf(ask.Party).For(ask.Party), payWithins(page.Layout)
		if reason := p.Bookings.CannotAsk; reason != "" {
			page.NoAsk = respond.FieldSentence(page.Lang, respond.Field{Name: views.FieldPayWithin, Reason: reason})
		}
	}
	if page.Callers, err = p.callers(ctx, a); err != nil {
		return page, err
	}
	page.Times = p.choices(page.Lang, a.place, day, ask)
	if page.Answers.Time == "" && len(day.times) > 0 {
		page.Answers.Time = string(day.times[0])
	}
	ask.Slot = booking.SlotKey{RestaurantID: a.Restaurant.ID, Date: a.day, Time: booking.TimeOfDay(page.Answers.Time)}
	page.StaffSeating, _, err = p.seating(ctx, page.Layout, seatingAsked{place: a.place, day: day, ask: ask,
		seats: a.form.SeatIDs, checked: a.form.SeatIDs, endTime: a.form.EndTime, over: a.over, why: a.why,
		refused: a.refused, ahead: day.slots[ask.Slot.Time].CheckStill(ask.Slot, now)})
	return page, err
}

// payWithins are the times that a guest may have to pay the deposit.
func payWithins(l views.Layout) []views.Choice {
	choices := []views.Choice{{Label: l.T("guests.pay_nothing")}}
	for _, within := range booking.PayWithins() {
		choices = append(choices, views.Choice{Value: string(within), Label: l.T("guests.pay_" + string(within))})
	}
	return choices
}

// guestErrors are what is wrong with each field of a form for a guest.
func guestErrors(lang string, err error) views.FieldErrors {
	var invalid *booking.InvalidError
	if !errors.As(err, &invalid) {
		return nil
	}
	faults := views.FieldErrors{}
	for _, f := range invalid.Fields {
		name, _, _ := strings.Cut(f.Field, "[")
		switch name {
		case "offer.date":
			name = views.FieldOfferDate
		case "offer.time":
			name = views.FieldOfferTime
		case "override.reason":
			name = views.FieldOverride
		case "partySize":
			name = views.FieldParty
		case "seatIds":
			name = views.FieldSeat
		case "payWithin":
			name = views.FieldPayWithin
		case "endTime": // the time was changed after it was chosen
			name = views.FieldTime
		}
		if faults[name] == "" {
			faults[name] = respond.FieldSentence(lang,
				respond.Field{Name: name, Reason: f.Reason, Min: f.Min, Max: f.Max})
		}
	}
	return faults
}

// seatsAsked are the named seats for a stay from a slot on, for a form.
type seatsAsked struct {
	place
	slot   booking.SlotKey
	offer  booking.Offer
	chosen []int64
}

// seatsFor are the named seats with who has them in some slot of the stay, the first one first.
func (p *Pages) seatsFor(ctx context.Context, a seatsAsked) ([]views.StaffSeat, error) {
	if len(a.Restaurant.Seats) == 0 {
		return nil, nil
	}
	names := map[int64]string{}
	for _, slot := range a.slot.Slots(a.offer.Stay) {
		seated, err := p.Bookings.Seated(ctx, a.By, slot)
		if err != nil {
			return nil, err
		}
		for id, name := range seated {
			names[id] = cmp.Or(names[id], name)
		}
	}
	var seats []views.StaffSeat
	for _, seat := range a.Restaurant.Seats {
		seats = append(seats, views.StaffSeat{ID: seat.ID, Label: seat.Label, Places: seat.Places,
			State: a.offer.Joint.Seats.State(seat.ID), Guest: names[seat.ID], Chosen: slices.Contains(a.chosen, seat.ID)})
	}
	return seats, nil
}
