// Package api is the JSON API of LunchGo, under /api. Its routes, requests, answers and codes are a contract, described
// at /api/openapi.json. Errors are application/problem+json; programs sign in with a bearer token.
//
// A handler reads the request, calls one service, and renders what came back; errors are returned, and become problems
// in the server's error handler through WriteProblem.
package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/evening"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reports"
	"lunchgo/app/reserve"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web/ratelimit"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
	"lunchgo/app/webhooks"
)

// Deps is what the API works with.
type Deps struct {
	Identity   *identity.Service
	Accounts   *identity.Accounts
	Bookings   *reserve.Service
	Coupons    *coupon.Service
	Waitlists  *reserve.Waitlists
	Drafts     *reserve.Drafts
	Rules      *setup.Service
	Wallets    wallet.Store
	Room       *waiting.Room
	Team       *team.Service
	Rehearsals *rehearsal.Service
	Streams    respond.Streams
	Tries      *ratelimit.Guard
	Layouts    *respond.Layouts // have to forget a name that changes
	Downloads  *respond.Downloads
	Places     workplaces.Finder
	Contents   *setup.Contents
	Evenings   *evening.Service
	Reports    *reports.Service
	Guests     *guests.Service
	Webhooks   *webhooks.Service
}

// API answers the requests of programs.
type API struct {
	Deps
	nearby     *reserve.Nearby
	stocks     *reserve.Stocks
	operations operations
}

// New returns an API over its parts.
func New(deps Deps) *API {
	return &API{Deps: deps, nearby: reserve.NewNearby(deps.Bookings), stocks: reserve.NewStocks(deps.Bookings),
		operations: readOperations(description)}
}

// Mount adds the routes, each with the gates that bound it. The server must have put respond.Authenticator.Identify in
// front of them.
func (a *API) Mount(r fiber.Router, gates respond.Gates) {
	database, press, change, stream := gates.Shed, gates.Press, gates.Change, gates.Stream
	group := r.Group("/api", noStore, a.heedDescription)

	group.Post("/users", database, a.createUser)
	group.Post("/sessions", database, a.createSession)
	group.Delete("/sessions", database, a.deleteSession)
	group.Post("/sessions/links", gates.Letters, database, a.sendSignInLink)
	group.Post("/links", database, a.useLink)
	group.Post("/account/email", change, gates.Letters, database, a.changeEmail)
	group.Post("/account/email/confirmation", change, gates.Letters, database, a.sendConfirmation)

	group.Get("/account", database, a.findAccount)
	group.Patch("/account", change, database, a.changeAccount)
	group.Delete("/account", change, database, a.deleteAccount)
	group.Put("/account/password", change, database, a.changePassword)
	group.Get("/account/sessions", database, a.listSessions)
	group.Delete("/account/sessions", change, database, a.endOtherSessions)
	group.Delete("/account/sessions/:id", change, database, a.endSession)
	group.Get("/account/export", change, database, a.exportAccount)

	group.Get("/restaurants", database, a.listRestaurants)
	group.Get("/restaurants/:id", database, a.findRestaurant)
	group.Get("/restaurants/:id/slots", database, a.listSlots)
	group.Get("/restaurants/:id/menu", database, a.listMenu)
	group.Get("/restaurants/:id/seats", database, a.listSeats)

	group.Post("/reservations", press, a.reserve)
	group.Get("/reservations", database, a.listReservations)
	group.Get("/reservations/:id", database, a.findReservation)
	group.Delete("/reservations/:id", change, database, a.cancelReservation)
	group.Patch("/reservations/:id", change, database, a.changeReservation)
	group.Post("/reservations/:id/quote", change, database, a.quoteChange)
	group.Get("/reservations/:id/changes", database, a.listChanges)
	group.Post("/reservations/:id/payment", change, database, a.pay)
	group.Post("/reservations/:id/extension", change, database, a.extend)
	group.Get("/reservations/:id/cancellation", database, a.quoteCancellation)

	group.Get("/coupons", database, a.listCoupons)
	group.Post("/coupons/:id/claims", press, a.claimCoupon)

	group.Post("/waitlist", change, database, a.joinWaitlist)
	group.Get("/waitlist", database, a.listWaitlist)
	group.Get("/waitlist/:id", database, a.findEntry)
	group.Delete("/waitlist/:id", change, database, a.leaveWaitlist)
	group.Post("/waitlist/:id/accept", change, database, a.acceptOffer)
	group.Post("/waitlist/:id/decline", change, database, a.declineOffer)

	group.Get("/tickets/:ticket", a.findTicket)
	group.Delete("/tickets/:ticket", a.leaveLine)
	group.Get("/tickets/:ticket/events", stream, a.streamTicket)
	group.Get("/tickets/:ticket/receipt", a.findReceipt)
	group.Get("/lines/:line/log", database, a.findLog)

	group.Get("/wallet", database, a.findWallet)
	group.Post("/wallet/charges", change, database, a.charge)
	group.Post("/wallet/withdrawals", change, database, a.withdraw)

	group.Get("/staff/restaurants", database, a.listWorkplaces)
	group.Get("/staff/restaurants/:restaurant/reports", database, a.findReport)
	group.Post("/staff/restaurants", database, a.openRestaurant)
	group.Patch("/staff/restaurants/:restaurant/slots/:date/:time", database, a.changeSlot)
	group.Patch("/staff/restaurants/:restaurant/days/:date", database, a.changeDay)
	group.Get("/staff/restaurants/:restaurant/slots/:date/:time/tickets", database, a.listWaiters)
	group.Delete("/staff/restaurants/:restaurant/slots/:date/:time/tickets/:ticket", database, a.removeWaiter)
	group.Delete("/staff/restaurants/:restaurant/slots/:date/:time/turn", database, a.endTurn)
	a.mountTeam(group, gates)
	a.mountRehearsals(group, gates)
	a.mountWebhooks(group, gates)
	group.Post("/staff/restaurants/:restaurant/reservations", database, a.bookGuest)
	group.Patch("/staff/reservations/:reservation", database, a.changeGuest)
	group.Get("/staff/restaurants/:restaurant/evening", database, a.findEvening)
	for _, name := range append(setup.Names(), setup.DocPicture) {
		group.Get("/staff/restaurants/:restaurant/"+string(name), database, a.findSetup(name))
		group.Put("/staff/restaurants/:restaurant/"+string(name), database, a.replaceSetup(name))
	}
	group.Get("/staff/restaurants/:restaurant/checks", database, a.findChecks)
	group.Post("/staff/restaurants/:restaurant/publication", database, a.submit)
	a.mountContents(group, gates)
	a.mountGuests(group, gates)
	group.Get("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", database, a.listBlockedSeats)
	group.Put("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", database, a.blockSeats)
	group.Put("/staff/restaurants/:restaurant/stop", database, a.stopBookings)
	group.Put("/staff/restaurants/:restaurant/stock/:date/:item", database, a.setStock)
	group.Get("/operator/restaurants", database, a.listDrafts)
	group.Post("/operator/restaurants/:id/publish", database, a.publish)

	group.Get("/openapi.json", serveDescription)
}

// noStore keeps answers out of caches: most are somebody's own, and the others change by the second.
func noStore(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Next()
}
