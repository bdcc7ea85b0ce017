package staff

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// slot answers GET /staff/restaurants/{id}/slots/{date}/{time}: one slot with its reservations.
func (p *Pages) slot(c *fiber.Ctx, w place) error {
	key, start, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	return p.showSlot(c, slotView{place: w, key: key, start: start})
}

// slotView is a slot's page.
type slotView struct {
	place
	key   booking.SlotKey
	start time.Time
}

// figures are a slot's page without its guests. Returns booking.ErrNotFound if there is no such slot.
func (p *Pages) figures(c *fiber.Ctx, v slotView) (views.StaffSlotPage, booking.Occupancy, error) {
	occupied, err := p.Bookings.Occupancies(c.UserContext(), v.By, v.Restaurant, v.key.Date)
	if err != nil {
		return views.StaffSlotPage{}, booking.Occupancy{}, err
	}
	o, ok := occupied[v.key.Time]
	if !ok {
		return views.StaffSlotPage{}, o, booking.ErrNotFound
	}
	return views.StaffSlotPage{StaffShell: p.shell(c, v.place),
		Slot: p.slotsOf(c.UserContext(), v.place, []booking.SlotKey{v.key}, occupied)[0]}, o, nil
}

// showSlot renders a slot's page. Returns booking.ErrNotFound if there is no such slot.
func (p *Pages) showSlot(c *fiber.Ctx, v slotView) error {
	page, o, err := p.figures(c, v)
	if err != nil {
		return err
	}
	if err := p.showGuests(c, v, &page); err != nil {
		return err
	}
	if page.Room, err = p.roomOf(c.UserContext(), v, o.Seats); err != nil {
		return err
	}
	if err := p.showWaitlist(c, v, &page); err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Slot(page))
}

// showGuests puts a page of the slot's reservations on its page.
func (p *Pages) showGuests(c *fiber.Ctx, v slotView, page *views.StaffSlotPage) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	guests, err := p.Bookings.Guests(c.UserContext(), v.By, v.key, asked)
	if err != nil {
		return err
	}
	page.GuestsPager = respond.Pager(c, views.StaffSlotURL(v.Restaurant.ID, v.start), views.FieldAfter, guests.Next)
	for _, g := range guests.Items {
		page.Reservations = append(page.Reservations, v.guestIn(v.key, g, page.Lang, p.Bookings.Now()))
	}
	return nil
}

// showWaitlist puts a page of those who wait for the slot on its page, in their order.
func (p *Pages) showWaitlist(c *fiber.Ctx, v slotView, page *views.StaffSlotPage) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfterWaits)
	if err != nil {
		return err
	}
	waiting, err := p.Waitlists.Waiting(c.UserContext(), v.By, v.key, asked)
	if err != nil {
		return err
	}
	page.WaitlistPager = respond.Pager(c, views.StaffSlotURL(v.Restaurant.ID, v.start), views.FieldAfterWaits,
		waiting.Next)
	for _, w := range waiting.Items {
		row := views.StaffWaiting{ID: w.ID, Name: w.Name, PhoneTail: tail(w.Phone), Party: w.PartySize,
			State: w.State, Passes: w.Passes, MaxPasses: booking.MaxPasses}
		if w.Offer != nil {
			row.Deadline = w.Offer.Deadline.In(v.start.Location())
		}
		page.Waitlist = append(page.Waitlist, row)
	}
	return nil
}
