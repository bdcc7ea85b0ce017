// Package api is the JSON API of LunchGo, under /api. Its routes, requests, answers and codes are a contract, described
// at /api/openapi.json. Errors are application/problem+json; programs sign in with a bearer token.
//
// A handler reads the request, calls one service, and renders what came back; errors are returned, and become problems
// in the server's error handler through WriteProblem.
package api

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/reserve"
	"lunchgo/app/web/access"
	checkout "lunchgo/app/web/payments"
	"lunchgo/app/web/ratelimit"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/usecases"
	workplaces "lunchgo/app/web/workplace"
	"lunchgo/views"
)

// Deps is what the API works with.
type Deps struct {
	usecases.All
	Streams   respond.Streams
	Tries     *ratelimit.Guard
	Layouts   *respond.Layouts // have to forget a name that changes
	Downloads *respond.Downloads
	Places    workplaces.Finder
	Checkout  checkout.Checkout
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

// groups are all operations.
func (a *API) groups() []group {
	groups := []group{a.accountRoutes(), a.restaurantsRoutes(), a.reservationsRoutes(), a.lineRoutes(),
		a.waitlistRoutes(), a.reviewsRoutes(), a.favouritesRoutes(), a.couponsRoutes(), a.walletRoutes(),
		a.setupRoutes(), a.eveningRoutes(),
		a.guestsRoutes(), a.messagesRoutes(), a.doorRoutes(), a.closingRoutes(), a.teamRoutes(), a.reportsRoutes(),
		a.rehearsalsRoutes(), a.webhooksRoutes(),
		a.operatorRoutes(), a.selfRoutes()}
	for _, g := range groups {
		for i, o := range g.operations {
			g.operations[i] = o.whole()
		}
	}
	return groups
}

// Mount adds the routes, each with the gates that bound it. The server must have put respond.Authenticator.Identify in
// front of them. The routes and their rights are recorded. A page for people describes them.
func (a *API) Mount(r fiber.Router, routes *access.Routes, gates respond.Gates) {
	below := r.Group("/api", noStore)
	routes.Record(fiber.MethodGet, views.APIDocsURL(), access.Anyone)
	below.Get("/docs", gates.Shed, a.docs)
	for _, g := range a.groups() {
		for _, o := range g.operations {
			routes.Record(o.method(), o.pattern(), o.right)
			below.Add(o.method(), strings.TrimPrefix(o.pattern(), "/api"), o.handlers(gates)...)
		}
	}
}

// noStore keeps answers out of caches: most are somebody's own, and the others change by the second.
func noStore(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Next()
}
