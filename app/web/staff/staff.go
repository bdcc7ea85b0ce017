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
	database, stream := gates.Shed, gates.Stream
	r.Get("/c/:reservation", p.pass) // after the diner's page of that address, which has passed the load shedder
	r.Get("/staff", database, p.home)
	r.Get("/staff/restaurants/:restaurant", database, p.tonight(views.TabGuests))
	r.Get("/staff/restaurants/:restaurant/room", database, p.tonight(views.TabRoom))
	r.Get("/staff/restaurants/:restaurant/slots", database, p.tonight(views.TabSlots))
	r.Get("/staff/restaurants/:restaurant/line", database, p.tonight(views.TabLine))
	r.Get("/staff/restaurants/:restaurant/events", stream, database, p.tonightEvents)
	r.Get("/staff/restaurants/:restaurant/scan", database, p.scan)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time", database, p.slot)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/controls", database, p.controls)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/controls", database, p.steer)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", database, p.blockedSeats)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", database, p.blockSeats)
	r.Get("/staff/restaurants/:restaurant/days/:date", database, p.controls)
	r.Post("/staff/restaurants/:restaurant/days/:date/controls", database, p.steer)
	r.Get("/staff/restaurants/:restaurant/days/:date/blocked-seats", database, p.blockedSeats)
	r.Post("/staff/restaurants/:restaurant/days/:date/blocked-seats", database, p.blockSeats)
	r.Get("/staff/restaurants/:restaurant/stop", database, p.stop)
	r.Post("/staff/restaurants/:restaurant/stop", database, p.setStopped)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/line", database, p.line)
	r.Get("/staff/restaurants/:restaurant/slots/:date/:time/line/events", stream, database, p.lineEvents)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/pause", database,
		p.steerLine(pauseLine, "flash.line_paused"))
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/resume", database,
		p.steerLine(resumeLine, "flash.line_resumed"))
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/notice", database,
		p.steerLine(sayInLine, "flash.line_notice"))
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/remove", database, p.removeFromLine)
	r.Post("/staff/restaurants/:restaurant/slots/:date/:time/line/turn", database, p.endTurn)
	r.Get("/staff/restaurants/:restaurant/menu", database, p.menu)
	r.Post("/staff/restaurants/:restaurant/menu/:date/:dish", database, p.changePortions)
	r.Post("/staff/restaurants/:restaurant/menu/:date/:dish/step", database, p.stepPortions)
	r.Post("/staff/reservations/:reservation/arrived", database, p.mark(booking.Arrived))
	r.Post("/staff/reservations/:reservation/seated", database, p.mark(booking.Seated))
	r.Post("/staff/reservations/:reservation/completed", database, p.mark(booking.Completed))
	r.Post("/staff/reservations/:reservation/no-show", database, p.mark(booking.NoShow))
	r.Post("/staff/reservations/:reservation/undo", database, p.undo)
	r.Get("/staff/reservations/:reservation/cancel", database, p.askCancel)
	r.Post("/staff/reservations/:reservation/cancel", database, p.cancel)
	r.Get("/staff/reservations/:reservation", database, p.reservation)
	r.Post("/staff/reservations/:reservation/move", database, p.move)
	r.Get("/staff/restaurants/:restaurant/book", database, p.book)
	r.Post("/staff/restaurants/:restaurant/book", database, p.bookGuest)
	r.Get("/staff/restaurants/:restaurant/tickets/:ticket", database, p.ticket)
	r.Get("/staff/restaurants/:restaurant/tickets/:ticket/events", stream, database, p.ticketEvents)
	r.Post("/staff/restaurants/:restaurant/tickets/:ticket/leave", database, p.leaveTicket)
}
