package staff

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// slot answers GET /staff/restaurants/{id}/slots/{date}/{time}: one slot with its reservations.
func (p *Pages) slot(c *fiber.Ctx) error {
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	key, start, err := d.slotKey(c)
	if err != nil {
		return err
	}
	return p.showSlot(c, slotView{desk: d, key: key, start: start})
}

// slotView is a slot's page, and what became of a form of it that was refused.
type slotView struct {
	desk
	key      booking.SlotKey
	start    time.Time
	capacity string // as typed
	refused  error  // nil when nothing was
}

// figures are a slot's page without its guests. Returns booking.ErrNotFound if there is no such slot.
func (p *Pages) figures(c *fiber.Ctx, v slotView) (views.StaffSlotPage, booking.Occupancy, error) {
	occupied, err := p.Bookings.Occupancies(c.UserContext(), v.restaurant, v.key.Date)
	if err != nil {
		return views.StaffSlotPage{}, booking.Occupancy{}, err
	}
	o, ok := occupied[v.key.Time]
	if !ok {
		return views.StaffSlotPage{}, o, booking.ErrNotFound
	}
	waiting := countWaiting(c.UserContext(), p.Bookings, []booking.SlotKey{v.key})
	page := views.StaffSlotPage{Layout: p.Layout(c), RestaurantID: v.restaurant.ID, Capacity: v.capacity,
		Slot: staffSlot(v.start, p.Bookings.Now(), o, v.restaurant.PartyMin), MinCapacity: o.Held, MaxCapacity: booking.MaxCapacity}
	page.Restaurant, page.Slot.Waiting = v.restaurant.Name.In(page.Lang), waiting[0]
	return page, o, nil
}

// showSlot renders a slot's page. Returns booking.ErrNotFound if there is no such slot.
func (p *Pages) showSlot(c *fiber.Ctx, v slotView) error {
	page, o, err := p.figures(c, v)
	if err != nil {
		return err
	}
	guests, err := p.Bookings.Guests(c.UserContext(), v.key)
	if err != nil {
		return err
	}
	status := fiber.StatusOK
	switch {
	case errors.Is(v.refused, booking.ErrPast):
		status = fiber.StatusConflict
		page.Flash = views.Flash{Kind: views.FlashError, Message: page.T("staff.over_text")}
	case v.refused != nil:
		status = fiber.StatusUnprocessableEntity
		page.Errors = views.FieldErrors{views.FieldCapacity: page.T(capacityFault(v.refused), "Min", o.Held, "Max", booking.MaxCapacity)}
	}
	page.Room = roomOf(v.restaurant, o.Seats, guests)
	for _, g := range guests {
		page.Reservations = append(page.Reservations, v.reservation(g, page.Lang, p.Bookings.Now()))
	}
	if page.Waitlist, err = p.waitlist(c.UserContext(), v); err != nil {
		return err
	}
	return render(c, status, pages.Slot(page))
}

// waitlist are those who wait for the slot, in their order.
func (p *Pages) waitlist(ctx context.Context, v slotView) ([]views.StaffWaiting, error) {
	waiting, err := p.Waitlists.Store.ListWaiting(ctx, v.key)
	if err != nil {
		return nil, err
	}
	var list []views.StaffWaiting
	for _, w := range waiting {
		row := views.StaffWaiting{ID: w.ID, Name: w.Name, PhoneTail: tail(w.Phone), Party: w.PartySize,
			State: views.EntryState(w.State), Passes: w.Passes, MaxPasses: booking.MaxPasses, Since: w.CreatedAt.In(v.start.Location())}
		if w.Offer != nil {
			row.Deadline = w.Offer.Deadline.In(v.start.Location())
		}
		list = append(list, row)
	}
	return list, nil
}

// reservation is a guest's, who comes in the slot or came before and stays. What can be done with it goes by when it begins.
func (v slotView) reservation(g reserve.Guest, lang string, now time.Time) views.StaffReservation {
	start, end := v.start, time.Time{}
	if len(g.Stay) > 0 {
		if at, err := v.restaurant.Start(g.Slot.Date, g.Slot.Time); err == nil {
			start = at
		}
		end, _ = v.restaurant.End(g.Slot, g.Stay) // zero shows none
	}
	r := staffReservation(g, lang, start, now)
	r.From, r.Until, r.Stays = start, end, g.Slot != v.key
	return r
}

func staffReservation(g reserve.Guest, lang string, start, now time.Time) views.StaffReservation {
	r := views.StaffReservation{
		ID: g.ID, Code: g.Code(), Name: g.Name, PhoneTail: tail(g.Phone), Party: g.PartySize,
		State: views.ReservationState(g.State), Note: g.Note, Allergies: g.Allergies, Paid: g.PaidAmount,
		Discount:      views.Discount{Use: views.CouponUse(g.Discount.Use), Amount: g.Discount.Amount},
		HoldExpiresAt: g.HoldExpiresAt.In(start.Location()),
		CanArrive:     g.CheckFinish(booking.Completed, start, now) == nil,
		CanNoShow:     g.CheckFinish(booking.NoShow, start, now) == nil,
	}
	for _, seat := range g.Seats {
		r.Seats = append(r.Seats, seat.Label)
	}
	_, err := g.CancellationByStaff()
	r.CanCancel = err == nil
	for _, it := range g.Items {
		r.Items = append(r.Items, views.OrderLine{Name: it.Name.In(lang), Quantity: it.Quantity,
			Amount: it.UnitPrice * int64(it.Quantity)})
	}
	return r
}

// tail is the last four digits of a phone number: enough to tell two guests of one name apart.
func tail(phone string) string {
	var digits []rune
	for _, r := range phone {
		if r >= '0' && r <= '9' {
			digits = append(digits, r)
		}
	}
	return string(digits[max(0, len(digits)-4):])
}
