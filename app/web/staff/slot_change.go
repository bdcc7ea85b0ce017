package staff

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// openSlot answers POST …/open.
func (p *Pages) openSlot(c *fiber.Ctx) error {
	return p.changeSlot(c, false, "flash.slot_opened")
}

// askClose answers GET …/close: whom closing touches now. A slot that is closed or over leads to its page.
func (p *Pages) askClose(c *fiber.Ctx) error {
	w, err := p.place(c)
	if err != nil {
		return err
	}
	key, start, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	page, _, err := p.figures(c, slotView{place: w, key: key, start: start})
	switch {
	case err != nil:
		return err
	case page.Slot.State == views.SlotClosed, page.Slot.State == views.SlotOver:
		return w.toSlot(c, key)
	}
	return respond.Render(c, fiber.StatusOK, pages.CloseSlot(page))
}

// closeSlot answers POST …/close. The watcher of availability ends the waits in the slot's line.
func (p *Pages) closeSlot(c *fiber.Ctx) error {
	return p.changeSlot(c, true, "flash.slot_closed")
}

func (p *Pages) changeSlot(c *fiber.Ctx, closed bool, message string) error {
	w, err := p.place(c)
	if err != nil {
		return err
	}
	key, start, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	_, err = p.Bookings.ChangeSlot(c.UserContext(), w.By, key, reserve.SlotChange{Closed: &closed}, false)
	if errors.Is(err, booking.ErrPast) {
		return p.showSlot(c, slotView{place: w, key: key, start: start, refused: err})
	}
	if err != nil {
		return err
	}
	respond.SetFlash(c, views.FlashSuccess, message)
	return w.toSlot(c, key)
}

// changeCapacity answers POST …/capacity.
func (p *Pages) changeCapacity(c *fiber.Ctx) error {
	w, err := p.place(c)
	if err != nil {
		return err
	}
	key, start, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	typed := strings.Clone(c.FormValue(views.FieldCapacity))
	capacity, err := strconv.Atoi(strings.TrimSpace(typed))
	if err == nil {
		_, err = p.Bookings.ChangeSlot(c.UserContext(), w.By, key, reserve.SlotChange{Capacity: &capacity}, false)
	}
	switch {
	case err == nil:
	case capacityFault(err) != "", errors.Is(err, booking.ErrPast):
		return p.showSlot(c, slotView{place: w, key: key, start: start, capacity: clip(typed), refused: err})
	default:
		return err
	}
	respond.SetFlash(c, views.FlashSuccess, "flash.capacity", int64(capacity))
	return w.toSlot(c, key)
}

// capacityFault is the key of the sentence that says what is wrong with a capacity; empty if something else is.
func capacityFault(err error) string {
	var invalid *booking.InvalidError
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return "fault.invalid_number"
	case errors.Is(err, booking.ErrBelowSold):
		return "fault.below_sold"
	case errors.Is(err, strconv.ErrRange), errors.As(err, &invalid):
		return "fault.out_of_range"
	}
	return ""
}

// clip keeps what is shown again in a field within reason.
func clip(typed string) string {
	const most = 20
	if len(typed) > most {
		return ""
	}
	return typed
}
