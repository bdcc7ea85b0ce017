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

// Pages answers the requests about a team.
type Pages struct {
	Places workplace.Finder
	Team   *crew.Service
	Users  identity.Store
	// Layout is what a page shows around its content that is not of one restaurant.
	Layout func(c *fiber.Ctx) views.Layout
}

// Mount adds the routes. The server must have put respond.Authenticator.Identify and respond.RefuseCrossSite in
// front of them.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	const at = "/staff/restaurants/:restaurant/team"
	shed, change := gates.Shed, gates.Change
	r.Get("/invitation", shed, p.invitation)
	r.Post("/invitation", change, shed, respond.For(respond.Session, p.accept))
	r.Get(at, shed, p.Places.For(crew.SeeTeam, p.team))
	r.Get(at+"/log", shed, p.Places.For(crew.SeeAuditLog, p.log))
	r.Post(at+"/invitations", gates.Letters, shed, p.Places.For(crew.ManageTeam, p.invite))
	r.Post(at+"/invitations/:invitation/withdraw", shed, p.Places.For(crew.ManageTeam, p.withdraw))
	r.Post(at+"/members/:member/role", shed, p.Places.For(crew.ManageTeam, p.changeRole))
	r.Get(at+"/members/:member/remove", shed, p.Places.For(crew.ManageTeam, p.askRemove))
	r.Post(at+"/members/:member/remove", shed, p.Places.For(crew.ManageTeam, p.remove))
	r.Get(at+"/leave", shed, respond.For(p.Places.Find, p.askLeave))
	r.Post(at+"/leave", shed, respond.For(p.Places.Find, p.leave))
}

// team answers GET …/team.
func (p *Pages) team(c *fiber.Ctx, w workplace.Workplace) error {
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
