// Package staff is the restaurant's side: tonight's slots as they fill, who comes, and what can be done about it. Only
// staff of a restaurant see it; every act is written down by the store.
package staff

import (
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/estimate"
	"lunchgo/app/evening"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// Deps is what the staff pages work with.
type Deps struct {
	Identity  *identity.Service
	Bookings  *reserve.Service
	Evenings  *evening.Service
	Waitlists *reserve.Waitlists
	Drafts    *reserve.Drafts
	Streams   respond.Streams
	Accuracy  func() estimate.Figures // how good the times were that diners in line were shown
	Log       *slog.Logger
	Patience  func() time.Duration // how long a form waits for its turn before it shows the line; nil: 3 s
	Places    workplace.Finder
	// Layout is what a page shows around its content that is not of one restaurant.
	Layout func(c *fiber.Ctx) views.Layout
}

// Pages answers the requests of staff.
type Pages struct {
	Deps
	boards *respond.Feeds[boardKey, picture]
	lines  *respond.Feeds[booking.SlotKey, linePicture]
}

// New returns the staff pages over their parts.
func New(deps Deps) *Pages {
	if deps.Patience == nil {
		deps.Patience = func() time.Duration { return patience }
	}
	return &Pages{Deps: deps, boards: newBoards(deps), lines: newLines(deps.Bookings)}
}

// Mount adds the routes. The server must have put respond.Authenticator.Identify and respond.RefuseCrossSite in
// front of them.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	shed, stream := gates.Shed, gates.Stream
	r.Get("/c/:reservation", p.pass) // after the diner's page of that address, which has passed the load shedder
	r.Get("/staff", shed, p.home)
	r.Get("/staff/restaurants/:restaurant", shed, p.tonight(views.TabGuests))
	r.Get("/staff/restaurants/:restaurant/room", shed, p.tonight(views.TabRoom))
	r.Get("/staff/restaurants/:restaurant/slots", shed, p.tonight(views.TabSlots))
	r.Get("/staff/restaurants/:restaurant/line", shed, p.tonight(views.TabLine))
	r.Get("/staff/restaurants/:restaurant/events", stream, shed, p.tonightEvents)
	r.Get("/staff/restaurants/:restaurant/scan", shed, p.scan)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time", shed, p.slot)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/controls", shed, p.controls)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/controls", shed, p.steer)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", shed, p.blockedSeats)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", shed, p.blockSeats)
	r.Get("/staff/restaurants/:restaurant/days/:date", shed, p.controls)
	r.Post("/staff/restaurants/:restaurant/days/:date/controls", shed, p.steer)
	r.Get("/staff/restaurants/:restaurant/days/:date/blocked-seats", shed, p.blockedSeats)
	r.Post("/staff/restaurants/:restaurant/days/:date/blocked-seats", shed, p.blockSeats)
	r.Get("/staff/restaurants/:restaurant/stop", shed, p.stop)
	r.Post("/staff/restaurants/:restaurant/stop", shed, p.setStopped)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/line", shed, p.line)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/line/events", stream, shed, p.lineEvents)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/pause", shed,
		p.steerLine(pauseLine, "flash.line_paused"))
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/resume", shed,
		p.steerLine(resumeLine, "flash.line_resumed"))
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/notice", shed,
		p.steerLine(sayInLine, "flash.line_notice"))
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/remove", shed, p.removeFromLine)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/turn", shed, p.endTurn)
	r.Get("/staff/restaurants/:restaurant/menu", shed, p.menu)
	r.Post("/staff/restaurants/:restaurant/menu/:date/:dish", shed, p.changePortions)
	r.Post("/staff/restaurants/:restaurant/menu/:date/:dish/step", shed, p.stepPortions)
	r.Post("/staff/reservations/:reservation/arrived", shed, p.mark(booking.Arrived))
	r.Post("/staff/reservations/:reservation/seated", shed, p.mark(booking.Seated))
	r.Post("/staff/reservations/:reservation/completed", shed, p.mark(booking.Completed))
	r.Post("/staff/reservations/:reservation/no-show", shed, p.mark(booking.NoShow))
	r.Post("/staff/reservations/:reservation/undo", shed, p.undo)
	r.Post("/staff/reservations/:reservation/waive", shed, p.waive)
	r.Post("/staff/reservations/:reservation/pay-by", shed, p.postpone)
	r.Get("/staff/reservations/:reservation/refund", shed, p.askGiveBack)
	r.Post("/staff/reservations/:reservation/refund", shed, p.giveBack)
	r.Get("/staff/reservations/:reservation/cancel", shed, p.askCancel)
	r.Post("/staff/reservations/:reservation/cancel", shed, p.cancel)
	r.Get("/staff/reservations/:reservation", shed, p.reservation)
	r.Post("/staff/reservations/:reservation/move", shed, p.move)
	r.Get("/staff/restaurants/:restaurant/book", shed, p.book)
	r.Post("/staff/restaurants/:restaurant/book", shed, p.bookGuest)
	r.Get("/staff/restaurants/:restaurant/tickets/:ticket", shed, p.ticket)
	r.Get("/staff/restaurants/:restaurant/tickets/:ticket/events", stream, shed, p.ticketEvents)
	r.Post("/staff/restaurants/:restaurant/tickets/:ticket/leave", shed, p.leaveTicket)
}
