package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
)

// waitlistEntry is a place on a waitlist as the API tells it.
type waitlistEntry struct {
	ID string `json:"id"`
	// offered: seats are held for it. accepted: the diner said yes, or has paid. lapsed: the deadline has passed.
	// left: also by another reservation in the slot. over: the slot takes no more reservations.
	State        booking.EntryState `json:"state"`
	RestaurantID int64              `json:"restaurantId"`
	Date         booking.Date       `json:"date"`
	Time         booking.TimeOfDay  `json:"time"`
	PartySize    int                `json:"partySize"`
	Ahead        int                `json:"ahead"`      // parties that wait before it
	SeatsAhead   int                `json:"seatsAhead"` // seats that those wait for
	// Parties that were seated before it although they came later, since seats were kept for it.
	Passes int `json:"passes"`
	// After so many seats that come free are kept for it for some time.
	MaxPasses int `json:"maxPasses"`
	Keeps     int `json:"keeps"`    // how often seats were kept for it
	MaxKeeps  int `json:"maxKeeps"` // how often they are at most
	// Until when seats are, or the last time were, kept for it; null: never yet.
	KeptUntil *time.Time `json:"keptUntil"`
	Offer     *offer     `json:"offer"` // null until there is one
	CreatedAt time.Time  `json:"createdAt"`
}

// offer are seats that are held for an entry.
type offer struct {
	ReservationID string    `json:"reservationId"`
	Deadline      time.Time `json:"deadline"` // by which the deposit is to be paid
}

func newWaitlistEntry(e booking.Entry) waitlistEntry {
	out := waitlistEntry{ID: e.ID, State: e.State, RestaurantID: e.Slot.RestaurantID, Date: e.Slot.Date,
		Time: e.Slot.Time, PartySize: e.PartySize, Ahead: e.Ahead, SeatsAhead: e.SeatsAhead, Passes: e.Passes,
		MaxPasses: booking.MaxPasses, Keeps: e.Keeps, MaxKeeps: booking.MaxKeeps, CreatedAt: e.CreatedAt}
	if !e.KeptUntil.IsZero() {
		out.KeptUntil = &e.KeptUntil
	}
	if e.Offer != nil {
		out.Offer = &offer{ReservationID: e.Offer.ReservationID, Deadline: e.Offer.Deadline}
	}
	return out
}

type waitRequest struct {
	RestaurantID int64  `json:"restaurantId"`
	Date         string `json:"date"`
	Time         string `json:"time"`
	PartySize    int    `json:"partySize"`
}

// joinWaitlist answers POST /api/waitlist.
func (a *API) joinWaitlist(c *fiber.Ctx) error {
	s, key, err := sessionAndKey(c)
	if err != nil {
		return err
	}
	var in waitRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	if in.RestaurantID == 0 {
		return invalid("restaurantId", "required")
	}
	joined, err := a.Waitlists.Join(c.UserContext(), s.UserID, key, reserve.WaitDraft(in))
	if err != nil {
		return err
	}
	c.Location("/api/waitlist/" + joined.ID)
	return c.Status(fiber.StatusCreated).JSON(newWaitlistEntry(joined))
}

// listWaitlist answers GET /api/waitlist: the diner's own entries, latest slot first.
func (a *API) listWaitlist(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	own, err := a.Waitlists.List(c.UserContext(), s.UserID, page)
	if err != nil {
		return err
	}
	return sendPage(c, "entries", own, newWaitlistEntry)
}

// findEntry answers GET /api/waitlist/{id}.
func (a *API) findEntry(c *fiber.Ctx) error {
	own, err := a.ownEntry(c)
	if err != nil {
		return err
	}
	return c.JSON(newWaitlistEntry(own))
}

// leaveWaitlist answers DELETE /api/waitlist/{id}; who holds an offer declines it.
func (a *API) leaveWaitlist(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	left, err := a.Waitlists.Leave(c.UserContext(), s.UserID, param(c, "id"))
	if err != nil {
		return err
	}
	return c.JSON(newWaitlistEntry(left))
}

// acceptOffer answers POST /api/waitlist/{id}/accept.
func (a *API) acceptOffer(c *fiber.Ctx) error { return a.answerOffer(c, a.Waitlists.Accept) }

// declineOffer answers POST /api/waitlist/{id}/decline.
func (a *API) declineOffer(c *fiber.Ctx) error { return a.answerOffer(c, a.Waitlists.Decline) }

func (a *API) answerOffer(c *fiber.Ctx, answer func(ctx context.Context, id string) (booking.Entry, error)) error {
	own, err := a.ownEntry(c)
	if err != nil {
		return err
	}
	answered, err := answer(c.UserContext(), own.ID)
	if err != nil {
		return err
	}
	return c.JSON(newWaitlistEntry(answered))
}

// ownEntry is the entry that the path names, if it is the signed-in diner's.
func (a *API) ownEntry(c *fiber.Ctx) (booking.Entry, error) {
	s, err := respond.Session(c)
	if err != nil {
		return booking.Entry{}, err
	}
	return a.Waitlists.Find(c.UserContext(), s.UserID, param(c, "id"))
}
