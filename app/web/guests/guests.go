// Package guests shows a restaurant's staff the history of their guests.
package guests

import (
	"errors"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/guests"
)

// Pages answers the requests of staff.
type Pages struct {
	Places    workplace.Finder
	Guests    *guests.Service
	Downloads *respond.Downloads
	Now       func() time.Time
}

// Mount adds the routes.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	const at = "/staff/restaurants/:restaurant/guests"
	r.Get(at, gates.Shed, p.Places.For(team.SeeGuests, p.list))
	r.Get(at+"/file.csv", gates.Change, gates.Shed, p.Places.For(team.SeeGuests, p.file))
	r.Get(at+"/:guest", gates.Shed, p.Places.For(team.SeeGuests, p.profile))
	r.Post(at+"/:guest/notes", gates.Change, gates.Shed, p.Places.For(team.NoteGuests, p.addNote))
	r.Post(at+"/:guest/notes/:note/delete", gates.Change, gates.Shed,
		p.Places.For(team.DeleteGuestNotes, p.deleteNote))
	r.Post(at+"/:guest/tags", gates.Change, gates.Shed, p.Places.For(team.NoteGuests, p.setTags))
}

// list answers GET /staff/restaurants/{id}/guests; words that fit too many come back with what is wrong, as a 422.
func (p *Pages) list(c *fiber.Ctx, w workplace.Workplace) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	page := views.GuestList{StaffShell: p.Places.Shell(c, w, views.SectionGuests),
		Words: strings.Clone(c.Query(views.FieldWords))}
	search, err := guests.ParseSearch(page.Words)
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		page.Errors = views.FieldErrors{}
		for _, fault := range invalid.Fields {
			page.Errors[fault.Field] = page.T("error.field."+fault.Reason, "Min", fault.Min, "Max", fault.Max)
		}
		return respond.Render(c, fiber.StatusUnprocessableEntity, pages.List(page))
	}
	found, err := p.Guests.List(c.UserContext(), w.By, w.Restaurant.ID, search, asked)
	if err != nil {
		return err
	}
	page.Guests = found.Items
	page.Pager = respond.Pager(c, views.GuestsURL(w.Restaurant.ID, ""), views.FieldAfter, found.Next)
	return respond.Render(c, fiber.StatusOK, pages.List(page))
}

// profile answers GET /staff/restaurants/{id}/guests/{guest}.
func (p *Pages) profile(c *fiber.Ctx, w workplace.Workplace) error {
	return p.show(c, w, written{})
}

// written is a form of the page that was refused.
type written struct {
	note string
	tags *views.TagForm // nil: another form
	err  error          // nil: nothing was written
}

// show renders the page of a guest.
func (p *Pages) show(c *fiber.Ctx, w workplace.Workplace, form written) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	found, err := p.Guests.Find(c.UserContext(), w.By, w.Restaurant.ID, strings.Clone(c.Params("guest")), asked)
	if err != nil {
		return err
	}
	page := views.GuestProfile{StaffShell: p.Places.Shell(c, w, views.SectionGuests), Profile: found, Now: p.Now(),
		MayNote: w.By.May(team.NoteGuests), MayDelete: w.By.May(team.DeleteGuestNotes)}
	page.Form = views.NewTagForm(found.Tags)
	status := fiber.StatusOK
	if form.err != nil {
		status = refuse(&page, form)
	}
	page.Path = views.GuestURL(w.Restaurant.ID, found.ID)
	page.Pager = respond.Pager(c, page.Path, views.FieldAfter, found.Bookings.Next)
	return respond.Render(c, status, pages.Profile(page))
}
