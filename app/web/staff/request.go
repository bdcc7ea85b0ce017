package staff

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// place is a restaurant, and who asks as a member of its staff.
type place struct{ workplace.Workplace }

// place finds the restaurant that the path names. Returns the errors of workplace.Finder.Published.
func (p *Pages) place(c *fiber.Ctx) (place, error) {
	w, err := p.Places.Published(c)
	return place{w}, err
}

// shell is what a page of the evening shows around its content.
func (p *Pages) shell(c *fiber.Ctx, w place) views.StaffShell {
	return p.Places.Shell(c, w.Workplace, views.SectionTonight)
}

// guest finds the reservation that the path names. Returns the errors of workplace.Finder.Guest.
func (p *Pages) guest(c *fiber.Ctx) (place, booking.Reservation, error) {
	w, res, err := p.Places.Guest(c)
	return place{w}, res, err
}

// guestFor is guest for those who may do something with it.
func (p *Pages) guestFor(action team.Action) func(*fiber.Ctx) (place, booking.Reservation, error) {
	return func(c *fiber.Ctx) (place, booking.Reservation, error) {
		w, res, err := p.guest(c)
		if err == nil {
			err = w.By.Check(w.Restaurant.ID, action)
		}
		return w, res, err
	}
}

// slotURL is the address of a slot's page; empty for a time that does not exist any more.
func (w place) slotURL(slot booking.SlotKey) string {
	start, err := w.Restaurant.Start(slot.Date, slot.Time)
	if err != nil {
		return ""
	}
	return views.StaffSlotURL(w.Restaurant.ID, start)
}

// toSlot is where every form of a slot leads back to.
func (w place) toSlot(c *fiber.Ctx, slot booking.SlotKey) error {
	start, err := w.Restaurant.Start(slot.Date, slot.Time)
	if err != nil {
		return err
	}
	return respond.SeeOther(c, views.StaffSlotURL(w.Restaurant.ID, start))
}

// clip keeps what is shown again in a field within reason.
func clip(typed string) string {
	const most = 20
	if len(typed) > most {
		return ""
	}
	return typed
}
