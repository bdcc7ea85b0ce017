package staff

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// home answers GET /staff: the choice of restaurant, or the board of the only one.
func (p *Pages) home(c *fiber.Ctx, session identity.Session) error {
	workplaces, err := p.Drafts.Store.ListWorkplaces(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	if len(workplaces) == 1 && workplaces[0].State == booking.RestaurantPublished {
		return respond.SeeOther(c, views.StaffSectionURL(workplaces[0].ID, views.SectionTonight))
	}
	return p.choice(c, workplaces)
}

// choice lists the restaurants of a member of staff.
func (p *Pages) choice(c *fiber.Ctx, workplaces []reserve.Workplace) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	page := keyset.Slice(asked, workplaces, func(w reserve.Workplace) keyset.Cursor {
		return keyset.Cursor{Number: w.ID}
	})
	home := views.StaffHome{Layout: p.Layout(c), Today: p.Bookings.Now(),
		Pager: respond.Pager(c, views.StaffURL(), views.FieldAfter, page.Next)}
	for _, w := range page.Items {
		if w.State == booking.RestaurantPublished {
			r, err := p.Bookings.FindRestaurant(c.UserContext(), w.ID)
			if err != nil {
				return err
			}
			home.Today = home.Today.In(r.Location)
		}
		home.Restaurants = append(home.Restaurants,
			views.StaffRestaurant{Name: w.Name.In(home.Lang), Picture: w.Picture,
				Role: home.T("staff." + string(w.Role)), IsDraft: w.State == booking.RestaurantDraft, URL: workURL(w)})
	}
	return respond.Render(c, fiber.StatusOK, pages.Home(home))
}

// workURL leads to the evening of a restaurant, and of a draft to its set-up, for who may see that.
func workURL(w reserve.Workplace) string {
	switch {
	case w.State == booking.RestaurantPublished:
		return views.StaffSectionURL(w.ID, views.SectionTonight)
	case team.May(w.Role, team.SeeSettings):
		return views.StaffSectionURL(w.ID, views.SectionSetup)
	}
	return ""
}
