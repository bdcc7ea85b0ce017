package staff

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// markFlash are the catalogue's keys of the sentences for what was marked.
var markFlash = map[booking.State]string{
	booking.Arrived:   "flash.arrived",
	booking.Seated:    "flash.seated",
	booking.Completed: "flash.completed",
	booking.NoShow:    "flash.no_show",
}

// mark answers POST …/arrived, …/seated, …/completed and …/no-show.
func (p *Pages) mark(state booking.State) fiber.Handler {
	return func(c *fiber.Ctx) error {
		return p.changeGuest(c, markFlash[state], func(ctx context.Context, by team.Staff, id string) error {
			_, err := p.Bookings.Mark(ctx, by, id, state)
			return err
		})
	}
}

// undo answers POST …/undo. The form says which mark it takes back.
func (p *Pages) undo(c *fiber.Ctx) error {
	mark := booking.State(respond.FormValue(c, views.FieldState))
	return p.changeGuest(c, "flash.undone", func(ctx context.Context, by team.Staff, id string) error {
		if markFlash[mark] == "" {
			return respond.BadRequest
		}
		_, err := p.Bookings.Undo(ctx, by, id, mark)
		return err
	})
}

// waive answers POST …/waive: the guest does not have to pay the deposit.
func (p *Pages) waive(c *fiber.Ctx) error {
	return p.changeGuest(c, "flash.waived", func(ctx context.Context, by team.Staff, id string) error {
		_, err := p.Bookings.Waive(ctx, by, id)
		return err
	})
}

// postpone answers POST …/pay-by: the guest has more time for the deposit. One that is no later is not taken.
func (p *Pages) postpone(c *fiber.Ctx) error {
	within := booking.PayWithin(respond.FormValue(c, views.FieldPayWithin))
	return p.changeGuest(c, "flash.postponed", func(ctx context.Context, by team.Staff, id string) error {
		_, err := p.Bookings.Postpone(ctx, by, id, within)
		return err
	})
}

// withdrawOffer answers POST …/another-time/withdraw: the guest cannot take what was offered any more.
func (p *Pages) withdrawOffer(c *fiber.Ctx, _ place, _ booking.Reservation) error {
	return p.changeGuest(c, "flash.offer_withdrawn", func(ctx context.Context, by team.Staff, id string) error {
		_, err := p.Bookings.WithdrawMoveOffer(ctx, by, id)
		return err
	})
}

// cancel answers POST …/cancel: the guest gets back all that was paid.
func (p *Pages) cancel(c *fiber.Ctx) error {
	reason := respond.FormValue(c, views.FieldReason)
	err := p.changeGuest(c, "flash.guest_cancelled", func(ctx context.Context, by team.Staff, id string) error {
		_, err := p.Bookings.CancelGuest(ctx, by, id, reason)
		return err
	})
	var invalid *booking.InvalidError
	if !errors.As(err, &invalid) {
		return err
	}
	w, res, found := p.guest(c)
	if found != nil {
		return found
	}
	return p.showCancel(c, partyView{place: w, res: res, refused: err}, reason)
}

// changeGuest takes a step with a reservation and leads back to the page that the form was on: the guest's pass, or the
// slot. A step that came too early, or after somebody else's, is explained there.
func (p *Pages) changeGuest(c *fiber.Ctx, message string, step func(context.Context, team.Staff, string) error) error {
	w, res, err := p.guest(c)
	if err != nil {
		return err
	}
	err = step(c.UserContext(), w.By, res.ID)
	tab := nextTab(c, w)
	var invalid *booking.InvalidError
	switch {
	case errors.As(err, &invalid) && invalid.Fields[0].Field == "payWithin":
		respond.SetFlash(c, views.FlashError, "flash.not_postponed")
	case errors.Is(err, booking.ErrWrongState), errors.Is(err, booking.ErrTooEarly),
		errors.Is(err, booking.ErrSeatsGiven), errors.Is(err, booking.ErrChangedMeanwhile),
		errors.Is(err, booking.ErrNoMoveOffer), errors.Is(err, identity.ErrTooManyLetters):
		respond.SetFlash(c, views.FlashError, "error."+respond.ProblemOf(err).Code)
	case err != nil:
		return err
	case tab != "":
		return respond.SeeOther(c, withQuery(tab, views.FieldMarked, res.ID))
	default:
		respond.SetFlash(c, views.FlashSuccess, message)
	}
	next := respond.FormValue(c, views.FieldNext)
	ofSlot := strings.HasPrefix(next, w.slotURL(res.Slot)+"?") && respond.IsLocalPath(next)
	if ofSlot || tab != "" || next == views.PassURL(res.ID) || next == views.StaffReservationURL(res.ID) {
		return respond.SeeOther(c, next)
	}
	return w.toSlot(c, res.Slot)
}

// nextTab is the address that a form leads on to, if it is a tab of its restaurant's evening; else empty.
func nextTab(c *fiber.Ctx, w place) string {
	if next := respond.FormValue(c, views.FieldNext); eveningTab(w, next) != "" {
		return next
	}
	return ""
}

// eveningTab is the tab of its restaurant's evening that a form was on; empty for another page.
func eveningTab(w place, next string) views.EveningTab {
	path, _, _ := strings.Cut(next, "?")
	for _, tab := range views.EveningTabs {
		page, _, _ := strings.Cut(views.EveningAddress{RestaurantID: w.Restaurant.ID, Tab: tab}.URL(), "?")
		if path == page && respond.IsLocalPath(next) {
			return tab
		}
	}
	return ""
}

// withQuery is the address of a tab that says what was done just now: its bar offers to take that back.
func withQuery(tab string, pairs ...string) string {
	path, query, _ := strings.Cut(tab, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return path
	}
	for _, before := range []string{views.FieldMarked, views.FieldMoved, views.FieldWas} {
		values.Del(before)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return path + "?" + values.Encode()
}
