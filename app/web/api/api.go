// Package api is the JSON API of LunchGo, under /api. Its routes, requests, answers and codes are a contract, described
// at /api/openapi.json. Errors are application/problem+json; programs sign in with a bearer token.
//
// A handler reads the request, calls one service, and renders what came back; errors are returned, and become problems
// in the server's error handler through WriteProblem.
package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web/sse"
	"lunchgo/app/web/tries"
)

// Deps is what the API works with.
type Deps struct {
	Identity  *identity.Service
	Bookings  *reserve.Service
	Coupons   *coupon.Service
	Waitlists *reserve.Waitlists
	Wallets   wallet.Store
	Room      *waiting.Room
	Streams   sse.Streams
	Tries     *tries.Guard
}

// API answers the requests of programs.
type API struct {
	Deps
	nearby *reserve.Nearby
	stocks *reserve.Stocks
}

// New returns an API over its parts.
func New(deps Deps) *API {
	return &API{Deps: deps, nearby: reserve.NewNearby(deps.Bookings), stocks: reserve.NewStocks(deps.Bookings)}
}

// Mount adds the routes. The server must have put auth.Guard.Identify in front of them.
func (a *API) Mount(r fiber.Router) {
	group := r.Group("/api", noStore)

	group.Post("/users", a.createUser)
	group.Post("/sessions", a.createSession)
	group.Delete("/sessions", a.deleteSession)

	group.Get("/restaurants", a.listRestaurants)
	group.Get("/restaurants/:id", a.findRestaurant)
	group.Get("/restaurants/:id/slots", a.listSlots)
	group.Get("/restaurants/:id/menu", a.listMenu)
	group.Get("/restaurants/:id/seats", a.listSeats)

	group.Post("/reservations", a.reserve)
	group.Get("/reservations", a.listReservations)
	group.Get("/reservations/:id", a.findReservation)
	group.Delete("/reservations/:id", a.cancelReservation)
	group.Patch("/reservations/:id", a.changeReservation)
	group.Post("/reservations/:id/quote", a.quoteChange)
	group.Get("/reservations/:id/changes", a.listChanges)
	group.Post("/reservations/:id/payment", a.pay)
	group.Post("/reservations/:id/extension", a.extend)
	group.Get("/reservations/:id/cancellation", a.quoteCancellation)

	group.Get("/coupons", a.listCoupons)
	group.Post("/coupons/:id/claims", a.claimCoupon)

	group.Post("/waitlist", a.joinWaitlist)
	group.Get("/waitlist", a.listWaitlist)
	group.Get("/waitlist/:id", a.findEntry)
	group.Delete("/waitlist/:id", a.leaveWaitlist)
	group.Post("/waitlist/:id/accept", a.acceptOffer)
	group.Post("/waitlist/:id/decline", a.declineOffer)

	group.Get("/tickets/:ticket", a.findTicket)
	group.Delete("/tickets/:ticket", a.leaveLine)
	group.Get("/tickets/:ticket/events", a.streamTicket)

	group.Get("/wallet", a.findWallet)
	group.Post("/wallet/charges", a.charge)
	group.Post("/wallet/withdrawals", a.withdraw)

	group.Get("/openapi.json", serveDescription)
}

// noStore keeps answers out of caches: most are somebody's own, and the others change by the second.
func noStore(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Next()
}
