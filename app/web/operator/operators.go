package operator

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// list answers GET /operator/operators.
func (p *Pages) list(c *fiber.Ctx, by reserve.Operator) error { return p.show(c, by, "") }

// invite answers POST /operator/operators: the link is shown once.
func (p *Pages) invite(c *fiber.Ctx, by reserve.Operator) error {
	token, err := p.Operators.InviteAnother(c.UserContext())
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return p.show(c.Status(fiber.StatusCreated), by, p.BaseURL+views.OperatorSetupURL(token))
}

func (p *Pages) show(c *fiber.Ctx, by reserve.Operator, link string) error {
	operators, err := p.Operators.Store.ListOperators(c.UserContext())
	if err != nil {
		return err
	}
	page := views.Operators{Layout: p.Layout(c), Operators: operators, Reader: by.UserID(), Link: link,
		Hours: int(identity.InvitationLife.Hours())}
	page.Path = views.OperatorsURL()
	return respond.Render(c, c.Response().StatusCode(), pages.Operators(page))
}

// end answers POST /operator/operators/:operator/end.
func (p *Pages) end(c *fiber.Ctx, by reserve.Operator) error {
	err := p.Operators.Store.EndOperator(c.UserContext(), c.Params("operator"), by.UserID())
	return respond.Done(c, err, views.OperatorsURL(), views.FlashSuccess, "flash.operator_ended")
}
