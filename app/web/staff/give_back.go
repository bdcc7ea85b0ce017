package staff

import (
	"cmp"
	"crypto/rand"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// askGiveBack answers GET …/refund: how much goes back, and why. Where nothing is left it leads to the party.
func (p *Pages) askGiveBack(c *fiber.Ctx, w place, res booking.Reservation) error {
	if res.Left() == 0 {
		return respond.SeeOther(c, views.StaffReservationURL(res.ID))
	}
	return p.showGiveBack(c, partyView{place: w, res: res}, strconv.FormatInt(res.Left(), 10), "")
}

// giveBack answers POST …/refund.
func (p *Pages) giveBack(c *fiber.Ctx, w place, res booking.Reservation) error {
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	amount, reason := strings.TrimSpace(respond.FormValue(c, views.FieldAmount)), respond.FormValue(c, views.FieldReason)
	back := booking.GiveBack{ReservationID: res.ID, Key: key, Reason: reason}
	back.Amount, _ = strconv.ParseInt(amount, 10, 64) // 0 is refused
	if left, err := strconv.ParseInt(respond.FormValue(c, views.FieldLeft), 10, 64); err == nil {
		back.Left = &left
	}
	if _, err = p.Bookings.GiveBack(c.UserContext(), w.By, back); err == nil {
		return respond.RedirectSaying(c, views.StaffReservationURL(res.ID), views.FlashSuccess,
			"flash.guest_given_back", back.Amount)
	}
	status := respond.ProblemOf(err).Status
	if status != fiber.StatusConflict && status != fiber.StatusUnprocessableEntity {
		return err
	}
	w, res, found := p.guest(c) // something else may be left by now
	if found != nil {
		return found
	}
	return p.showGiveBack(c, partyView{place: w, res: res, refused: err}, amount, reason)
}

// showGiveBack renders the form with what was typed.
func (p *Pages) showGiveBack(c *fiber.Ctx, v partyView, amount, reason string) error {
	page, err := p.partyPage(c, v)
	if err != nil {
		return err
	}
	page.Amount, page.Reason, page.Key = clip(amount), reason, rand.Text()
	status := fiber.StatusOK
	if v.refused != nil {
		why := respond.ProblemOf(v.refused)
		status, page.Errors = why.Status, guestErrors(page.Lang, v.refused)
		if page.Errors == nil {
			page.Errors = views.FieldErrors{cmp.Or(why.Field, views.FieldForm): respond.Sentence(page.Lang, why)}
		}
	}
	return respond.Render(c, status, pages.GiveBack(page))
}
