package team

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	crew "lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/team"
)

// invitation answers GET /invitation. It changes nothing: programs that look for viruses open the links of letters,
// too.
func (p *Pages) invitation(c *fiber.Ctx) error {
	return p.showInvitation(c, c.Query(views.FieldToken), fiber.StatusOK)
}

func (p *Pages) showInvitation(c *fiber.Ctx, token string, status int) error {
	i, err := p.Team.FindInvitation(c.UserContext(), token)
	if errors.Is(err, identity.ErrLinkOver) {
		return p.invitationOver(c)
	} else if err != nil {
		return err
	}
	page := views.TeamInvited{Layout: p.Layout(c), Invitation: i, Token: token}
	page.Path = views.InvitationURL(token)
	if session, err := respond.Session(c); err == nil {
		user, err := p.Users.FindUser(c.UserContext(), session.UserID)
		if err != nil && !errors.Is(err, identity.ErrNotFound) {
			return err
		}
		page.Reader = user.Email
	}
	return respond.Render(c, status, pages.Invited(page))
}

func (p *Pages) invitationOver(c *fiber.Ctx) error {
	page := views.TeamInvited{Layout: p.Layout(c), Over: true}
	page.Path = views.AcceptInvitationURL()
	return respond.Render(c, fiber.StatusConflict, pages.Invited(page))
}

// accept answers POST /invitation.
func (p *Pages) accept(c *fiber.Ctx, session identity.Session) error {
	token := respond.FormValue(c, views.FieldToken)
	_, err := p.Team.Accept(c.UserContext(), token, session.UserID)
	switch {
	case errors.Is(err, identity.ErrLinkOver):
		return p.invitationOver(c)
	case errors.Is(err, crew.ErrOtherAddress):
		return p.showInvitation(c, token, fiber.StatusForbidden)
	case err != nil:
		return err
	}
	return respond.RedirectSaying(c, views.StaffURL(), views.FlashSuccess, "flash.team_joined")
}
