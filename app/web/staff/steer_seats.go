package staff

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/staff"
)

func sortedTimes(known map[booking.TimeOfDay]booking.Occupancy) []booking.TimeOfDay {
	return slices.Sorted(maps.Keys(known))
}

// blockForm is the form of blocked seats as typed.
type blockForm struct {
	seats, shown  []int64
	reason, until string
	next          string // tab of the evening to lead back to; empty: the page of blocked seats
	refused       error  // nil when it was not
}

// blockedSeats answers GET …/blocked-seats of a slot and of a day.
func (p *Pages) blockedSeats(c *fiber.Ctx, v steering) error {
	return p.showBlocked(c, v, nil)
}

// blockSeats answers POST …/blocked-seats.
func (p *Pages) blockSeats(c *fiber.Ctx, v steering) error {
	form := blockForm{next: nextTab(c, v.place), reason: strings.Clone(c.FormValue(views.FieldReason)),
		until: clip(strings.Clone(c.FormValue(views.FieldUntil)))}
	for _, raw := range c.Request().PostArgs().PeekMulti(views.FieldSeat) {
		if id, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			form.seats = append(form.seats, id)
		}
	}
	for part := range strings.SplitSeq(c.FormValue(views.FieldShown), ",") {
		if id, err := strconv.ParseInt(part, 10, 64); err == nil {
			form.shown = append(form.shown, id)
		}
	}
	confirmed := c.FormValue(views.FieldConfirmed) == views.Yes
	block := reserve.SeatBlock{RestaurantID: v.Restaurant.ID, Reason: form.reason, Preview: !confirmed,
		Block: form.seats, Unblock: without(form.shown, form.seats)}
	block, err := p.block(c, v, form, block)
	switch {
	case err != nil && isFault(err):
		form.refused = err
		return p.showBlocked(c, v, &form)
	case err != nil:
		return err
	case !confirmed:
		return respond.Render(c, fiber.StatusOK, pages.Preview(p.previewOfBlock(c, v, form, block)))
	}
	respond.SetFlash(c, views.FlashSuccess, "flash.steered")
	return respond.SeeOther(c, cmp.Or(form.next, v.shown().BlockedSeatsURL()))
}

func (p *Pages) block(c *fiber.Ctx, v steering, form blockForm, block reserve.SeatBlock) (reserve.SeatBlock, error) {
	if !v.isDay() {
		return p.Bookings.BlockSeats(c.UserContext(), v.By, booking.SlotKey{RestaurantID: v.Restaurant.ID, Date: v.date,
			Time: v.at}, block)
	}
	days := reserve.Days{First: v.date, Last: v.date}
	if form.until != "" {
		last, err := booking.ParseDate(form.until)
		if err != nil {
			return block, oneFault("until", "invalid_date")
		}
		days.Last = last
	}
	return p.Bookings.BlockSeatsOfDays(c.UserContext(), v.By, days, block)
}

// without returns ids that are not among others.
func without(ids, others []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(others, id) })
}

// showBlocked renders the page of blocked seats, with what was typed in a form that was refused. Returns
// booking.ErrNotFound where seats have no names.
func (p *Pages) showBlocked(c *fiber.Ctx, v steering, form *blockForm) error {
	if len(v.Restaurant.Seats) == 0 {
		return booking.ErrNotFound
	}
	known, err := p.Bookings.Occupancies(c.UserContext(), v.By, v.Restaurant, v.date)
	if err != nil {
		return err
	}
	blocked, err := p.Bookings.BlockedSeats(c.UserContext(), v.By, v.date)
	if err != nil {
		return err
	}
	page := views.StaffBlockedSeats{StaffShell: p.Places.Shell(c, v.Workplace, views.SectionTonight), SlotOrDay: v.shown(),
		MaxDays: reserve.MaxBlockedDays}
	var taken booking.TakenSeats
	slots := 0
	for _, at := range sortedTimes(known) {
		if v.isDay() || at == v.at {
			taken, slots = taken.Union(known[at].Seats), slots+1
		}
	}
	if slots == 0 {
		return booking.ErrNotFound
	}
	page.Room = respond.SeatMap(v.Restaurant, taken)
	names := map[int64]string{}
	if !v.isDay() {
		key := booking.SlotKey{RestaurantID: v.Restaurant.ID, Date: v.date, Time: v.at}
		if names, err = p.Bookings.Seated(c.UserContext(), v.By, key); err != nil {
			return err
		}
	}
	for _, seat := range v.Restaurant.Seats {
		page.Seats = append(page.Seats, blockable(v, seat, blocked, slots, names[seat.ID]))
	}
	return respond.Render(c, form.refuse(v, &page), pages.BlockedSeats(page))
}

// refuse puts on the page what was typed and why it was refused, if a form was, and returns the status of the answer.
func (f *blockForm) refuse(v steering, page *views.StaffBlockedSeats) (status int) {
	if f == nil {
		return fiber.StatusOK
	}
	status, page.Errors, page.Conflict = faultsOf(page.Layout, v.place, v.date, f.refused)
	page.Reason, page.Until = f.reason, f.until
	for i, seat := range page.Seats {
		page.Seats[i].Blocked = slices.Contains(f.seats, seat.ID)
	}
	return status
}

// blockable is a seat with whether it is blocked in all of so many slots.
func blockable(v steering, seat booking.Seat, blocked map[booking.TimeOfDay][]reserve.BlockedSeat, slots int,
	guest string) views.BlockableSeat {
	s := views.BlockableSeat{ID: seat.ID, Label: seat.Label, Guest: guest}
	n := 0
	for _, at := range slices.Sorted(maps.Keys(blocked)) {
		for _, b := range blocked[at] {
			if b.SeatID == seat.ID && (v.isDay() || at == v.at) {
				n, s.Reason = n+1, b.Reason
			}
		}
	}
	s.Blocked, s.Partly = n > 0 && n >= slots, n > 0 && n < slots
	return s
}

// previewOfBlock asks whether to block and unblock seats.
func (p *Pages) previewOfBlock(c *fiber.Ctx, v steering, form blockForm, block reserve.SeatBlock) views.StaffPreview {
	page := views.StaffPreview{StaffShell: p.Places.Shell(c, v.Workplace, views.SectionTonight),
		Part: views.PartBlock, Action: v.shown().BlockedSeatsURL(), Back: cmp.Or(form.next, v.shown().BlockedSeatsURL())}
	page.Title = page.T("steerask.block", "When", v.shown().When(page.Lang))
	room := respond.SeatMap(v.Restaurant, nil)
	line := func(key string, ids []int64) {
		if len(ids) > 0 {
			page.Lines = append(page.Lines, page.T(key, "Labels", strings.Join(room.Labels(ids), ", ")))
		}
	}
	line("steer.line_block", block.Block)
	line("steer.line_unblock", block.Unblock)
	if v.isDay() {
		last := block.Slots[len(block.Slots)-1].Date
		page.Lines = append(page.Lines, page.T("steer.line_until", "Until", i18n.LongDate(page.Lang, v.Midnight(last)),
			"N", len(block.Slots)))
	}
	add := func(field, value string) {
		page.Fields = append(page.Fields, views.FormValue{Name: field, Value: value})
	}
	for _, id := range form.seats {
		add(views.FieldSeat, strconv.FormatInt(id, 10))
	}
	shown := make([]string, len(form.shown))
	for i, id := range form.shown {
		shown[i] = strconv.FormatInt(id, 10)
	}
	add(views.FieldShown, strings.Join(shown, ","))
	add(views.FieldReason, form.reason)
	add(views.FieldUntil, form.until)
	add(views.FieldNext, form.next)
	return page
}
