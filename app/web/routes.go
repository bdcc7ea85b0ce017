package web

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/access"
	"lunchgo/app/web/api"
	"lunchgo/app/web/contents"
	"lunchgo/app/web/diner"
	"lunchgo/app/web/guests"
	"lunchgo/app/web/operator"
	checkout "lunchgo/app/web/payments"
	"lunchgo/app/web/rehearsals"
	"lunchgo/app/web/reports"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/reviews"
	"lunchgo/app/web/setup"
	"lunchgo/app/web/staff"
	"lunchgo/app/web/team"
	"lunchgo/app/web/webhooks"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// maxPaying is how many requests may wait for the payment provider at once.
const maxPaying = 256

// mount adds all routes: the files here, then those that the Mount of packages diner, staff, operator and api lists.
// Each route names the gates that bound it.
func mount(app *fiber.App, deps Deps, shared parts) {
	routes := access.NewRoutes(app)
	routes.Get("/static/*", access.Anyone, file)
	routes.Get("/favicon.ico", access.Anyone, favicon)
	routes.Get(views.WorkerURL(), access.Anyone, worker)
	routes.Get(views.ManifestURL(), access.Anyone, manifest)

	gates := respond.OpenGates()
	gates.Shed = respond.NewLoadShedder(respond.MaxAdmitted, respond.AdmissionWait).Admit
	gates.Provider = gates.Shed
	paying := checkout.Checkout{Service: deps.Payments, Bookings: deps.Bookings, People: deps.Identity.Store}
	if paying.IsOpen() {
		gates.Provider = respond.NewLoadShedder(maxPaying, respond.AdmissionWait).Admit
	}
	checkout.Hooks{Checkout: paying}.Mount(app, routes, gates.Provider)
	checkout.Practice{Bank: deps.Bank, Layouts: shared.layouts}.Mount(app, routes, gates.Provider)
	for _, side := range []string{"/staff", "/operator", "/api/staff", "/api/operator"} {
		app.Use(side, shared.limits.Staff)
	}
	routes.Get("/pictures/:file", access.Anyone, gates.Shed, newPictures(deps.Contents.Store).serve)
	if deps.NoLetters {
		gates.Letters = respond.NoLetters
	}
	gates.Press, gates.Change, gates.Stream = shared.limits.Press, shared.limits.Change, shared.limits.Stream
	diner.New(diner.Deps{BaseURL: deps.BaseURL, Zone: deps.Zone, Demo: deps.Demo, PlayMoney: deps.PlayMoney,
		Mailbox: deps.Mailbox, NoLetters: deps.NoLetters, Texts: deps.Texts,
		All: deps.All, Downloads: shared.downloads, Log: deps.Log, Layouts: shared.layouts, Streams: shared.streams,
		Sessions: shared.sessions, Limits: shared.limits, Checkout: paying,
		FormPatience: deps.FormPatience}).Mount(app, gates)
	places := workplace.Finder{Bookings: deps.Bookings, Restaurants: deps.Restaurants,
		Layout: shared.layouts.WithoutBalance}
	(&setup.Pages{All: deps.All, BaseURL: deps.BaseURL, Places: places,
		Layout: shared.layouts.WithBalance}).Mount(app, gates)
	staff.New(staff.Deps{
		All:      deps.All,
		BaseURL:  deps.BaseURL,
		Places:   places,
		Streams:  shared.streams,
		Log:      deps.Log,
		Patience: deps.FormPatience,
		Layout:   shared.layouts.WithBalance,
	}).Mount(app, gates)
	(&reports.Pages{Places: places, Reports: deps.Reports, Now: deps.Bookings.Now}).Mount(app, gates)
	(&guests.Pages{Places: places, Guests: deps.Guests, Downloads: shared.downloads,
		Now: deps.Bookings.Now}).Mount(app, gates)
	(&reviews.Pages{Places: places, Reviews: deps.Reviews}).Mount(app, gates)
	(&team.Pages{Places: places, Team: deps.Team, Users: deps.Identity.Store,
		Layout: shared.layouts.WithBalance}).Mount(app, gates)
	(&webhooks.Pages{Places: places, Webhooks: deps.Webhooks}).Mount(app, gates)
	rehearsals.New(rehearsals.Deps{Places: places, Rehearsals: deps.Rehearsals, Streams: shared.streams}).Mount(app,
		gates)
	(&contents.Pages{Contents: deps.Contents, Rules: deps.Rules, Places: places}).Mount(app, gates)
	(&operator.Pages{All: deps.All, BaseURL: deps.BaseURL, Restaurants: deps.Restaurants, Sessions: shared.sessions,
		Layout: shared.layouts.WithBalance}).Mount(app, gates)
	api.New(api.Deps{All: deps.All, Places: places, Layouts: shared.layouts, Downloads: shared.downloads,
		Checkout: paying, Streams: shared.streams.ForPrograms(), Tries: shared.limits}).Mount(app, routes, gates)
}
