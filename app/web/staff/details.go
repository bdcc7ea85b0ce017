package staff

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// askDetails answers GET …/details: who comes, to be corrected. A party that is over leads to its page.
func (p *Pages) askDetails(c *fiber.Ctx, w place, res booking.Reservation) error {
	if !res.CanCorrect() {
		return respond.SeeOther(c, views.StaffReservationURL(res.ID))
	}
	page, err := p.detailsPage(c, w, res)
	return respond.RenderFound(c, page, err, pages.Details)
}

// changeDetails answers POST …/details.
func (p *Pages) changeDetails(c *fiber.Ctx, w place, res booking.Reservation) error {
	is, was := readDetails(c, ""), readDetails(c, views.WasPrefix)
	change := detailsSince(was, is)
	var refused error
	if !change.IsEmpty() {
		_, refused = p.Bookings.ChangeDetails(c.UserContext(), w.By, res.ID, change)
	}
	if refused == nil {
		return respond.RedirectSaying(c, views.StaffReservationURL(res.ID), views.FlashSuccess, "flash.guest_corrected")
	}
	why := respond.ProblemOf(refused)
	if why.Status != fiber.StatusConflict && why.Status != fiber.StatusUnprocessableEntity {
		return refused
	}
	page, err := p.detailsPage(c, w, res)
	if err != nil {
		return err
	}
	page.Was, page.Is, page.Errors = was, is, guestErrors(page.Lang, refused)
	if page.Errors == nil {
		page.Refused = respond.Sentence(page.Lang, why)
	}
	return respond.Render(c, why.Status, pages.Details(page))
}

// detailsPage is the form as things are.
func (p *Pages) detailsPage(c *fiber.Ctx, w place, res booking.Reservation) (views.StaffDetails, error) {
	guest, err := p.Bookings.Guest(c.UserContext(), w.By, res)
	if err != nil {
		return views.StaffDetails{}, err
	}
	known, err := p.Evenings.Known(c.UserContext(), w.By, res.RestaurantID, res.ID)
	if err != nil {
		return views.StaffDetails{}, err
	}
	page := views.StaffDetails{StaffShell: p.shell(c, w), ID: res.ID, HasName: res.HasGuestName()}
	page.Path = views.StaffDetailsURL(res.ID)
	page.Title = guestName(page.Lang, guest.Name)
	becomesGuest := known.Guest == "" && page.HasName && res.State != booking.Temporary // a hold makes no guest
	page.CanTag = w.By.May(team.NoteGuests) && (known.Consents || becomesGuest)
	page.Was = views.StaffDetailsForm{Name: res.GuestName, Phone: res.GuestPhone, Note: res.Note,
		Allergies: res.Allergies, Tags: views.NewTagForm(guest.Tags)}
	page.Is = page.Was
	return page, nil
}

// readDetails reads the form as it was typed, or with a prefix what it was before.
func readDetails(c *fiber.Ctx, prefix string) views.StaffDetailsForm {
	value := func(name string) string { return respond.FormValue(c, prefix+name) }
	return views.StaffDetailsForm{Name: value(views.FieldName), Phone: value(views.FieldPhone),
		Note: value(views.FieldNote), Allergies: value(views.FieldAllergies), Tags: respond.TagForm(c, prefix)}
}

// detailsSince returns what differs between two answers of the form.
func detailsSince(was, is views.StaffDetailsForm) booking.Details {
	differs := func(was, is string) *string {
		if was == is {
			return nil
		}
		return &is
	}
	d := booking.Details{Name: differs(was.Name, is.Name), Phone: differs(was.Phone, is.Phone),
		Note: differs(was.Note, is.Note), Allergies: differs(was.Allergies, is.Allergies)}
	if was.Tags.Own != is.Tags.Own || !slices.Equal(slices.Sorted(slices.Values(was.Tags.Kinds)),
		slices.Sorted(slices.Values(is.Tags.Kinds))) {
		d.Tags, d.TagsSeen = is.Tags.Tags(), was.Tags.Tags()
	}
	return d
}
