package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) waitlistRoutes() group {
	return group{"waitlist", "Waiting for seats of a full slot, and offers of them.", []operation{
		{route: "POST /waitlist", id: "joinWaitlist", right: access.SignedIn, limit: ofChanges, key: needsKey,
			run:     takes(withKey(respond.Session), a.joinWaitlist),
			summary: "Wait for seats in a slot that has too few",
			text: "Seats that come free are offered to those who wait, in their order, before anybody who " +
				"presses. Where they are too few for a party, smaller ones behind it may be seated first, at " +
				"most maxPasses times. One entry a person and slot.",
			status: 201, located: true, says: "The entry. A repeat with the same key gets the same one.",
			refuses: []string{"not_found", "seats_available", "duplicate", "already_listed", "too_many_entries",
				"closed"}},
		{route: "GET /waitlist", id: "listWaitlist", right: access.SignedIn,
			run:     lists("entries", respond.Session, a.listWaitlist),
			summary: "The diner's own entries, latest slot first",
			says:    "The entries."},
		{route: "GET /waitlist/{id}", id: "findWaitlistEntry", right: access.Own,
			run:     answers(a.ownEntry, a.findEntry),
			summary: "One of the diner's own entries",
			says:    "The entry."},
		{route: "DELETE /waitlist/{id}", id: "leaveWaitlist", right: access.Own, limit: ofChanges,
			run:     answers(respond.Session, a.leaveWaitlist),
			summary: "Leave the list; an offer is declined",
			text:    "An entry that is over stays as it is.",
			says:    "The entry as it is now.", refuses: []string{"offer_over"}},
		{route: "POST /waitlist/{id}/accept", id: "acceptOffer", right: access.Own, limit: ofChanges,
			run:     answers(a.ownEntry, a.acceptOffer),
			summary: "Accept an offer",
			text: "The seats are held until the offer's deadline: pay for its reservation by then. Paying " +
				"accepts as well. A repeat is no fault.",
			says: "The entry.", refuses: []string{"offer_over"}},
		{route: "POST /waitlist/{id}/decline", id: "declineOffer", right: access.Own, limit: ofChanges,
			run:     answers(a.ownEntry, a.declineOffer),
			summary: "Decline an offer",
			text:    "Its seats go to the next at once. A repeat is no fault.",
			says:    "The entry.", refuses: []string{"offer_over"}},
	}}
}

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
		MaxPasses: booking.MaxPasses, Keeps: e.Keeps, MaxKeeps: booking.MaxKeeps, KeptUntil: timeOrNull(e.KeptUntil),
		CreatedAt: e.CreatedAt}
	if e.Offer != nil {
		out.Offer = &offer{ReservationID: e.Offer.ReservationID, Deadline: e.Offer.Deadline}
	}
	return out
}

func (a *API) joinWaitlist(c *fiber.Ctx, sent keyed[identity.Session], in reserve.WaitDraft) (waitlistEntry, error) {
	if in.RestaurantID == 0 {
		return waitlistEntry{}, invalid("restaurantId", "required")
	}
	joined, err := a.Waitlists.Join(c.UserContext(), sent.by.UserID, sent.key, in)
	if err == nil {
		c.Location("/api/waitlist/" + joined.ID)
	}
	return newWaitlistEntry(joined), err
}

// listWaitlist lists the latest slot first.
func (a *API) listWaitlist(c *fiber.Ctx, s identity.Session, page keyset.Request) (keyset.Page[waitlistEntry], error) {
	return as(paged(newWaitlistEntry))(a.Waitlists.Store.ListEntries(c.UserContext(), s.UserID, page))
}

func (a *API) findEntry(_ *fiber.Ctx, own booking.Entry) (waitlistEntry, error) {
	return newWaitlistEntry(own), nil
}

// leaveWaitlist declines an offer where there is one.
func (a *API) leaveWaitlist(c *fiber.Ctx, s identity.Session) (waitlistEntry, error) {
	return as(newWaitlistEntry)(a.Waitlists.Leave(c.UserContext(), s.UserID, param(c, "id")))
}

func (a *API) acceptOffer(c *fiber.Ctx, own booking.Entry) (waitlistEntry, error) {
	return as(newWaitlistEntry)(a.Waitlists.Store.Accept(c.UserContext(), own.ID))
}

func (a *API) declineOffer(c *fiber.Ctx, own booking.Entry) (waitlistEntry, error) {
	return as(newWaitlistEntry)(a.Waitlists.Decline(c.UserContext(), own.ID))
}

// ownEntry is the entry that the path names, if it is the signed-in diner's.
func (a *API) ownEntry(c *fiber.Ctx) (booking.Entry, error) {
	s, err := respond.Session(c)
	if err != nil {
		return booking.Entry{}, err
	}
	return a.Waitlists.Find(c.UserContext(), s.UserID, param(c, "id"))
}
