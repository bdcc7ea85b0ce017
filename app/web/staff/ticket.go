package staff

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/lineup"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// staffTicket is the place in a line of what a member of staff books or moves. Its watch has to be closed.
type staffTicket struct {
	place
	watch   *waiting.Watch
	request booking.Request
	start   time.Time
}

// staffTicket finds the ticket that a path names, if it is the reader's own and of this restaurant.
func (p *Pages) staffTicket(c *fiber.Ctx) (t staffTicket, err error) {
	if t.place, err = p.place(c); err != nil {
		return t, err
	}
	if t.watch, err = p.Bookings.Room.Watch(c.UserContext(), strings.Clone(c.Params("ticket")),
		t.By.UserID()); err != nil {
		return t, err
	}
	asked, ok := t.watch.OriginalRequest()
	_, asStaff := waiting.StaffOf(asked)
	if t.request, err = lineup.BookingOf(asked); !ok || !asStaff || err != nil ||
		t.request.Slot.RestaurantID != t.Restaurant.ID {
		t.watch.Close()
		return t, respond.NotFound
	}
	if t.start, err = t.Restaurant.Start(t.request.Slot.Date, t.request.Slot.Time); err != nil {
		t.watch.Close()
	}
	return t, err
}

// status is where the ticket stands, as its page shows it.
func (t staffTicket) status(lang string, s waiting.Status) views.StaffTicketStatus {
	now := time.Now()
	return views.StaffTicketStatus{Lang: lang, Party: t.request.PartySize, Position: max(s.Position, 1),
		Steering: respond.Steering(s.Steering.At(now), t.Restaurant.Location, now)}
}

// ticket answers GET …/tickets/{ticket}: the place in the line; 303 to the reservation once there is one.
func (p *Pages) ticket(c *fiber.Ctx, t staffTicket) error {
	defer t.watch.Close()
	status := respond.Settle(c, t.watch, 0)
	if status.State == waiting.Reserved {
		return respond.RedirectSaying(c, views.StaffReservationURL(status.Result.ReservationID), views.FlashSuccess,
			"flash.guest_booked")
	}
	page := views.StaffTicket{StaffShell: p.shell(c, t.place), At: t.start, Ticket: t.watch.Token()}
	page.Status = t.status(page.Lang, status)
	if status.State != waiting.Waiting {
		page.Problem = respond.Sentence(page.Lang, respond.ProblemOf(status.Result.Err()))
		if page.Problem == "" {
			page.Problem = page.T("guests.not_booked")
		}
	}
	return respond.Render(c, fiber.StatusOK, pages.Ticket(page))
}

// ticketEvents answers GET …/tickets/{ticket}/events: "ticket" whenever its place looks different, then one "done".
func (p *Pages) ticketEvents(c *fiber.Ctx, t staffTicket) error {
	lang := respond.Lang(c)
	return p.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		defer t.watch.Close()
		respond.PumpAtOnce(ctx, stream, t.watch.Await, func(status *waiting.Status) (last bool, err error) {
			version := strconv.FormatInt(time.Now().UnixMicro(), 10)
			switch {
			case status.Reconnect:
				return true, stream.Reconnect()
			case status.State != waiting.Waiting:
				return true, stream.Send("done", version, "done")
			}
			var html bytes.Buffer
			if err := pages.TicketStatus(t.status(lang, *status)).Render(ctx, &html); err != nil {
				return true, err
			}
			return false, stream.Send("ticket", version, html.String())
		})
	})
}

// leaveTicket answers POST …/tickets/{ticket}/leave.
func (p *Pages) leaveTicket(c *fiber.Ctx, w place) error {
	err := p.Bookings.Room.Leave(c.UserContext(), strings.Clone(c.Params("ticket")), w.By.UserID())
	today := views.StaffBookURL(w.Restaurant.ID, w.Midnight(w.Today(p.Bookings.Now())))
	return respond.Done(c, err, today, views.FlashSuccess, "flash.guest_left")
}
