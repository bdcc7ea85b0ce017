package staff

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/staff"
)

// partyView is the page of a party, and what became of a form of it.
type partyView struct {
	place
	res     booking.Reservation
	form    moveForm
	was     movedFrom // before it was moved just now; zero for nothing
	refused error     // nil when nothing was
}

// moveForm are the answers of the form that moves a party, as typed; empty where nothing was typed yet.
type moveForm struct {
	date, time, party string
	endTime           string // of a shorter stay
	over              bool   // it is to be seated over the plan
	why               string // as typed
	seats             []int64
	asked             bool
	next              string // the tab of the evening that the form is on; empty for the party's own page
}

// fill answers what was not typed with what the party has.
func (f *moveForm) fill(res booking.Reservation) {
	if !f.asked {
		f.seats = res.SeatIDs()
	}
	f.date, f.time = cmp.Or(f.date, string(res.Slot.Date)), cmp.Or(f.time, string(res.Slot.Time))
	f.party = cmp.Or(f.party, strconv.Itoa(res.PartySize))
}

// reservation answers GET /staff/reservations/{id}: everything about a party, and what can be done for it. The address
// can have answers of the form that moves it.
func (p *Pages) reservation(c *fiber.Ctx, w place, res booking.Reservation) error {
	v := partyView{place: w, res: res, was: readMoved(c.Query(views.FieldWas))}
	if v.form.time = strings.Clone(c.Query(views.FieldTime)); v.form.time != "" {
		v.form.date, v.form.seats, v.form.asked = strings.Clone(c.Query(views.FieldDate)), querySeats(c), true
	}
	return p.showParty(c, v, fiber.StatusOK)
}

// querySeats reads the seats of an address.
func querySeats(c *fiber.Ctx) []int64 {
	var typed []string
	for _, id := range c.Context().QueryArgs().PeekMulti(views.FieldSeat) {
		typed = append(typed, string(id))
	}
	return readIDs(typed)
}

// move answers POST …/move: 303 to the party, or to the place in the line.
func (p *Pages) move(c *fiber.Ctx, w place, res booking.Reservation) error {
	v := partyView{place: w, res: res, form: moveForm{seats: readSeats(c), asked: true}}
	v.form.date, v.form.time = respond.FormValue(c, views.FieldDate), respond.FormValue(c, views.FieldTime)
	v.form.party, v.form.endTime = respond.FormValue(c, views.FieldParty), respond.FormValue(c, views.FieldEndTime)
	v.form.over, v.form.why = readOverride(c)
	if respond.FormValue(c, views.FieldAction) == views.ActionRefresh {
		return p.showParty(c, v, fiber.StatusOK)
	}
	v.form.next = nextTab(c, w)
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	move := reserve.Move{ReservationID: res.ID, Key: key, GuestChange: v.change()}
	watch, err := p.Bookings.MoveGuest(c.UserContext(), w.By, move)
	if errors.Is(err, booking.ErrNothingToChange) {
		return respond.SeeOther(c, cmp.Or(v.form.next, views.StaffReservationURL(res.ID)))
	}
	if err != nil {
		return p.moveRefused(c, v, err)
	}
	defer watch.Close()
	status := respond.Settle(c, watch, p.Patience())
	switch {
	case status.State == waiting.Waiting:
		return respond.Redirect(c, views.StaffTicketURL(w.Restaurant.ID, watch.Token()))
	case status.Result.Err() != nil:
		return p.moveRefused(c, v, status.Result.Err())
	}
	was := placeOf(res, p.Bookings.Now()).String()
	next := views.StaffMovedURL(res.ID, was)
	if v.form.next != "" {
		next = withQuery(v.form.next, views.FieldMoved, res.ID, views.FieldWas, was)
	}
	if eveningTab(w, v.form.next) == views.TabTimeline { // which says itself what it has moved
		return respond.SeeOther(c, next)
	}
	return respond.RedirectSaying(c, next, views.FlashSuccess, "flash.guest_moved")
}

// otherSeats says that the party has other seats than before; empty if it has the same, or nobody knows.
func (v partyView) otherSeats(l views.Layout, key string, was, is []int64) string {
	room := respond.SeatMap(v.Restaurant, nil)
	before, after := strings.Join(room.Labels(was), ", "), strings.Join(room.Labels(is), ", ")
	if before == "" || after == "" || before == after {
		return ""
	}
	return l.T(key, "Was", before, "Is", after)
}

// change is what the form asks for. On the party's page the seats that it has are no choice, so that a larger party can
// get others; on the board they are.
func (v partyView) change() booking.GuestChange {
	change := booking.GuestChange{EndTime: v.form.endTime, Override: overrideOf(v.form.over, v.form.why)}
	if v.form.date != "" {
		change.Date = &v.form.date
	}
	if v.form.time != "" {
		change.Time = &v.form.time
	}
	if v.form.party != "" {
		party, _ := strconv.Atoi(strings.TrimSpace(v.form.party)) // 0 is refused
		change.PartySize = &party
	}
	seats := slices.Sorted(slices.Values(v.form.seats))
	if v.form.next != "" || !slices.Equal(seats, v.res.SeatIDs()) {
		change.SeatIDs = seats
	}
	return change
}

// moveRefused shows the page again with why nothing was changed.
func (p *Pages) moveRefused(c *fiber.Ctx, v partyView, err error) error {
	status := respond.ProblemOf(err).Status
	if status != fiber.StatusConflict && status != fiber.StatusUnprocessableEntity {
		return err
	}
	v.refused = err
	if table, ok := v.tableOf(c, v.form.next); ok {
		if table.refused, table.otherWay, err = p.whyNotMoved(c, v); err != nil {
			return err
		}
		table.date = v.res.Slot.Date
		return p.showTable(c, table, status)
	}
	if tab := eveningTab(v.place, v.form.next); tab == views.TabTimeline {
		return p.refuseOnBoard(c, v, tab, status)
	}
	return p.showParty(c, v, status)
}

// refuseOnBoard shows the tab that the party should have been moved on, with why it was not.
func (p *Pages) refuseOnBoard(c *fiber.Ctx, v partyView, tab views.EveningTab, status int) error {
	board, err := p.tonightPage(c, v.place, tab, v.res.Slot.Date)
	if err == nil {
		board.Refused, board.OtherWay, err = p.whyNotMoved(c, v)
	}
	if err != nil {
		return err
	}
	return respond.Render(c, status, pages.Tonight(board))
}

// whyNotMoved says in one line why the party was not moved, and where it can be for a shorter stay or over the plan.
func (p *Pages) whyNotMoved(c *fiber.Ctx, v partyView) (why, otherWay string, err error) {
	page := views.StaffReservationPage{StaffShell: p.shell(c, v.place)}
	v.form.fill(v.res)
	if err := p.showMove(c, v, &page); err != nil {
		return "", "", err
	}
	if page.CanOverride || page.EndTime != "" {
		otherWay = views.StaffMoveFormURL(v.res.ID, v.form.date, v.form.time, v.form.seats)
	}
	sentence := respond.Sentence(page.Lang, respond.ProblemOf(v.refused))
	return cmp.Or(inOneLine(page.Refusal, page.Errors), sentence), otherWay, nil
}

// inOneLine is a refusal with what is wrong with the fields of its form.
func inOneLine(r views.Refusal, faults views.FieldErrors) string {
	why := []string{r.Text, r.Seats}
	for _, field := range slices.Sorted(maps.Keys(faults)) {
		why = append(why, faults[field])
	}
	return strings.Join(slices.DeleteFunc(why, func(text string) bool { return text == "" }), " ")
}

// showParty renders the page of a party.
func (p *Pages) showParty(c *fiber.Ctx, v partyView, status int) error {
	page, err := p.partyPage(c, v)
	if err != nil {
		return err
	}
	v.form.fill(v.res)
	if err := p.showMove(c, v, &page); err != nil {
		return err
	}
	if err := p.showOffered(c, v, &page); err != nil {
		return err
	}
	return respond.Render(c, status, pages.Reservation(page))
}

// showOffered fills in which other time staff offer the guest, for those who may withdraw it.
func (p *Pages) showOffered(c *fiber.Ctx, v partyView, page *views.StaffReservationPage) error {
	if !v.res.State.IsConfirmed() || !v.By.May(team.MoveGuest) {
		return nil
	}
	offer, err := p.Bookings.Reservations.FindMoveOffer(c.UserContext(), v.res.ID)
	if errors.Is(err, booking.ErrNoMoveOffer) {
		return nil
	}
	offer.Time = offer.For(v.res.Slot.Time)
	page.Offered, page.OfferDeclined = v.offered(page.Layout, offer.OfferedTime), !offer.DeclinedAt.IsZero()
	return err
}

// partyPage is the page without the form that moves the party.
func (p *Pages) partyPage(c *fiber.Ctx, v partyView) (views.StaffReservationPage, error) {
	guest, err := p.Bookings.Guest(c.UserContext(), v.By, v.res)
	if err != nil {
		return views.StaffReservationPage{}, err
	}
	zone := v.Restaurant.Location
	page := views.StaffReservationPage{StaffShell: p.shell(c, v.place), Phone: guest.Phone, Override: guest.Override,
		BookedAt: guest.CreatedAt.In(zone), Reason: guest.CancelReason}
	if why, empty := v.Restaurant.Seats.SeatReason(v.res, guest.Override != ""); why != "" {
		page.SeatsWhy = page.T("guests.seats_why_"+string(why), "Empty", empty)
	}
	page.Path = views.StaffReservationURL(v.res.ID)
	page.Moved = v.otherSeats(page.Layout, "guests.seats_moved", v.was.seats, v.res.SeatIDs())
	page.Reservation = v.guestIn(v.res.Slot, guest, page.Lang, p.Bookings.Now())
	page.MoveBack = v.moveBack(v.res, page.Reservation.Name, v.was, p.Bookings.Now(), page.Lang)
	known, err := p.Evenings.Known(c.UserContext(), v.By, v.res.RestaurantID, v.res.ID)
	if err != nil {
		return views.StaffReservationPage{}, err
	}
	if known.Guest != "" {
		page.GuestURL = views.GuestURL(v.Restaurant.ID, known.Guest)
		page.GuestTags, page.GuestNote = views.GuestTags(page.Lang, guest.Tags), known.Note
	}
	if guest.Source != booking.Web {
		page.Source = string(guest.Source)
	}
	page.CanCorrect = v.res.CanCorrect() && v.By.May(team.BookForGuest)
	page.CanWrite = p.Messages.CanWrite(v.By, v.Restaurant, v.res)
	page.CanGiveBack = guest.Left() > 0 && v.By.May(team.GiveBack)
	page.ArrivedAt = inZone(guest.Attendance.ArrivedAt, zone)
	page.SeatedAt, page.EndedAt = inZone(guest.Attendance.SeatedAt, zone), inZone(guest.Attendance.EndedAt, zone)
	return page, nil
}

// inZone is a moment in a zone; zero for none.
func inZone(at time.Time, zone *time.Location) time.Time {
	if at.IsZero() {
		return at
	}
	return at.In(zone)
}

// showMove fills in the form that moves the party, if it can be moved.
func (p *Pages) showMove(c *fiber.Ctx, v partyView, page *views.StaffReservationPage) error {
	page.CanMoveSlot = v.res.State.IsConfirmed()
	page.CanMove = v.By.May(team.MoveGuest) && (v.res.State.IsPresent() || page.CanMoveSlot)
	if !page.CanMove {
		return nil
	}
	date, err := booking.ParseDate(v.form.date)
	if err != nil {
		date = v.res.Slot.Date
	}
	day, err := p.dayFor(c.UserContext(), v.place, date, true)
	if err != nil {
		return err
	}
	at := booking.SlotKey{RestaurantID: v.Restaurant.ID, Date: date, Time: booking.TimeOfDay(v.form.time)}
	page.Date, page.Time, page.Party, page.Key = string(date), v.form.time, v.form.party, rand.Text()
	ask, err := p.askOf(c.UserContext(), v)
	if err != nil {
		return err
	}
	page.Times = p.choices(page.Lang, v.place, day, ask)
	if !slices.Contains(day.times, v.res.Slot.Time) && date == v.res.Slot.Date {
		at := string(v.res.Slot.Time)
		page.Times = append([]views.Choice{{Value: at, Label: i18n.Clock(page.Lang, at)}}, page.Times...)
	}
	ask.Slot = at
	asked := seatingAsked{place: v.place, day: day, ask: ask, seats: v.change().SeatIDs, checked: v.form.seats,
		endTime: v.form.endTime, over: v.form.over, why: cmp.Or(v.form.why, page.Override), refused: v.refused}
	if v.form.asked && v.moves(at, ask.Party, asked.seats) {
		asked.ahead = day.inWay(v.Restaurant, ask, asked.seats, p.Bookings.Now())
	}
	seating, offer, err := p.seating(c.UserContext(), page.Layout, asked)
	page.StaffSeating, page.Refusal.Times = seating, nil // they lead to the form for a new booking
	if len(asked.seats) == 0 && err == nil {
		page.OtherSeats = v.otherSeats(page.Layout, "guests.seats_move", v.res.SeatIDs(), offer.SeatsFor(ask))
	}
	return err
}

// moves returns whether a slot, a size or seats are others than the party has.
func (v partyView) moves(slot booking.SlotKey, party int, seats []int64) bool {
	return slot != v.res.Slot || party != v.res.PartySize || len(seats) > 0 && !slices.Equal(seats, v.res.SeatIDs())
}

// askOf is what the form asks for the party; a size that is no number stands for its own.
func (p *Pages) askOf(ctx context.Context, v partyView) (booking.Ask, error) {
	menu, err := p.Bookings.Catalog.ListMenu(ctx, v.Restaurant.ID)
	if err != nil {
		return booking.Ask{}, err
	}
	party, err := strconv.Atoi(strings.TrimSpace(v.form.party))
	if err != nil || party < 1 {
		party = v.res.PartySize
	}
	return booking.Ask{PartyStay: v.res.PartyStay(v.Restaurant, party, menu),
		Staff: true, Begun: true, Own: &v.res}, nil
}

// askCancel answers GET …/cancel: whether to cancel, and why. What cannot be cancelled leads to the party.
func (p *Pages) askCancel(c *fiber.Ctx, w place, res booking.Reservation) error {
	return p.showCancel(c, partyView{place: w, res: res}, "")
}

// showCancel asks whether to cancel; typed is a reason that was refused.
func (p *Pages) showCancel(c *fiber.Ctx, v partyView, typed string) error {
	page, err := p.partyPage(c, v)
	if err != nil {
		return err
	}
	if !page.Reservation.CanCancel {
		return respond.SeeOther(c, views.StaffReservationURL(v.res.ID))
	}
	page.Reason, page.Errors = typed, guestErrors(page.Lang, v.refused)
	status := fiber.StatusOK
	if v.refused != nil {
		status = fiber.StatusUnprocessableEntity
	}
	return respond.Render(c, status, pages.CancelReservation(page))
}
