package team

import (
	"errors"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	crew "lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/team"
)

// invite answers POST …/team/invitations.
func (p *Pages) invite(c *fiber.Ctx, w workplace.Workplace) error {
	page := views.Team{Email: respond.FormValue(c, views.FieldEmail), Role: respond.FormValue(c, views.FieldRole)}
	_, err := p.Team.Invite(c.UserContext(), w.By, crew.NewInvitation{RestaurantID: w.Restaurant.ID, Email: page.Email,
		Role: identity.Role(page.Role), Language: respond.Lang(c)})
	if err == nil {
		return p.done(c, w, "flash.team_invited")
	}
	problem := respond.ProblemOf(err)
	page.Errors = errorsOf(respond.Lang(c), problem)
	if page.Errors == nil {
		return err
	}
	return p.show(c, w, page, problem.Status)
}

// errorsOf is what the form says of a problem; nil for one that is not about its fields.
func errorsOf(lang string, problem respond.Problem) views.FieldErrors {
	errs := views.FieldErrors{}
	for _, f := range problem.Fields {
		errs[f.Name] = respond.FieldSentence(lang, f)
	}
	if problem.Field == views.FieldEmail || problem.Code == identity.ErrTooManyLetters.Code {
		errs[views.FieldEmail] = respond.Sentence(lang, problem)
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}

// withdraw answers POST …/team/invitations/:invitation/withdraw.
func (p *Pages) withdraw(c *fiber.Ctx, w workplace.Workplace) error {
	if err := p.Team.Withdraw(c.UserContext(), w.By, w.Restaurant.ID,
		strings.Clone(c.Params("invitation"))); err != nil {
		return err
	}
	return p.done(c, w, "flash.team_withdrawn")
}

// changeRole answers POST …/team/members/:member/role.
func (p *Pages) changeRole(c *fiber.Ctx, w workplace.Workplace) error {
	role := identity.Role(respond.FormValue(c, views.FieldRole))
	if err := p.Team.ChangeRole(c.UserContext(), w.By, w.Restaurant.ID, strings.Clone(c.Params("member")),
		role); err != nil {
		return err
	}
	return p.done(c, w, "flash.team_role")
}

// askRemove answers GET …/team/members/:member/remove.
func (p *Pages) askRemove(c *fiber.Ctx, w workplace.Workplace) error {
	members, _, err := p.Team.List(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	id := c.Params("member")
	at := slices.IndexFunc(members, func(m crew.Member) bool { return m.UserID == id })
	if at < 0 {
		return booking.ErrNotFound
	}
	return respond.Render(c, fiber.StatusOK,
		pages.Question(views.TeamQuestion{StaffShell: p.Places.Shell(c, w, views.SectionTeam), Member: members[at]}))
}

// remove answers POST …/team/members/:member/remove.
func (p *Pages) remove(c *fiber.Ctx, w workplace.Workplace) error {
	if err := p.Team.Remove(c.UserContext(), w.By, w.Restaurant.ID, strings.Clone(c.Params("member"))); err != nil {
		return err
	}
	return p.done(c, w, "flash.team_removed")
}

// askLeave answers GET …/team/leave.
func (p *Pages) askLeave(c *fiber.Ctx, w workplace.Workplace) error {
	return respond.Render(c, fiber.StatusOK,
		pages.Question(views.TeamQuestion{StaffShell: p.Places.Shell(c, w, views.SectionTeam), Leaving: true}))
}

// leave answers POST …/team/leave.
func (p *Pages) leave(c *fiber.Ctx, w workplace.Workplace) error {
	err := p.Team.Remove(c.UserContext(), w.By, w.Restaurant.ID, w.By.UserID())
	if errors.Is(err, crew.ErrLastOwner) {
		q := views.TeamQuestion{StaffShell: p.Places.Shell(c, w, views.SectionTeam), Leaving: true, Last: true}
		q.Path = views.TeamLeaveURL(w.Restaurant.ID)
		return respond.Render(c, fiber.StatusConflict, pages.Question(q))
	} else if err != nil {
		return err
	}
	return respond.RedirectSaying(c, views.StaffURL(), views.FlashInfo, "flash.team_left")
}

func (p *Pages) done(c *fiber.Ctx, w workplace.Workplace, flash string) error {
	return respond.RedirectSaying(c, views.TeamURL(w.Restaurant.ID), views.FlashSuccess, flash)
}
