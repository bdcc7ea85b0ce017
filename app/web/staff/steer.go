package staff

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/staff"
)

// steering is the page of what staff set of a slot, or of all slots of a day, and what became of a form of it.
type steering struct {
	place
	date  booking.Date
	at    booking.TimeOfDay // empty: the whole day
	start time.Time         // of the slot; midnight of the day
	typed views.SteerForm
	// refused is why the form was; nil when none was.
	refused error
}

func (v steering) isDay() bool { return v.at == "" }

// shown is what the page is of.
func (v steering) shown() views.SlotOrDay {
	return views.SlotOrDay{Restaurant: v.Restaurant.ID, At: v.start, IsDay: v.isDay()}
}

// steering reads which slot or day a path names.
func (p *Pages) steering(c *fiber.Ctx) (steering, error) {
	w, err := p.place(c)
	if err != nil {
		return steering{}, err
	}
	if c.Params("time") != "" {
		key, start, err := w.SlotKey(c)
		return steering{place: w, date: key.Date, at: key.Time, start: start}, err
	}
	date, err := booking.ParseDate(strings.Clone(c.Params("date")))
	if err != nil {
		return steering{}, respond.NotFound
	}
	return steering{place: w, date: date, start: w.Midnight(date)}, nil
}

// controls answers GET …/slots/{date}/{time}/controls and GET …/days/{date}.
func (p *Pages) controls(c *fiber.Ctx, v steering) error {
	return p.showControls(c, v)
}

// steer answers POST …/controls: it shows whom a change touches, and makes it once that was confirmed.
func (p *Pages) steer(c *fiber.Ctx, v steering) error {
	v.typed = views.SteerForm{Part: strings.Clone(c.FormValue(views.FieldPart)),
		Capacity: clip(strings.Clone(c.FormValue(views.FieldCapacity))),
		Reason:   strings.Clone(c.FormValue(views.FieldReason)),
		Message:  strings.Clone(c.FormValue(views.FieldMessage)),
		OpensAt:  clip(strings.Clone(c.FormValue(views.FieldOpensAt))),
		Order:    strings.Clone(c.FormValue(views.FieldOrder))}
	change, err := v.change()
	var affected reserve.Affected
	confirmed := c.FormValue(views.FieldConfirmed) == views.Yes
	if err == nil {
		affected, err = p.changeSlots(c, v, change, !confirmed)
	}
	switch {
	case err != nil && isFault(err):
		v.refused = err
		return p.showControls(c, v)
	case err != nil:
		return err
	case !confirmed:
		return respond.Render(c, fiber.StatusOK, pages.Preview(p.previewOf(c, v, affected)))
	}
	return respond.RedirectSaying(c, v.shown().PageURL(), views.FlashSuccess, "flash.steered")
}

func (p *Pages) changeSlots(c *fiber.Ctx, v steering, change reserve.SlotChange, preview bool) (reserve.Affected,
	error) {
	if v.isDay() {
		return p.Bookings.ChangeDay(c.UserContext(), v.By, v.date, change, preview)
	}
	key := booking.SlotKey{RestaurantID: v.Restaurant.ID, Date: v.date, Time: v.at}
	return p.Bookings.ChangeSlot(c.UserContext(), v.By, key, change, preview)
}

// isFault says whether an error is one that the form shows.
func isFault(err error) bool {
	var invalid *booking.InvalidError
	var inUse *booking.SeatsInUseError
	return errors.As(err, &invalid) || errors.As(err, &inUse) || errors.Is(err, booking.ErrBelowSold) ||
		errors.Is(err, booking.ErrPast)
}

// change is what the form asks for. Returns *booking.InvalidError, and respond.BadRequest for a part that there is not.
func (v steering) change() (reserve.SlotChange, error) {
	yes, no := true, false
	reason := v.typed.Reason
	switch v.typed.Part {
	case views.PartPause:
		return reserve.SlotChange{Paused: &yes, Reason: &reason}, nil
	case views.PartResume:
		return reserve.SlotChange{Paused: &no}, nil
	case views.PartClose:
		return reserve.SlotChange{Closed: &yes, Reason: &reason}, nil
	case views.PartOpen:
		return reserve.SlotChange{Closed: &no}, nil
	case views.PartMessage:
		return reserve.SlotChange{Notice: &v.typed.Message}, nil
	case views.PartOpenNow:
		return reserve.SlotChange{ClearOpening: true}, nil
	case views.PartCapacity:
		capacity, err := strconv.Atoi(strings.TrimSpace(v.typed.Capacity))
		if err != nil {
			return reserve.SlotChange{}, oneFault("capacity", "wrong_type")
		}
		return reserve.SlotChange{Capacity: &capacity}, nil
	case views.PartOpening:
		opens, err := time.ParseInLocation("2006-01-02T15:04", v.typed.OpensAt, v.Restaurant.Location)
		if err != nil {
			return reserve.SlotChange{}, oneFault("opensAt", "wrong_type")
		}
		draw := v.typed.Order == views.OrderDraw
		return reserve.SlotChange{OpensAt: &opens, Draw: &draw}, nil
	}
	return reserve.SlotChange{}, respond.BadRequest
}

func oneFault(field, reason string) error {
	return &booking.InvalidError{Fields: []booking.FieldError{{Field: field, Reason: reason}}}
}

// showControls renders the page. Returns booking.ErrNotFound if there is no such slot.
func (p *Pages) showControls(c *fiber.Ctx, v steering) error {
	page := views.StaffControls{StaffShell: p.Places.Shell(c, v.Workplace, views.SectionTonight), SlotOrDay: v.shown(),
		Today: v.Midnight(v.Today(p.Bookings.Now())), CanPlan: v.By.May(team.PlanOpening),
		CanStop: v.By.May(team.StopBookings), CanClose: v.By.May(team.ChangeHours),
		HasSeats: len(v.Restaurant.Seats) > 0, Typed: v.typed,
		MaxCapacity: v.Restaurant.MostCovers()}
	known, err := p.Bookings.Occupancies(c.UserContext(), v.By, v.Restaurant, v.date)
	if err != nil {
		return err
	}
	var keys []booking.SlotKey
	for _, at := range sortedTimes(known) {
		if _, err := v.Restaurant.Start(v.date, at); err != nil || !v.isDay() && at != v.at {
			continue
		}
		keys = append(keys, booking.SlotKey{RestaurantID: v.Restaurant.ID, Date: v.date, Time: at})
		page.Message = known[at].Notice
	}
	page.Slots = p.slotsOf(c.UserContext(), v.place, keys, known)
	page.IsOver = !slices.ContainsFunc(page.Slots, func(s views.EveningSlot) bool { return s.State != evening.SlotOver })
	if len(page.Slots) == 0 && !v.isDay() {
		return booking.ErrNotFound
	}
	return respond.Render(c, v.refuse(&page), pages.Controls(page))
}

// refuse puts on the page why a form of it was refused, if one was, and returns the status of the answer.
func (v steering) refuse(page *views.StaffControls) int {
	if v.refused == nil {
		return fiber.StatusOK
	}
	status, errs, conflict := faultsOf(page.Layout, v.place, v.date, v.refused)
	page.Errors, page.Conflict = errs, conflict
	if errors.Is(v.refused, booking.ErrPast) {
		page.Flash = views.Flash{Kind: views.FlashError, Message: page.T("staff.over_text")}
	}
	return status
}

// fieldOf is the field of a form that a field of the API is.
var fieldOf = map[string]string{"message": views.FieldMessage, "opensAt": views.FieldOpensAt,
	"reason": views.FieldReason, "capacity": views.FieldCapacity, "until": views.FieldUntil}

// faultsOf says why a change was refused: beside its fields, or by who is in the way.
func faultsOf(l views.Layout, w place, date booking.Date, err error) (int, views.FieldErrors, views.Conflict) {
	var invalid *booking.InvalidError
	var below *booking.BelowSoldError
	var inUse *booking.SeatsInUseError
	errs := views.FieldErrors{}
	switch {
	case errors.As(err, &invalid):
		for _, f := range invalid.Fields {
			text := l.T("error.field."+f.Reason, "Min", f.Min, "Max", f.Max)
			if f.Field == "opensAt" && f.Reason == "wrong_type" {
				text = l.T("steer.invalid_moment")
			}
			errs[fieldOf[f.Field]] = text
		}
		return fiber.StatusUnprocessableEntity, errs, views.Conflict{}
	case errors.As(err, &below):
		errs[views.FieldCapacity] = l.T("steer.conflict_sold", "N", below.Sold)
		return fiber.StatusConflict, errs, views.Conflict{Sold: below.Sold, Parties: w.parties(date, below.Parties)}
	case errors.As(err, &inUse):
		return fiber.StatusConflict, errs, views.Conflict{Parties: w.parties(date, inUse.Parties)}
	}
	return fiber.StatusConflict, errs, views.Conflict{}
}

func (w place) parties(date booking.Date, parties []booking.Party) []views.StaffParty {
	list := make([]views.StaffParty, 0, len(parties))
	for _, p := range parties {
		start, err := w.Restaurant.Start(date, p.Time)
		if err != nil {
			continue
		}
		party := views.StaffParty{Name: p.Name, Party: p.PartySize, At: start}
		for _, id := range p.SeatIDs {
			seat, _ := w.Restaurant.Seats.Find(id)
			party.Seats = append(party.Seats, seat.Label)
		}
		list = append(list, party)
	}
	return list
}

// previewOf asks whether to make the change of a form.
func (p *Pages) previewOf(c *fiber.Ctx, v steering, affected reserve.Affected) views.StaffPreview {
	page := views.StaffPreview{StaffShell: p.Places.Shell(c, v.Workplace, views.SectionTonight), Back: v.shown().PageURL(),
		Action: v.shown().ControlsURL(), Affected: affected,
		Part: v.typed.Part, Danger: v.typed.Part == views.PartClose}
	opens, _ := time.ParseInLocation("2006-01-02T15:04", v.typed.OpensAt, v.Restaurant.Location)
	page.Title = page.T("steerask."+v.typed.Part, "When", v.shown().When(page.Lang),
		"Seats", strings.TrimSpace(v.typed.Capacity), "Time", i18n.DateTime(page.Lang, opens))
	v.repeat(&page)
	page.Lines = append(page.Lines, page.T("steertext."+v.typed.Part))
	return page
}

// repeat puts on the page what was typed: as the fields that its form sends again, and in words.
func (v steering) repeat(page *views.StaffPreview) {
	page.Fields = []views.FormValue{{Name: views.FieldPart, Value: v.typed.Part}}
	add := func(field, value string) {
		page.Fields = append(page.Fields, views.FormValue{Name: field, Value: value})
	}
	switch v.typed.Part {
	case views.PartPause, views.PartClose:
		add(views.FieldReason, v.typed.Reason)
		if v.typed.Reason != "" {
			page.Lines = append(page.Lines, page.T("steer.line_reason", "Reason", v.typed.Reason))
		}
	case views.PartMessage:
		add(views.FieldMessage, v.typed.Message)
		line := page.T("steer.line_message", "Message", v.typed.Message)
		if strings.TrimSpace(v.typed.Message) == "" {
			line = page.T("steer.line_no_message")
		}
		page.Lines = append(page.Lines, line)
	case views.PartCapacity:
		add(views.FieldCapacity, v.typed.Capacity)
	case views.PartOpening:
		add(views.FieldOpensAt, v.typed.OpensAt)
		add(views.FieldOrder, v.typed.Order)
		if v.typed.Order == views.OrderDraw {
			page.Lines = append(page.Lines, page.T("steer.line_draw"))
		}
	}
}
