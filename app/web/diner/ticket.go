package diner

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/lineup"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// watch finds the ticket that an address names, if it is the signed-in diner's. The caller must Close it.
func (s *Pages) watch(c *fiber.Ctx) (*waiting.Watch, error) {
	session, err := respond.Session(c)
	if err != nil {
		return nil, err
	}
	return s.Room.Watch(c.UserContext(), c.Params("ticket"), session.UserID)
}

// ticket answers GET /tickets/:ticket: the place in the line, or where it led.
func (s *Pages) ticket(c *fiber.Ctx) error {
	watch, err := s.watch(c)
	if err != nil {
		return err
	}
	defer watch.Close()
	status := watch.Status()
	if status.State == waiting.Waiting {
		respond.RememberTickets(c, watch.Token())
	} else {
		respond.ForgetTicket(c, watch.Token())
	}
	switch {
	case status.State == waiting.Reserved && status.Result.ClaimID != "":
		return toCoupons(c)
	case status.State == waiting.Reserved && status.Result.Changed:
		return toChanged(c, status.Result.ReservationID)
	case status.State == waiting.Reserved:
		return toReserved(c, status.Result)
	}
	if change := changeOf(watch); change != nil && status.State != waiting.Waiting {
		if change.PaymentID != "" {
			return respond.Redirect(c, views.PaymentReturnURL(change.PaymentID))
		}
		why, _ := respond.ProblemOfResult(status.Result)
		return toUnchanged(c, change.ReservationID, why)
	}
	st, err := s.subjectOf(c.UserContext(), watch)
	switch {
	case err != nil:
		return err
	case status.State == waiting.Waiting:
		return s.waitingPage(c, watch.Token(), st, status)
	case st.campaign != nil:
		return s.couponOutcome(c, fiber.StatusOK, *st.campaign, headlineOf(status.Result))
	}
	outcome := s.outcome(c.UserContext(), s.layoutInRush(c), st, status.Result)
	return respond.Render(c, fiber.StatusOK, pages.Outcome(outcome))
}

// toReserved leads to what is next for a reservation that was made: its payment, or nothing any more.
func toReserved(c *fiber.Ctx, result waiting.Result) error {
	if result.Confirmed {
		return respond.Redirect(c, views.ReservationURL(result.ReservationID))
	}
	return respond.Redirect(c, views.PayURL(result.ReservationID))
}

// changeOf is the change that a ticket is for; nil if it is for a new reservation.
func changeOf(watch *waiting.Watch) *booking.Change {
	asked, ok := watch.OriginalRequest()
	if !ok {
		return nil
	}
	request, err := lineup.BookingOf(asked)
	if err != nil {
		return nil
	}
	return request.Change
}

func (s *Pages) waitingPage(c *fiber.Ctx, pass string, st ticketSubject, status waiting.Status) error {
	f := s.Layouts.WithoutBalance(c)
	view := waitingView{Pages: s, subject: st, lang: f.Lang, first: firstPosition(c)}
	page := views.Waiting{Layout: f, Ticket: pass, Status: view.status(c.UserContext(), status),
		HoldUnseen: s.Bookings.HoldUnseen,
		Refresh:    respond.Seconds(respond.RandomPause(refusal.UsualPause, time.Second))}
	if st.campaign == nil {
		page.Visit = st.visit()
		if !st.changes { // of which no letter says that it is the diner's turn
			page.Push = s.pushOf(c, st.slot)
		}
		return respond.Render(c, fiber.StatusOK, pages.Waiting(page))
	}
	head, err := s.couponHead(c.UserContext(), f.Lang, *st.campaign)
	if err != nil {
		return err
	}
	page.Coupon = &head
	return respond.Render(c, fiber.StatusOK, pages.Waiting(page))
}

// firstPosition is where the ticket stood at first, from which the progress counts; 0 if the address does not say.
func firstPosition(c *fiber.Ctx) int {
	n, err := strconv.Atoi(c.Query(views.FieldFrom))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
