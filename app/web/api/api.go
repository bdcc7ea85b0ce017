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
	shed, press, change, stream := gates.Shed, gates.Press, gates.Change, gates.Stream
	group := r.Group("/api", noStore, a.heedDescription)

	group.Post("/users", shed, a.createUser)
	group.Post("/sessions", shed, a.createSession)
	group.Delete("/sessions", shed, a.deleteSession)
	group.Post("/sessions/links", gates.Letters, shed, a.sendSignInLink)
	group.Post("/links", shed, a.useLink)
	group.Post("/account/email", change, gates.Letters, shed, a.changeEmail)
	group.Post("/account/email/confirmation", change, gates.Letters, shed, a.sendConfirmation)

	group.Get("/account", shed, a.findAccount)
	group.Patch("/account", change, shed, a.changeAccount)
	group.Delete("/account", change, shed, a.deleteAccount)
	group.Put("/account/password", change, shed, a.changePassword)
	group.Get("/account/sessions", shed, a.listSessions)
	group.Delete("/account/sessions", change, shed, a.endOtherSessions)
	group.Delete("/account/sessions/:id", change, shed, a.endSession)
	group.Get("/account/export", change, shed, a.exportAccount)

	group.Get("/restaurants", shed, a.listRestaurants)
	group.Get("/restaurants/:id", shed, a.findRestaurant)
	group.Get("/restaurants/:id/slots", shed, a.listSlots)
	group.Get("/restaurants/:id/menu", shed, a.listMenu)
	group.Get("/restaurants/:id/seats", shed, a.listSeats)

	group.Post("/reservations", press, a.reserve)
	group.Get("/reservations", shed, a.listReservations)
	group.Get("/reservations/:id", shed, a.findReservation)
	group.Delete("/reservations/:id", change, shed, a.cancelReservation)
	group.Patch("/reservations/:id", change, shed, a.changeReservation)
	group.Post("/reservations/:id/quote", change, shed, a.quoteChange)
	group.Get("/reservations/:id/changes", shed, a.listChanges)
	group.Post("/reservations/:id/payment", change, shed, a.pay)
	group.Post("/reservations/:id/extension", change, shed, a.extend)
	group.Get("/reservations/:id/cancellation", shed, a.quoteCancellation)

	group.Get("/coupons", shed, a.listCoupons)
	group.Post("/coupons/:id/claims", press, a.claimCoupon)

	group.Post("/waitlist", change, shed, a.joinWaitlist)
	group.Get("/waitlist", shed, a.listWaitlist)
	group.Get("/waitlist/:id", shed, a.findEntry)
	group.Delete("/waitlist/:id", change, shed, a.leaveWaitlist)
	group.Post("/waitlist/:id/accept", change, shed, a.acceptOffer)
	group.Post("/waitlist/:id/decline", change, shed, a.declineOffer)

	group.Get("/tickets/:ticket", a.findTicket)
	group.Delete("/tickets/:ticket", a.leaveLine)
	group.Get("/tickets/:ticket/events", stream, a.streamTicket)
	group.Get("/tickets/:ticket/receipt", a.findReceipt)
	group.Get("/lines/:line/log", shed, a.findLog)

	group.Get("/wallet", shed, a.findWallet)
	group.Post("/wallet/charges", change, shed, a.charge)
	group.Post("/wallet/withdrawals", change, shed, a.withdraw)

	group.Get("/staff/restaurants", shed, a.listWorkplaces)
	group.Get("/staff/restaurants/:restaurant/reports", shed, a.findReport)
	group.Post("/staff/restaurants", shed, a.openRestaurant)
	group.Patch("/staff/restaurants/:restaurant/slots/:date/:time", shed, a.changeSlot)
	group.Patch("/staff/restaurants/:restaurant/days/:date", shed, a.changeDay)
	group.Get("/staff/restaurants/:restaurant/slots/:date/:time/tickets", shed, a.listWaiters)
	group.Delete("/staff/restaurants/:restaurant/slots/:date/:time/tickets/:ticket", shed, a.removeWaiter)
	group.Delete("/staff/restaurants/:restaurant/slots/:date/:time/turn", shed, a.endTurn)
	a.mountTeam(group, gates)
	a.mountRehearsals(group, gates)
	a.mountWebhooks(group, gates)
	group.Post("/staff/restaurants/:restaurant/reservations", shed, a.bookGuest)
	group.Patch("/staff/reservations/:reservation", shed, a.changeGuest)
	group.Get("/staff/restaurants/:restaurant/evening", shed, a.findEvening)
	for _, name := range append(setup.Names(), setup.DocPicture) {
		group.Get("/staff/restaurants/:restaurant/"+string(name), shed, a.findSetup(name))
		group.Put("/staff/restaurants/:restaurant/"+string(name), shed, a.replaceSetup(name))
	}
	group.Get("/staff/restaurants/:restaurant/checks", shed, a.findChecks)
	group.Post("/staff/restaurants/:restaurant/publication", shed, a.submit)
	a.mountContents(group, gates)
	a.mountGuests(group, gates)
	group.Get("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", shed, a.listBlockedSeats)
	group.Put("/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats", shed, a.blockSeats)
	group.Put("/staff/restaurants/:restaurant/stop", shed, a.stopBookings)
	group.Put("/staff/restaurants/:restaurant/stock/:date/:item", shed, a.setStock)
	group.Get("/operator/restaurants", shed, a.listDrafts)
	group.Post("/operator/restaurants/:id/publish", shed, a.publish)

	group.Get("/openapi.json", serveDescription)
}

// noStore keeps answers out of caches: most are somebody's own, and the others change by the second.
func noStore(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Next()
}
