package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/guests"
	"lunchgo/app/keyset"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	guestpages "lunchgo/app/web/guests"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
)

func (a *API) guestsRoutes() group {
	return group{"guests", "A restaurant's guests: history, notes, tags.", []operation{
		{route: "GET /staff/restaurants/{restaurant}/guests", id: "listGuests",
			right: access.Staff(team.SeeGuests), run: lists("guests", a.staff, a.listGuests),
			summary: "Who has booked at a restaurant",
			text: "A guest is an account, or the phone number of parties that staff booked. All figures are of " +
				"this restaurant only.",
			query: []parameter{
				{name: "q", is: text, says: "Part of a name, 2 characters at least, or of a phone " +
					"number, 4 digits at least. A Korean consonant stands for the syllables that begin with it."},
			},
			says: "The latest visitors first, then those who have never come."},
		{route: "GET /staff/restaurants/{restaurant}/guests/file.csv", id: "exportGuests",
			right: access.Staff(team.SeeGuests), limit: ofChanges, run: does(a.staff, a.exportGuests),
			summary: "The guests of a restaurant as a file for spreadsheets",
			text: "A row a guest, with the latest note of staff. The log of the restaurant says who asked for it, and " +
				"how many guests it has.",
			query: []parameter{{name: "q", is: text, says: "As in the list of guests."}},
			gives: knownGuest{}, media: []string{mimeCSV},
			says: "The guests that the search finds, the latest visitors first, then those who have never come."},
		{route: "GET /staff/restaurants/{restaurant}/guests/{guest}", id: "findGuest",
			right: access.Staff(team.SeeGuests), paged: true, run: answers(a.staff, a.findGuest),
			summary: "A guest's history at a restaurant",
			text:    "The id is one of the list of this restaurant; it means nothing at another.",
			says:    "The guest, and a page of their bookings, the latest first."},
		{route: "POST /staff/restaurants/{restaurant}/guests/{guest}/notes", id: "addGuestNote",
			right: access.Staff(team.NoteGuests), limit: ofChanges, run: takes(a.staff, a.addGuestNote),
			summary: "Note something about a guest",
			text:    "The log of the restaurant says that a note was written, not what.",
			status:  201, says: "The note.", refuses: []string{"no_consent", "too_many_notes"}},
		{route: "DELETE /staff/restaurants/{restaurant}/guests/{guest}/notes/{note}", id: "deleteGuestNote",
			right: access.Staff(team.DeleteGuestNotes), limit: ofChanges, run: does(a.staff, a.deleteGuestNote),
			summary: "Delete a note about a guest",
			text:    "The log of the restaurant says who deleted a note, not what it said.",
			says:    "It is deleted.", refuses: []string{"demo_account"}},
		{route: "PUT /staff/restaurants/{restaurant}/guests/{guest}/tags", id: "setGuestTags",
			right: access.Staff(team.NoteGuests), limit: ofChanges, run: takes(a.staff, a.setGuestTags),
			summary: "Replace the tags of a guest",
			text:    "A tag that comes twice, in whatever case, is stored once.",
			says:    "The tags as they are stored.", refuses: []string{"no_consent"}},
	}}
}

// knownGuest is somebody who has booked at a restaurant, and what came of it there.
type knownGuest struct {
	guests.Guest
	LastVisit *time.Time `json:"lastVisit"` // null for who has never come
}

func newKnownGuest(g guests.Guest) knownGuest {
	g.Allergies, g.Tags = orEmpty(g.Allergies), orEmpty(g.Tags)
	return knownGuest{g, timeOrNull(g.LastVisit)}
}

// guestProfile is a guest with a page of their bookings.
type guestProfile struct {
	knownGuest
	Notes    []guests.Note    `json:"notes"` // by staff of this restaurant, the latest first
	Bookings []guests.Booking `json:"bookings"`
	Next     *string          `json:"next"` // cursor of the next page; null on the last one
}

// listGuests lists the latest visitors first.
func (a *API) listGuests(c *fiber.Ctx, w workplaces.Workplace, page keyset.Request) (keyset.Page[knownGuest], error) {
	search, err := guests.ParseSearch(c.Query(guests.FieldQuery))
	if err != nil {
		return keyset.Page[knownGuest]{}, err
	}
	return as(paged(newKnownGuest))(a.Guests.List(c.UserContext(), w.By, w.Restaurant.ID, search, page))
}

// exportGuests answers with a file whose headings are names for programs.
func (a *API) exportGuests(c *fiber.Ctx, w workplaces.Workplace) error {
	speak(c)
	as := func(key string) string { return key }
	return guestpages.SendFile(c, guestpages.File{Downloads: a.Downloads, Guests: a.Guests, Now: a.Bookings.Now()}, w,
		guests.Words{Heading: as, Tag: as})
}

func (a *API) findGuest(c *fiber.Ctx, w workplaces.Workplace) (of guestProfile, err error) {
	page, err := respond.ReadPage(c)
	if err != nil {
		return of, err
	}
	found, err := a.Guests.Find(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), page)
	return guestProfile{newKnownGuest(found.Guest), orEmpty(found.Notes), orEmpty(found.Bookings.Items),
		orNull(found.Bookings.Next)}, err
}

type noteRequest struct {
	Text string `json:"text"`
}

func (a *API) addGuestNote(c *fiber.Ctx, w workplaces.Workplace, in noteRequest) (guests.Note, error) {
	return a.Guests.AddNote(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), in.Text)
}

func (a *API) deleteGuestNote(c *fiber.Ctx, w workplaces.Workplace) error {
	note, err := respond.NumberParam(c, "note")
	if err != nil {
		return err
	}
	return a.Guests.DeleteNote(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), note)
}

// tagsRequest are the tags of a guest, also as the answer.
type tagsRequest struct {
	// Kinds that every restaurant has (vip, regular, window, quiet, wheelchair, high_chair, vegetarian,
	// allergy_nuts, allergy_shellfish, allergy_dairy, allergy_eggs, allergy_wheat), and words of the restaurant.
	Tags []string `json:"tags"`
}

func (a *API) setGuestTags(c *fiber.Ctx, w workplaces.Workplace, in tagsRequest) (tagsRequest, error) {
	tags, err := a.Guests.SetTags(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), in.Tags)
	return tagsRequest{tags}, err
}
