package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

func (a *API) mountGuests(group fiber.Router, gates respond.Gates) {
	group.Get("/staff/restaurants/:restaurant/guests", gates.Shed, a.listGuests)
	group.Get("/staff/restaurants/:restaurant/guests/:guest", gates.Shed, a.findGuest)
	group.Post("/staff/restaurants/:restaurant/guests/:guest/notes", gates.Change, gates.Shed, a.addGuestNote)
	group.Delete("/staff/restaurants/:restaurant/guests/:guest/notes/:note", gates.Change, gates.Shed,
		a.deleteGuestNote)
	group.Put("/staff/restaurants/:restaurant/guests/:guest/tags", gates.Change, gates.Shed, a.setGuestTags)
}

// knownGuest is somebody who has booked at a restaurant, and what came of it there.
type knownGuest struct {
	ID            string     `json:"id"`
	Name          string     `json:"name"`
	Phone         string     `json:"phone"`
	HasAccount    bool       `json:"hasAccount"`
	Visits        int        `json:"visits"`
	NoShows       int        `json:"noShows"`
	Cancellations int        `json:"cancellations"`
	LastVisit     *time.Time `json:"lastVisit"` // null for who has never come
	Spent         int64      `json:"spent"`
	Allergies     []string   `json:"allergies"`
	NotesAllowed  bool       `json:"notesAllowed"`
	Tags          []string   `json:"tags"`
}

func newKnownGuest(g guests.Guest) knownGuest {
	return knownGuest{ID: g.ID, Name: g.Name, Phone: g.Phone, HasAccount: g.HasAccount, Visits: g.Visits,
		NoShows: g.NoShows, Cancellations: g.Cancellations, LastVisit: timeOrNull(g.LastVisit), Spent: g.Spent,
		Allergies: append([]string{}, g.Allergies...), NotesAllowed: g.Consents, Tags: append([]string{}, g.Tags...)}
}

// guestProfile is a guest with a page of their bookings.
type guestProfile struct {
	knownGuest
	Notes    []guestNote    `json:"notes"`
	Bookings []guestBooking `json:"bookings"`
	Next     *string        `json:"next"`
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
