// Package team holds the pages of a restaurant's team: who works there, invitations, and what was done.
package team

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	crew "lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/team"
)

// Deps is what the pages of a team work with.
type Deps struct {
	Places workplace.Finder
	Team   *crew.Service
	Users  identity.Store
	// Layout is what a page shows around its content that is not of one restaurant.
	Layout func(c *fiber.Ctx) views.Layout
}

// Pages answers the requests about a team.
type Pages struct{ Deps }

// New returns the pages over their parts.
func New(deps Deps) *Pages { return &Pages{deps} }

// Mount adds the routes. The server must have put respond.Authenticator.Identify and respond.RefuseCrossSite in
// front of them.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	shed, change := gates.Shed, gates.Change
	r.Get("/invitation", shed, p.invitation)
	r.Post("/invitation", change, shed, p.accept)
	r.Get("/staff/restaurants/:restaurant/team", shed, p.team)
	r.Get("/staff/restaurants/:restaurant/team/log", shed, p.log)
	r.Post("/staff/restaurants/:restaurant/team/invitations", gates.Letters, shed, p.invite)
	r.Post("/staff/restaurants/:restaurant/team/invitations/:invitation/withdraw", shed, p.withdraw)
	r.Post("/staff/restaurants/:restaurant/team/members/:member/role", shed, p.changeRole)
	r.Get("/staff/restaurants/:restaurant/team/members/:member/remove", shed, p.askRemove)
	r.Post("/staff/restaurants/:restaurant/team/members/:member/remove", shed, p.remove)
	r.Get("/staff/restaurants/:restaurant/team/leave", shed, p.askLeave)
	r.Post("/staff/restaurants/:restaurant/team/leave", shed, p.leave)
}

// team answers GET …/team.
func (p *Pages) team(c *fiber.Ctx) error {
	w, err := p.Places.Allowed(c, crew.SeeTeam)
	if err != nil {
		return err
	}
	return p.show(c, w, views.Team{Role: string(identity.RoleHost)}, fiber.StatusOK)
}

// show renders the team with what was typed into its form.
func (p *Pages) show(c *fiber.Ctx, w workplace.Workplace, page views.Team, status int) error {
	members, invitations, err := p.Team.List(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	page.StaffShell = p.Places.Shell(c, w, views.SectionTeam)
	page.Path = views.TeamURL(w.Restaurant.ID)
	page.CanManage, page.CanSeeLog = w.By.May(crew.ManageTeam), w.By.May(crew.SeeAuditLog)
	page.Members, page.Invitations, page.Reader = members, invitations, w.By.UserID()
	return respond.Render(c, status, pages.Team(page))
}
