package staff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/staff"
)

// joinDoor answers POST /staff/restaurants/{id}/door: 303 to the party, with the code for its phone.
func (p *Pages) joinDoor(c *fiber.Ctx, w place) error {
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	form := views.DoorForm{Name: respond.FormValue(c, views.FieldName), Phone: respond.FormValue(c, views.FieldPhone),
		Party: strings.TrimSpace(respond.FormValue(c, views.FieldPartyMore))}
	size, field := respond.FormValue(c, views.FieldParty), views.FieldForm
	if size == "" {
		size, field = form.Party, views.FieldPartyMore
	}
	party, _ := strconv.Atoi(size) // 0 is refused
	joined, refused := p.Doors.Join(c.UserContext(), w.By, w.Restaurant,
		door.Party{Key: key, Name: form.Name, Phone: form.Phone, PartySize: party})
	if refused == nil {
		return respond.SeeOther(c, views.StaffDoorPartyURL(w.Restaurant.ID, joined.ID))
	}
	why := respond.ProblemOf(refused)
	if why.Status != fiber.StatusConflict && why.Status != fiber.StatusUnprocessableEntity {
		return refused
	}
	page, err := p.tonightPage(c, w, views.TabDoor, w.Today(p.Bookings.Now()))
	if err != nil {
		return err
	}
	form.IdempotencyKey, form.Largest = page.Door.IdempotencyKey, page.Door.Largest
	form.Errors = guestErrors(page.Lang, refused)
	if sized := form.Errors[views.FieldParty]; sized != "" {
		form.Errors[field] = sized
	}
	if len(form.Errors) == 0 {
		form.Errors = views.FieldErrors{views.FieldForm: respond.Sentence(page.Lang, why)}
	}
	page.Door = form
	return respond.Render(c, why.Status, pages.Tonight(page))
}

// doorParty answers GET /staff/restaurants/{id}/door/{party}.
func (p *Pages) doorParty(c *fiber.Ctx, w place) error {
	party, err := p.Doors.Find(c.UserContext(), w.By, w.Restaurant, strings.Clone(c.Params("party")))
	if err != nil {
		return err
	}
	now := p.Bookings.Now()
	page := views.StaffDoorParty{StaffShell: p.shell(c, w), Address: views.EveningAddress{RestaurantID: w.Restaurant.ID,
		Day: w.Midnight(w.Today(now)), Tab: views.TabDoor},
		URL: respond.Site(c, p.BaseURL) + views.DoorURL(p.Doors.Links.Seal(party.ID))}
	page.QR, page.CanOverride = respond.QR(page.URL), w.By.May(team.BookForGuest) && w.By.May(team.SeatOverPlan)
	page.Party = views.DoorParty{Lang: page.Lang, Party: party, Now: now.In(w.Restaurant.Location)}
	return respond.Render(c, fiber.StatusOK, pages.DoorParty(page))
}

// doorSteps are the states that the steps lead to, and what is said of them.
var doorSteps = map[string]struct {
	state door.State
	flash string
}{
	views.DoorCall: {door.Called, "flash.door_called"},
	views.DoorGone: {door.Gone, "flash.door_gone"},
	views.DoorBack: {door.Waiting, "flash.door_back"},
}

// stepAtDoor answers POST …/door/{party}/call, …/gone and …/back.
func (p *Pages) stepAtDoor(step string) fiber.Handler {
	return respond.For(p.place, func(c *fiber.Ctx, w place) error {
		to := doorSteps[step]
		err := p.Doors.Take(c.UserContext(), w.By, w.Restaurant, strings.Clone(c.Params("party")), to.state)
		return p.fromDoor(c, w, err, to.flash)
	})
}

// seatFromDoor answers POST …/door/{party}/seat.
func (p *Pages) seatFromDoor(c *fiber.Ctx, w place) error {
	seating := door.Seating{PartyID: strings.Clone(c.Params("party")), SeatIDs: readSeats(c),
		EndTime: respond.FormValue(c, views.FieldEndTime), Nameless: i18n.T(respond.Lang(c), "guests.walk_in")}
	over, why := readOverride(c)
	seating.Override = overrideOf(over, booking.PlainText(why))
	request, err := p.Doors.Seat(c.UserContext(), w.By, w.Restaurant, seating)
	if err == nil {
		defer request.Close()
		status := respond.Settle(c, request.Watch, p.Patience())
		_, err = p.Doors.Finish(c.UserContext(), w.By, request, status)
	}
	return p.fromDoor(c, w, err, "flash.door_seated")
}

// fromDoor leads back to where a step with a party at the door was taken, and says what came of it.
func (p *Pages) fromDoor(c *fiber.Ctx, w place, err error, done string) error {
	next := nextTab(c, w)
	if next == "" {
		next = views.EveningAddress{RestaurantID: w.Restaurant.ID, Day: w.Midnight(w.Today(p.Bookings.Now())),
			Tab: views.TabDoor}.URL()
	}
	if err == nil {
		return respond.RedirectSaying(c, next, views.FlashSuccess, done)
	}
	why := respond.ProblemOf(err)
	switch {
	case why.Code == booking.ErrSoldOut.Code: // its sentence has a number, as the next one's
		return respond.RedirectSaying(c, next, views.FlashError, "flash.door_no_table")
	case why.Code == booking.ErrFireLimit.Code:
		return respond.RedirectSaying(c, next, views.FlashError, "flash.door_fire_limit")
	case why.Status == fiber.StatusConflict:
		return respond.RedirectSaying(c, next, views.FlashError, "error."+why.Code)
	case why.Status == fiber.StatusUnprocessableEntity: // the end of a stay that the page offered some time ago
		return respond.RedirectSaying(c, next, views.FlashError, "flash.door_moved_on")
	}
	return err
}

// addDoor adds the queue at the door: those that wait by number, then the others, the latest first.
func (m eveningModel) addDoor(out *views.TonightLive) {
	var over []views.DoorParty
	next := true
	for _, p := range m.e.Door {
		row := views.DoorParty{Lang: m.lang, Party: p, Now: m.e.Now}
		if !p.IsOpen() {
			over = append(over, row)
			continue
		}
		if row.Next = next && p.Place.FitsNow && p.State == door.Waiting; row.Next {
			next = false
		}
		out.Door = append(out.Door, row)
	}
	slices.Reverse(over)
	out.Door = append(out.Door, over...)
}

// addDoor adds who waits at the door and could sit down at the table now.
func (m tableModel) addDoor(page *views.StaffTable) {
	until := map[int]booking.TimeOfDay{}
	for _, w := range m.e.WalkIns(m.seat) {
		until[w.Party] = w.EndTime
	}
	for _, p := range m.e.Door {
		end, fits := until[p.PartySize]
		if !fits || !p.IsOpen() {
			continue
		}
		p.Place.Until = end
		page.Door = append(page.Door, views.DoorParty{Lang: m.lang, Party: p, Now: m.e.Now})
	}
}

// canQueue returns whether the reader may add a party at the door on a tab.
func (w place) canQueue(tab views.EveningTab, day, today booking.Date) bool {
	return tab == views.TabDoor && day == today && w.By.May(team.BookForGuest)
}
