package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

// knownGuest is somebody who has booked at a restaurant, and what came of it there.
type knownGuest struct {
	ID            string     `json:"id"`         // means nothing at another restaurant
	Name          string     `json:"name"`       // as of the latest booking
	Phone         string     `json:"phone"`      // empty when none is known
	HasAccount    bool       `json:"hasAccount"` // false: known by the phone number only
	Visits        int        `json:"visits"`
	NoShows       int        `json:"noShows"`
	Cancellations int        `json:"cancellations"`
	LastVisit     *time.Time `json:"lastVisit"` // null for who has never come
	// Won paid to the restaurant, less refunds; 0 where notesAllowed is false.
	Spent     int64    `json:"spent"`
	Allergies []string `json:"allergies"` // as stated with their bookings
	// False: the guest has an account and has not agreed that restaurants keep notes and tags. Allergies, notes of
	// bookings and money are then shown for bookings of today and later only.
	NotesAllowed bool `json:"notesAllowed"`
	// Kinds that every restaurant has (vip, regular, window, quiet, wheelchair, high_chair, vegetarian,
	// allergy_nuts, allergy_shellfish, allergy_dairy, allergy_eggs, allergy_wheat), and words of the restaurant.
	Tags []string `json:"tags"`
}

func newKnownGuest(g guests.Guest) knownGuest {
	return knownGuest{ID: g.ID, Name: g.Name, Phone: g.Phone, HasAccount: g.HasAccount, Visits: g.Visits,
		NoShows: g.NoShows, Cancellations: g.Cancellations, LastVisit: timeOrNull(g.LastVisit), Spent: g.Spent,
		Allergies: append([]string{}, g.Allergies...), NotesAllowed: g.Consents, Tags: append([]string{}, g.Tags...)}
}

// guestProfile is a guest with a page of their bookings.
type guestProfile struct {
	knownGuest
	Notes    []guestNote    `json:"notes"` // by staff of this restaurant, the latest first
	Bookings []guestBooking `json:"bookings"`
	Next     *string        `json:"next"` // cursor of the next page; null on the last one
}

type guestBooking struct {
	ReservationID string         `json:"reservationId"`
	At            time.Time      `json:"at"`
	PartySize     int            `json:"partySize"`
	State         booking.State  `json:"state"`
	Source        booking.Source `json:"source"`
	Note          string         `json:"note"`
	Spent         int64          `json:"spent"`
}

// listGuests answers GET /api/staff/restaurants/{id}/guests: the latest visitors first.
func (a *API) listGuests(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeGuests)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	search, err := guests.ParseSearch(c.Query(guests.FieldQuery))
	if err != nil {
		return err
	}
	found, err := a.Guests.List(c.UserContext(), w.By, w.Restaurant.ID, search, page)
	if err != nil {
		return err
	}
	return sendPage(c, "guests", found, newKnownGuest)
}

// findGuest answers GET /api/staff/restaurants/{id}/guests/{guest}.
func (a *API) findGuest(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeGuests)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	found, err := a.Guests.Find(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), page)
	if err != nil {
		return err
	}
	profile := guestProfile{knownGuest: newKnownGuest(found.Guest), Notes: []guestNote{}, Bookings: []guestBooking{},
		Next: nextOf(found.Bookings.Next)}
	for _, n := range found.Notes {
		profile.Notes = append(profile.Notes, newGuestNote(n))
	}
	for _, b := range found.Bookings.Items {
		profile.Bookings = append(profile.Bookings,
			guestBooking{ReservationID: b.ID, At: b.Start, PartySize: b.PartySize, State: b.State,
				Source: b.Source, Note: b.Note, Spent: b.Spent})
	}
	return c.JSON(profile)
}
