package staff

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/flash"
	"lunchgo/views"
)

// openSlot answers POST …/open.
func (p *Pages) openSlot(c *fiber.Ctx) error {
	return p.changeSlot(c, p.Bookings.OpenSlot, "flash.slot_opened")
}

// closeSlot answers POST …/close. Those who wait in its line are told by whoever watches availability.
func (p *Pages) closeSlot(c *fiber.Ctx) error {
	return p.changeSlot(c, p.Bookings.CloseSlot, "flash.slot_closed")
}

func (p *Pages) changeSlot(c *fiber.Ctx, change func(context.Context, booking.SlotKey, string) error, message string) error {
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	key, _, err := d.slotKey(c)
	if err != nil {
		return err
	}
	if err := change(c.UserContext(), key, d.staffID); err != nil {
		return err
	}
	flash.Set(c, views.FlashSuccess, message)
	return d.toSlot(c, key)
}

// changeCapacity answers POST …/capacity.
func (p *Pages) changeCapacity(c *fiber.Ctx) error {
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	key, start, err := d.slotKey(c)
	if err != nil {
		return err
	}
	typed := strings.Clone(c.FormValue(views.FieldCapacity))
	v := slotView{desk: d, key: key, start: start, status: fiber.StatusUnprocessableEntity, capacity: clip(typed)}
	capacity, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil {
		v.fault = func(f views.Frame, _ int) string { return f.T("fault.invalid_number") }
		return p.showSlot(c, v)
	}
	err = p.Bookings.SetCapacity(c.UserContext(), key, capacity, d.staffID)
	var invalid *booking.InvalidError
	switch {
	case errors.As(err, &invalid):
		v.fault = func(f views.Frame, minimum int) string {
			return f.T("fault.out_of_range", "Min", minimum, "Max", booking.MaxCapacity)
		}
		return p.showSlot(c, v)
	case errors.Is(err, booking.ErrBelowSold):
		v.fault = func(f views.Frame, minimum int) string { return f.T("fault.below_sold", "Min", minimum) }
		return p.showSlot(c, v)
	case err != nil:
		return err
	}
	flash.Set(c, views.FlashSuccess, "flash.capacity", int64(capacity))
	return d.toSlot(c, key)
}

// clip keeps what is shown again in a field within reason.
func clip(typed string) string {
	const most = 20
	if len(typed) > most {
		return ""
	}
	return typed
}
