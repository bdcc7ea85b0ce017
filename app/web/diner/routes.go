package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// Mount adds the diners' routes. views/urls.go says which page asks for what. Each route names the gates that bound it.
// Requests that a rush is made of do not pass the load shedder: submitting, waiting and watching a ticket ask no
// database, and must not wait behind requests that do.
func (s *Pages) Mount(r fiber.Router, gates respond.Gates) {
	database, press, change, stream := gates.Shed, gates.Press, gates.Change, gates.Stream
	r.Get("/", database, s.search)
	r.Get("/restaurants/:slug", database, s.restaurant)
	r.Get("/restaurants/:slug/slots", database, s.daySlots)
	r.Get("/restaurants/:slug/dishes", database, s.dishes)
	r.Get("/restaurants/:slug/seats/events", stream, database, s.seatsEvents)
	r.Get("/restaurants/:slug/book", database, s.bookingForm)
	r.Post("/restaurants/:slug/reservations", unlessRefresh(limited(press, s.reserveLater)), forRefresh(database),
		s.reserve)

	r.Get("/restaurants/:slug/waitlist", database, s.joinForm)
	r.Post("/restaurants/:slug/waitlist", change, database, s.join)
	r.Get("/waitlist/:id", database, s.waitlist)
	r.Get("/waitlist/:id/events", stream, database, s.waitlistEvents)
	r.Post("/waitlist/:id/leave", change, database, s.leaveWaitlist)
	r.Get("/offers/:token", database, s.offerPage)
	r.Post("/offers/:token/accept", change, database, s.acceptOffer)
	r.Post("/offers/:token/decline", change, database, s.declineOffer)

	r.Get("/waits/events", stream, database, s.waitsEvents)
	r.Get("/tickets/:ticket", s.ticket)
	r.Get("/tickets/:ticket/events", stream, s.ticketEvents)
	r.Post("/tickets/:ticket/leave", s.leaveLine)
	r.Get("/tickets/:ticket/receipt", s.receipt)
	r.Get("/verify", s.verifyForm)
	r.Post("/verify", database, s.verify)

	r.Get("/reservations", database, s.reservations)
	r.Get("/reservations/:id", database, s.reservation)
	r.Get("/c/:id", database, s.pass)
	r.Get("/reservations/:id/pay", database, s.payment)
	r.Post("/reservations/:id/pay", limited(change, s.payLater), database, s.pay)
	r.Post("/reservations/:id/extend", change, database, s.extend)
	r.Get("/reservations/:id/change", database, s.askChange)
	r.Post("/reservations/:id/change", unlessRefresh(change), database, s.change)
	r.Get("/reservations/:id/cancel", database, s.askCancel)
	r.Post("/reservations/:id/cancel", change, database, s.cancel)
	r.Get("/reservations/:id/calendar.ics", database, s.calendar)

	r.Get("/coupons", database, s.coupons)
	r.Post("/coupons/:id/claims", press, s.claim)

	r.Get("/wallet", database, s.wallet)
	r.Post("/wallet/charges", limited(change, s.moveLater(s.charging)), database, s.charge)
	r.Post("/wallet/withdrawals", limited(change, s.moveLater(s.withdrawing)), database, s.withdraw)

	r.Get("/account", database, s.account)
	r.Post("/account", change, database, s.changeAccount)
	r.Get("/account/password", database, s.accountPassword)
	r.Post("/account/password", change, database, s.changePassword)
	r.Get("/account/sessions", database, s.accountSessions)
	r.Post("/account/sessions/end", change, database, s.endOtherSessions)
	r.Post("/account/sessions/:id/end", change, database, s.endSession)
	r.Post("/account/history", change, database, s.decideHistory)
	r.Get("/account/export", change, database, s.exportAccount)
	r.Get("/account/delete", database, s.askDelete)
	r.Post("/account/delete", change, database, s.deleteAccount)

	r.Get("/mailbox", database, s.mailbox)

	r.Get("/signup", database, s.signUpForm)
	r.Post("/signup", database, s.signUp)
	r.Get("/signin", database, s.signInForm)
	r.Post("/signin", database, s.signIn)
	r.Post("/signin/link", gates.Letters, database, s.sendSignInLink)
	r.Get("/link", database, s.linkPage)
	r.Post("/link", database, s.useLink)
	r.Get("/account/email", database, s.emailForm)
	r.Post("/account/email", change, gates.Letters, database, s.changeEmail)
	r.Post("/account/email/confirmation", change, gates.Letters, database, s.sendConfirmation)
	r.Post("/signout", database, s.signOut)
	r.Post("/language", database, s.language)
}

// forRefresh is the handler database for the requests of a form that only looks up another date, and nothing for
// those that reserve a table.
func forRefresh(database fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if isRefresh(c) {
			return database(c)
		}
		return c.Next()
	}
}

// unlessRefresh is a gate for the requests of a form but those that only look up another date.
func unlessRefresh(gate fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if isRefresh(c) {
			return c.Next()
		}
		return gate(c)
	}
}

// isRefresh says whether the booking form asks for the times of another date, and not for a table.
func isRefresh(c *fiber.Ctx) bool {
	return respond.FormValue(c, views.FieldAction) == views.ActionRefresh
}
