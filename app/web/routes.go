package web

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/api"
	"lunchgo/app/web/staff"
)

// mount is the list of all routes. Every page is told apart from a part of it by the handler; see views/urls.go for who
// asks for what.
func mount(app *fiber.App, deps Deps, shared parts) {
	app.Get("/static/*", file)
	app.Get("/favicon.ico", favicon)
	app.Get("/robots.txt", robots)

	s := newSite(deps, shared)
	app.Get("/", s.search)
	app.Get("/restaurants/:slug", s.restaurant)
	app.Get("/restaurants/:slug/slots", s.daySlots)
	app.Get("/restaurants/:slug/dishes", s.dishes)
	app.Get("/restaurants/:slug/seats/events", s.seatsEvents)
	app.Get("/restaurants/:slug/book", s.bookingForm)
	app.Post("/restaurants/:slug/reservations", s.reserve)

	app.Get("/restaurants/:slug/waitlist", s.joinForm)
	app.Post("/restaurants/:slug/waitlist", s.join)
	app.Get("/waitlist/:id", s.waitlist)
	app.Get("/waitlist/:id/events", s.waitlistEvents)
	app.Post("/waitlist/:id/leave", s.leaveWaitlist)
	app.Get("/offers/:token", s.offerPage)
	app.Post("/offers/:token/accept", s.acceptOffer)
	app.Post("/offers/:token/decline", s.declineOffer)

	app.Get("/tickets/:ticket", s.ticket)
	app.Get("/tickets/:ticket/events", s.ticketEvents)
	app.Post("/tickets/:ticket/leave", s.leaveLine)

	app.Get("/reservations", s.reservations)
	app.Get("/reservations/:id", s.reservation)
	app.Get("/reservations/:id/pay", s.payment)
	app.Post("/reservations/:id/pay", s.pay)
	app.Post("/reservations/:id/extend", s.extend)
	app.Get("/reservations/:id/change", s.askChange)
	app.Post("/reservations/:id/change", s.change)
	app.Get("/reservations/:id/cancel", s.askCancel)
	app.Post("/reservations/:id/cancel", s.cancel)
	app.Get("/reservations/:id/calendar.ics", s.calendar)

	app.Get("/coupons", s.coupons)
	app.Post("/coupons/:id/claims", s.claim)

	app.Get("/wallet", s.wallet)
	app.Post("/wallet/charges", s.charge)
	app.Post("/wallet/withdrawals", s.withdraw)

	app.Get("/mailbox", s.mailbox)

	app.Get("/signup", s.signUpForm)
	app.Post("/signup", s.signUp)
	app.Get("/signin", s.signInForm)
	app.Post("/signin", s.signIn)
	app.Post("/signout", s.signOut)
	app.Post("/language", s.language)

	staff.New(staff.Deps{Identity: deps.Identity, Bookings: deps.Bookings, Waitlists: deps.Waitlists, Streams: shared.streams, Log: deps.Log,
		Frame: shared.frames.Of}).Mount(app)
	api.New(api.Deps{Identity: deps.Identity, Bookings: deps.Bookings, Coupons: deps.Coupons, Waitlists: deps.Waitlists,
		Wallets: deps.Wallets, Room: deps.Room,
		Streams: shared.streams, Tries: shared.tries}).Mount(app)
}
