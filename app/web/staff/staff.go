// Package staff is the restaurant's side: tonight's slots as they fill, who comes, and what can be done about it. Only
// staff of a restaurant see it; every act is written down by the store.
package staff

import (
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/usecases"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// Deps is what the staff pages work with.
type Deps struct {
	usecases.All
	BaseURL  string // what addresses in QR codes begin with; empty: where the request was received
	Streams  respond.Streams
	Log      *slog.Logger
	Patience func() time.Duration // how long a form waits for its turn before it shows the line; nil: 3 s
	Places   workplace.Finder
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
	const (
		at    = "/staff/restaurants/:restaurant"
		slot  = at + "/slots/:date/:time"
		guest = "/staff/reservations/:reservation"
	)
	shed, stream := gates.Shed, gates.Stream
	// After the diner's page of that address, which has passed the load shedder.
	r.Get("/c/:reservation", respond.ForBoth(p.guest, p.pass))
	r.Get("/staff", shed, respond.For(respond.Session, p.home))
	r.Get(at, shed, p.tonight(views.TabGuests))
	r.Get(at+"/room", shed, p.tonight(views.TabRoom))
	r.Get(at+"/timeline", shed, p.tonight(views.TabTimeline))
	r.Get(at+"/slots", shed, p.tonight(views.TabSlots))
	r.Get(at+"/line", shed, p.tonight(views.TabLine))
	r.Get(at+"/door", shed, p.tonight(views.TabDoor))
	r.Post(at+"/door", shed, respond.For(p.place, p.joinDoor))
	r.Get(at+"/door/:party", shed, respond.For(p.place, p.doorParty))
	r.Post(at+"/door/:party/call", shed, p.stepAtDoor(views.DoorCall))
	r.Post(at+"/door/:party/gone", shed, p.stepAtDoor(views.DoorGone))
	r.Post(at+"/door/:party/back", shed, p.stepAtDoor(views.DoorBack))
	r.Post(at+"/door/:party/seat", shed, respond.For(p.place, p.seatFromDoor))
	r.Get(at+"/tables/:seat", shed, respond.For(p.place, p.table))
	r.Get(at+"/events", stream, shed, respond.For(p.place, p.tonightEvents))
	r.Post(at+"/pushes", shed, respond.For(p.place, p.follow))
	r.Get(at+"/kitchen", shed, respond.For(p.place, p.sheet(true)))
	r.Get(at+"/print", shed, respond.For(p.place, p.sheet(false)))
	r.Get(at+"/scan", shed, p.scan)
	r.Get(slot, shed, respond.For(p.place, p.slot))
	r.Get(slot+"/controls", shed, respond.For(p.steering, p.controls))
	r.Post(slot+"/controls", shed, respond.For(p.steering, p.steer))
	r.Get(slot+"/closing", shed, respond.For(p.closingOf, p.closing))
	r.Post(slot+"/closing", shed, respond.For(p.closingOf, p.close))
	r.Get(slot+"/blocked-seats", shed, respond.For(p.steering, p.blockedSeats))
	r.Post(slot+"/blocked-seats", shed, respond.For(p.steering, p.blockSeats))
	r.Get(at+"/days/:date", shed, respond.For(p.steering, p.controls))
	r.Post(at+"/days/:date/controls", shed, respond.For(p.steering, p.steer))
	r.Get(at+"/days/:date/blocked-seats", shed, respond.For(p.steering, p.blockedSeats))
	r.Post(at+"/days/:date/blocked-seats", shed, respond.For(p.steering, p.blockSeats))
	r.Get(at+"/days/:date/closing", shed, respond.For(p.closingOf, p.closing))
	r.Post(at+"/days/:date/closing", shed, respond.For(p.closingOf, p.close))
	r.Get(at+"/stop", shed, p.Places.For(team.StopBookings, p.stop))
	r.Post(at+"/stop", shed, p.Places.For(team.StopBookings, p.setStopped))
	r.Get(slot+"/line", shed, p.line)
	r.Get(slot+"/line/events", stream, shed, respond.For(p.lineView, p.lineEvents))
	r.Post(slot+"/line/pause", shed, p.steerLine(pauseLine, "flash.line_paused"))
	r.Post(slot+"/line/resume", shed, p.steerLine(resumeLine, "flash.line_resumed"))
	r.Post(slot+"/line/notice", shed, p.steerLine(sayInLine, "flash.line_notice"))
	r.Post(slot+"/line/remove", shed, respond.For(p.lineView, p.removeFromLine))
	r.Post(slot+"/line/turn", shed, respond.For(p.lineView, p.endTurn))
	r.Get(at+"/menu", shed, respond.For(p.place, p.menu))
	r.Post(at+"/menu/:date/:dish", shed, p.changePortions)
	r.Post(at+"/menu/:date/:dish/step", shed, p.stepPortions)
	r.Post(guest+"/arrived", shed, p.mark(booking.Arrived))
	r.Post(guest+"/seated", shed, p.mark(booking.Seated))
	r.Post(guest+"/completed", shed, p.mark(booking.Completed))
	r.Post(guest+"/no-show", shed, p.mark(booking.NoShow))
	r.Post(guest+"/undo", shed, p.undo)
	r.Post(guest+"/waive", shed, p.waive)
	r.Post(guest+"/pay-by", shed, p.postpone)
	r.Post(guest+"/another-time/withdraw", shed, respond.ForBoth(p.guestFor(team.MoveGuest), p.withdrawOffer))
	r.Get(guest+"/refund", shed, respond.ForBoth(p.guestFor(team.GiveBack), p.askGiveBack))
	r.Post(guest+"/refund", shed, respond.ForBoth(p.guestFor(team.GiveBack), p.giveBack))
	r.Get(guest+"/cancel", shed, respond.ForBoth(p.guest, p.askCancel))
	r.Post(guest+"/cancel", shed, p.cancel)
	r.Get(guest, shed, respond.ForBoth(p.guest, p.reservation))
	r.Get(guest+"/details", shed, respond.ForBoth(p.guestFor(team.BookForGuest), p.askDetails))
	r.Post(guest+"/details", shed, respond.ForBoth(p.guestFor(team.BookForGuest), p.changeDetails))
	r.Get(at+"/messages", shed, p.Places.For(team.MoveGuest, p.write))
	r.Post(at+"/messages", shed, p.Places.For(team.MoveGuest, p.send))
	r.Get(at+"/messages/:message", shed, p.Places.For(team.MoveGuest, p.messageSent))
	r.Post(guest+"/move", shed, respond.ForBoth(p.guest, p.move))
	r.Get(at+"/book", shed, p.book)
	r.Post(at+"/book", shed, respond.For(p.place, p.bookGuest))
	r.Get(at+"/tickets/:ticket", shed, respond.For(p.staffTicket, p.ticket))
	r.Get(at+"/tickets/:ticket/events", stream, shed, respond.For(p.staffTicket, p.ticketEvents))
	r.Post(at+"/tickets/:ticket/leave", shed, respond.For(p.place, p.leaveTicket))
}
