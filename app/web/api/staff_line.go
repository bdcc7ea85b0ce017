package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
)

// waiter is somebody who waits in the line of a slot, as staff see it.
type waiter struct {
	// Names the place for staff. Nobody can use it as the diner's ticket.
	Ticket    string    `json:"ticket"`
	Name      string    `json:"name"`
	PartySize int       `json:"partySize"`
	Position  int       `json:"position"` // 1 is next; 0 while the turn is being served
	Since     time.Time `json:"since"`
}

// listWaiters answers GET /api/staff/restaurants/{restaurant}/slots/{date}/{time}/tickets.
func (a *API) listWaiters(c *fiber.Ctx) error {
	w, err := a.Places.Published(c)
	if err != nil {
		return err
	}
	slot, _, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	asked, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	page, err := a.Bookings.WhoWaits(c.UserContext(), w.By, slot, asked)
	if err != nil {
		return err
	}
	return sendPage(c, "tickets", page, func(one reserve.Waiter) waiter {
		return waiter{Ticket: one.ID, Name: one.Name, PartySize: one.PartySize, Position: one.Position,
			Since: one.Since.UTC()}
	})
}

// removalRequest says why somebody has to leave a line.
type removalRequest struct {
	Reason string `json:"reason"` // the diner reads it
}

// removeWaiter answers DELETE /api/staff/restaurants/{restaurant}/slots/{date}/{time}/tickets/{ticket}.
func (a *API) removeWaiter(c *fiber.Ctx) error {
	w, err := a.Places.Published(c)
	if err != nil {
		return err
	}
	slot, _, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	var in removalRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	if err := a.Bookings.RemoveWaiter(c.UserContext(), w.By, slot, param(c, "ticket"), in.Reason); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// endTurn answers DELETE /api/staff/restaurants/{restaurant}/slots/{date}/{time}/turn.
func (a *API) endTurn(c *fiber.Ctx) error {
	w, err := a.Places.Published(c)
	if err != nil {
		return err
	}
	slot, _, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	if err := a.Bookings.EndTurn(c.UserContext(), w.By, slot); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
