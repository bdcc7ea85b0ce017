package staff

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// arrived answers POST …/arrived.
func (p *Pages) arrived(c *fiber.Ctx) error {
	return p.changeGuest(c, "flash.arrived", func(ctx context.Context, id, staffID string) error {
		_, err := p.Bookings.Finish(ctx, id, booking.Completed, staffID)
		return err
	})
}

// noShow answers POST …/no-show.
func (p *Pages) noShow(c *fiber.Ctx) error {
	return p.changeGuest(c, "flash.no_show", func(ctx context.Context, id, staffID string) error {
		_, err := p.Bookings.Finish(ctx, id, booking.NoShow, staffID)
		return err
	})
}

// cancel answers POST …/cancel: the guest gets back all that was paid.
func (p *Pages) cancel(c *fiber.Ctx) error {
	return p.changeGuest(c, "flash.guest_cancelled", func(ctx context.Context, id, staffID string) error {
		_, err := p.Bookings.Cancel(ctx, id, reserve.Canceller{UserID: staffID, Staff: true})
		return err
	})
}

// changeGuest takes a step with a reservation and leads back to its slot. A step that came too early, or after somebody
// else's, is told there.
func (p *Pages) changeGuest(c *fiber.Ctx, message string, step func(ctx context.Context, id, staffID string) error) error {
	d, res, err := p.guest(c)
	if err != nil {
		return err
	}
	err = step(c.UserContext(), res.ID, d.staffID)
	switch {
	case errors.Is(err, booking.ErrWrongState), errors.Is(err, booking.ErrTooEarly):
		respond.SetFlash(c, views.FlashError, "error."+respond.ProblemOf(err).Code)
	case err != nil:
		return err
	default:
		respond.SetFlash(c, views.FlashSuccess, message)
	}
	return d.toSlot(c, res.Slot)
}
