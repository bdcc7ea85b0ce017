// Package operator serves the pages of those who run the installation: the links that make them, the drafts that wait
// to be published, and all restaurants.
package operator

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/app/web/usecases"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// Pages answers the requests of operators.
type Pages struct {
	usecases.All
	BaseURL string // of the site, in links that are handed on
	// Restaurants are all, by id.
	Restaurants workplace.Restaurants
	Sessions    respond.Authenticator
	// Layout is what every page shows around its content.
	Layout func(c *fiber.Ctx) views.Layout
}

// clock is by which zone a page shows times: the reader's own, or where that is not known the restaurant's.
type clock struct {
	reader *time.Location // nil where it is not known
}

func clockOf(c *fiber.Ctx) clock {
	if zone, known := respond.ReaderZone(c); known {
		return clock{zone}
	}
	return clock{}
}

// name is the reader's zone for a page to say; empty where it is not known.
func (k clock) name() string {
	if k.reader == nil {
		return ""
	}
	return k.reader.String()
}

// zone is that of the times of a restaurant, which has one by name.
func (k clock) zone(ofRestaurant string) *time.Location {
	if k.reader != nil {
		return k.reader
	}
	zone, err := time.LoadLocation(ofRestaurant)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Mount adds the routes.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	shed := gates.Shed
	r.Get("/operator", shed, respond.For(p.operator, p.drafts))
	r.Get(views.OperatorRestaurantsURL(), shed, respond.For(p.operator, p.restaurants))
	r.Get("/operator/restaurants/:restaurant", shed, respond.For(respond.Session, p.review))
	r.Post("/operator/restaurants/:restaurant/refuse", gates.Change, shed, respond.For(respond.Session, p.refuse))
	r.Post("/operator/restaurants/:restaurant/publish", shed, respond.For(p.operator, p.publish))
	r.Get("/operator/restaurants/:restaurant/unpublish", shed, respond.For(p.operator, p.unpublishForm))
	r.Post("/operator/restaurants/:restaurant/unpublish", gates.Change, shed, respond.For(p.operator, p.unpublish))
	r.Get(views.OperatorReviewsURL(), shed, respond.For(respond.Session, p.reviews))
	r.Post(views.OperatorReviewsURL()+"/:review", gates.Change, shed, respond.For(respond.Session, p.decide))
	r.Get(views.OperatorsURL(), shed, respond.For(p.operator, p.list))
	r.Post(views.OperatorsURL(), gates.Change, shed, respond.For(p.operator, p.invite))
	r.Post(views.OperatorsURL()+"/:operator/end", gates.Change, shed, respond.For(p.operator, p.end))
	r.Get("/operator/setup/:token", shed, p.setupForm)
	r.Post("/operator/setup/:token", shed, p.setup)
}
