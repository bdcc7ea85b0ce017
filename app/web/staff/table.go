package staff

import (
	"crypto/rand"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// table answers GET /staff/restaurants/{id}/tables/{seat}: what can be done at a table on a day, today unless the query
// says another.
func (p *Pages) table(c *fiber.Ctx, w place) error {
	id, err := respond.NumberParam(c, "seat")
	if err != nil {
		return err
	}
	seat, found := w.Restaurant.Seats.Find(id)
	if !found {
		return booking.ErrNotFound
	}
	return p.showTable(c, tableView{place: w, seat: seat, date: w.Date(c, p.Bookings.Now()),
		tab: views.EveningTab(strings.Clone(c.Query(views.FieldTab)))}, fiber.StatusOK)
}

// tableView is the page of a table on a day, and why what was asked for there was not done.
type tableView struct {
	place
	seat    booking.Seat
	date    booking.Date
	tab     views.EveningTab // that it was opened from
	refused string
	// otherWay is where what was refused can be had for a shorter stay, or over the plan; empty if it cannot.
	otherWay string
}

// tableOf is the table that a form was on; false for a form on no table's page.
func (w place) tableOf(c *fiber.Ctx, next string) (v tableView, ok bool) {
	id, err := strconv.ParseInt(respond.FormValue(c, views.FieldTable), 10, 64)
	if err != nil {
		return v, false
	}
	v = tableView{place: w, tab: eveningTab(w, next)}
	v.seat, ok = w.Restaurant.Seats.Find(id)
	return v, ok && (v.tab == views.TabRoom || v.tab == views.TabTimeline)
}

// showTable renders the page of a table.
func (p *Pages) showTable(c *fiber.Ctx, v tableView, status int) error {
	w, seat := v.place, v.seat
	e, err := p.Evenings.Read(c.UserContext(), w.By, w.Restaurant, v.date)
	if err != nil {
		return err
	}
	page := views.StaffTable{StaffShell: p.shell(c, w), ID: seat.ID, Label: seat.Label, Places: seat.Places,
		Address: views.EveningAddress{RestaurantID: w.Restaurant.ID, Day: w.Midnight(e.Date), Tab: views.TabRoom},
		Key:     rand.Text(), Refused: v.refused, OtherWay: v.otherWay}
	page.Path = page.Address.TableURL(seat.ID)
	if v.tab == views.TabTimeline {
		page.Address.Tab = views.TabTimeline
	}
	m := tableModel{eveningModel{w, e, page.Lang}, seat}
	m.addParties(&page)
	if w.By.May(team.BookForGuest) {
		m.addWalkIns(&page)
		m.addDoor(&page)
	}
	if w.By.May(team.MoveGuest) {
		m.addMovable(&page)
	}
	if w.By.May(team.ChangeCapacity) {
		m.addBlock(&page)
	}
	return respond.Render(c, status, pages.Table(page))
}

// tableModel makes the view of a table.
type tableModel struct {
	eveningModel
	seat booking.Seat
}

func (m tableModel) addParties(page *views.StaffTable) {
	for _, p := range m.e.At(m.seat.ID) {
		row := m.party(p)
		if p.State == booking.Seated {
			page.Now = &row
		} else {
			page.Parties = append(page.Parties, row)
		}
	}
}

func (m tableModel) addWalkIns(page *views.StaffTable) {
	for _, w := range m.e.WalkIns(m.seat) {
		page.WalkIns = append(page.WalkIns,
			views.TableWalkIn{Party: w.Party, At: w.Slot.Start, Until: string(w.Until), EndTime: string(w.EndTime),
				Key: rand.Text()})
	}
}

// addMovable adds who could have the table: today those that come later are no first choice. For a shorter stay only
// those are moved that are there or come soon.
func (m tableModel) addMovable(page *views.StaffTable) {
	soon := m.e.Now.Add(booking.ArrivalWindow)
	for _, p := range m.e.Movable(m.seat) {
		row := views.TableMove{EveningParty: m.party(p.Party), EndTime: string(p.EndTime)}
		later := !p.IsPresent() && p.Start.After(soon)
		switch {
		case later && row.EndTime != "":
		case later && isToday(m.e):
			page.Later = append(page.Later, row)
		default:
			page.Movable = append(page.Movable, row)
		}
	}
}

func (m tableModel) addBlock(page *views.StaffTable) {
	is := func(state booking.SeatState) bool {
		return slices.ContainsFunc(m.e.Slots, func(s evening.Slot) bool {
			return s.Start.After(m.e.Now) && s.Seats.State(m.seat.ID) == state
		})
	}
	page.BlockedFor = m.e.BlockedHours(m.seat.ID)
	page.CanBlock, page.CanUnblock = is(booking.SeatFree), is(booking.SeatBlocked)
}
