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
	"lunchgo/views/i18n"
)

// Deps is what the pages work with.
type Deps struct {
	Places workplace.Finder
	Guests *guests.Service
	Now    func() time.Time
}

// Pages answers the requests of staff.
type Pages struct{ Deps }

// New returns the pages over their parts.
func New(deps Deps) *Pages { return &Pages{deps} }

// Mount adds the routes.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	r.Get("/staff/restaurants/:restaurant/guests", gates.Shed, p.list)
	r.Get("/staff/restaurants/:restaurant/guests/:guest", gates.Shed, p.profile)
	r.Post("/staff/restaurants/:restaurant/guests/:guest/notes", gates.Change, gates.Shed, p.addNote)
	r.Post("/staff/restaurants/:restaurant/guests/:guest/notes/:note/delete", gates.Change, gates.Shed,
		p.deleteNote)
	r.Post("/staff/restaurants/:restaurant/guests/:guest/tags", gates.Change, gates.Shed, p.setTags)
}

// list answers GET /staff/restaurants/{id}/guests; words that fit too many come back with what is wrong, as a 422.
func (p *Pages) list(c *fiber.Ctx) error {
	w, err := p.Places.Allowed(c, team.SeeGuests)
	if err != nil {
		return err
	}
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	page := views.GuestList{StaffShell: p.Places.Shell(c, w, views.SectionGuests),
		Words: strings.Clone(c.Query(views.FieldWords))}
	search, err := guests.ParseSearch(page.Words)
	var invalid *booking.InvalidError
	if errors.As(err, &invalid) {
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
	for _, g := range found.Items {
		page.Guests = append(page.Guests, summary(w, page.Lang, g))
	}
	page.Pager = respond.Pager(c, views.GuestsURL(w.Restaurant.ID, ""), views.FieldAfter, found.Next)
	return respond.Render(c, fiber.StatusOK, pages.List(page))
}

// summary is a guest with times of the restaurant.
func summary(w workplace.Workplace, lang string, g guests.Guest) views.GuestSummary {
	s := views.GuestSummary{ID: g.ID, Name: g.Name, Phone: g.Phone, Visits: g.Visits, NoShows: g.NoShows,
		Allergies: g.Allergies, Tags: Tags(lang, g.Tags)}
	if !g.LastVisit.IsZero() {
		s.LastVisit = g.LastVisit.In(w.Restaurant.Location)
	}
	return s
}

// profile answers GET /staff/restaurants/{id}/guests/{guest}.
func (p *Pages) profile(c *fiber.Ctx) error {
	w, err := p.Places.Allowed(c, team.SeeGuests)
	if err != nil {
		return err
	}
	return p.show(c, w, written{})
}

// written is a form of the page that was refused.
type written struct {
	note, tags string
	kinds      []string
	err        error // nil: nothing was written
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
	page := views.GuestProfile{StaffShell: p.Places.Shell(c, w, views.SectionGuests),
		GuestSummary: summary(w, respond.Lang(c), found.Guest), HasAccount: found.HasAccount, Consents: found.Consents,
		MayNote: w.By.May(team.NoteGuests), MayDelete: w.By.May(team.DeleteGuestNotes)}
	addNotes(w, &page, found)
	status := fiber.StatusOK
	if form.err != nil {
		status = refuse(&page, form)
	}
	page.Path = views.GuestURL(w.Restaurant.ID, found.ID)
	page.Facts = facts(page, found.Guest)
	for _, b := range found.Bookings.Items {
		shown := views.GuestBooking{ID: b.ID, Start: b.Start.In(w.Restaurant.Location), Party: b.PartySize,
			State: b.State, Note: b.Note, Paid: b.Spent}
		if b.Start.After(p.Now()) {
			page.Coming = append(page.Coming, shown)
		} else {
			page.Past = append(page.Past, shown)
		}
	}
	page.Pager = respond.Pager(c, views.GuestURL(w.Restaurant.ID, found.ID), views.FieldAfter, found.Bookings.Next)
	return respond.Render(c, status, pages.Profile(page))
}

// facts are the sums of a guest; what there is none of is empty.
func facts(page views.GuestProfile, g guests.Guest) []views.Fact {
	count := func(key string, n int) views.Fact {
		f := views.Fact{Label: page.T("history." + key)}
		if n > 0 {
			f.Value = i18n.Number(n)
		}
		return f
	}
	last, spent := views.Fact{Label: page.T("history.last_visit")}, views.Fact{Label: page.T("history.spent")}
	if !page.LastVisit.IsZero() {
		last.Value = i18n.LongDate(page.Lang, page.LastVisit)
	}
	if g.Spent > 0 {
		spent.Value = i18n.Won(page.Lang, g.Spent)
	}
	return []views.Fact{count("visits", g.Visits), last, count("no_shows", g.NoShows),
		count("cancellations", g.Cancellations), spent}
}
