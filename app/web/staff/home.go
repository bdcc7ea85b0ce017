package staff

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// home answers GET /staff: the choice of restaurant, or the board of the only one.
func (p *Pages) home(c *fiber.Ctx) error {
	session, err := respond.Session(c)
	if err != nil {
		return err
	}
	memberships, err := p.Identity.Store.ListMemberships(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	if len(memberships) == 1 {
		r, err := p.Bookings.FindRestaurant(c.UserContext(), memberships[0].RestaurantID)
		if err != nil {
			return err
		}
		w := workplace{restaurant: r}
		return c.Redirect(views.StaffBoardURL(r.ID, w.midnight(p.today(w))), fiber.StatusSeeOther)
	}
	return p.choice(c, memberships)
}

func (p *Pages) choice(c *fiber.Ctx, memberships []identity.Membership) error {
	home := views.StaffHome{Layout: p.Layout(c), Today: p.Bookings.Now()}
	for _, m := range memberships {
		r, err := p.Bookings.FindRestaurant(c.UserContext(), m.RestaurantID)
		if err != nil {
			return err
		}
		home.Today = home.Today.In(r.Location)
		home.Restaurants = append(home.Restaurants, views.StaffRestaurant{ID: r.ID, Name: r.Name.In(home.Lang),
			Picture: r.Picture, Role: home.T("staff." + string(m.Role))})
	}
	return respond.Render(c, fiber.StatusOK, pages.Home(home))
}
