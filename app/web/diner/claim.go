package diner

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// claim answers POST /coupons/:id/claims. It asks no database unless the campaign is long over.
func (s *Pages) claim(c *fiber.Ctx) error {
	session, err := respond.Session(c)
	if err != nil {
		return respond.Redirect(c, views.SignInURL(views.CouponsURL()))
	}
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	id, err := c.ParamsInt("id")
	if err != nil {
		return respond.NotFound
	}
	campaign, err := s.Coupons.Look(c.UserContext(), int64(id))
	if err != nil {
		return err
	}
	watch, err := s.pressCoupon(c.UserContext(), coupon.Request{CouponID: campaign.ID, UserID: session.UserID, IdempotencyKey: key})
	if errors.Is(err, waiting.ErrInProgress) {
		return s.couponOutcome(c, fiber.StatusConflict, campaign, views.OutcomeInProgress)
	}
	if err != nil {
		return err
	}
	defer watch.Close()
	return s.answerClaim(c, watch, campaign)
}

func (s *Pages) pressCoupon(ctx context.Context, req coupon.Request) (*waiting.Watch, error) {
	wish, err := waiting.RequestForCoupon(req)
	if err != nil {
		return nil, err
	}
	return s.Room.Enter(ctx, wish)
}

// answerClaim sends the diner on: to their coupons, or to the line, or says why there is none.
func (s *Pages) answerClaim(c *fiber.Ctx, watch *waiting.Watch, campaign coupon.Campaign) error {
	patience, cancel := context.WithTimeout(c.UserContext(), turnPatience)
	defer cancel()
	switch status := watch.WaitForResult(patience); status.State {
	case waiting.Reserved:
		return toCoupons(c)
	case waiting.Waiting:
		return respond.Redirect(c, views.TicketFromURL(watch.Token(), status.Position))
	case waiting.Left:
		return respond.Redirect(c, views.TicketURL(watch.Token()))
	default:
		why, _ := respond.ProblemOfResult(status.Result)
		if why.Status != fiber.StatusConflict {
			return why
		}
		return s.couponOutcome(c, why.Status, campaign, outcomeKind(status.Result))
	}
}

// toCoupons leads to the list, which says that there is a new one.
func toCoupons(c *fiber.Ctx) error {
	respond.SetFlash(c, views.FlashSuccess, "flash.coupon")
	return respond.Redirect(c, views.CouponsURL())
}

// couponOutcome says why there is no coupon. In a rush most are told so: it asks no database.
func (s *Pages) couponOutcome(c *fiber.Ctx, status int, of coupon.Campaign, kind views.OutcomeKind) error {
	f := s.Layouts.WithoutBalance(c)
	if c.Method() != fiber.MethodGet {
		f.Path = views.CouponsURL() // a change of language cannot send the form again
	}
	campaign, err := s.campaign(c.UserContext(), f.Lang, of)
	if err != nil {
		return err
	}
	return respond.Render(c, status, pages.CouponOutcome(views.CouponOutcome{Layout: f, Campaign: campaign, Kind: kind}))
}
