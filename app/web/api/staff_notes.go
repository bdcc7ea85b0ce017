package api

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/team"
)

// guestNote is what a member of staff wrote about a guest.
type guestNote struct {
	ID         int64     `json:"id"`
	Text       string    `json:"text"`
	WrittenBy  string    `json:"writtenBy"`  // user id
	WriterName string    `json:"writerName"` // as of now; empty once that account is deleted
	CreatedAt  time.Time `json:"createdAt"`
}

func newGuestNote(n guests.Note) guestNote {
	return guestNote{ID: n.ID, Text: n.Text, WrittenBy: n.By, WriterName: n.ByName, CreatedAt: n.At}
}

type noteRequest struct {
	Text string `json:"text"`
}

// addGuestNote answers POST /api/staff/restaurants/{id}/guests/{guest}/notes.
func (a *API) addGuestNote(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.NoteGuests)
	if err != nil {
		return err
	}
	var in noteRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	note, err := a.Guests.AddNote(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), in.Text)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(newGuestNote(note))
}

// deleteGuestNote answers DELETE /api/staff/restaurants/{id}/guests/{guest}/notes/{note}.
func (a *API) deleteGuestNote(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.DeleteGuestNotes)
	if err != nil {
		return err
	}
	note, err := strconv.ParseInt(c.Params("note"), 10, 64)
	if err != nil {
		return booking.ErrNotFound
	}
	if err := a.Guests.DeleteNote(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), note); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// tagsRequest are the tags of a guest, also as the answer.
type tagsRequest struct {
	// Kinds that every restaurant has (vip, regular, window, quiet, wheelchair, high_chair, vegetarian,
	// allergy_nuts, allergy_shellfish, allergy_dairy, allergy_eggs, allergy_wheat), and words of the restaurant.
	Tags []string `json:"tags"`
}

// setGuestTags answers PUT /api/staff/restaurants/{id}/guests/{guest}/tags.
func (a *API) setGuestTags(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.NoteGuests)
	if err != nil {
		return err
	}
	var in tagsRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	tags, err := a.Guests.SetTags(c.UserContext(), w.By, w.Restaurant.ID, param(c, "guest"), in.Tags)
	if err != nil {
		return err
	}
	return c.JSON(tagsRequest{Tags: tags})
}
