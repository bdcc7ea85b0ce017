package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) operatorRoutes() group {
	return group{"operator", "What operators of the site decide.", []operation{
		{route: "GET /operator/restaurants", id: "listDrafts", right: access.Operator,
			run:     lists("restaurants", a.operator, a.listDrafts),
			summary: "The restaurants that wait to be published, 50 a page, oldest first",
			says:    "A page of drafts."},
		{route: "POST /operator/restaurants/{id}/publish", id: "publishRestaurant", right: access.Operator,
			path: []parameter{{name: "id", is: number}}, run: does(a.operator, a.publish),
			summary: "Let everybody see and book a restaurant",
			text:    "A repeat changes nothing. Other servers of the installation notice within seconds.",
			says:    "It is published.", refuses: []string{"not_ready"}},
		{route: "GET /operator/restaurants/all", id: "listAllRestaurants", right: access.Operator,
			run:     lists("restaurants", a.operator, a.listKnown),
			query:   []parameter{{name: "q", is: text, says: "Part of a name."}},
			summary: "All restaurants: drafts, published, stopped and unpublished",
			says:    "The latest first."},
		{route: "POST /operator/restaurants/{id}/unpublish", id: "unpublishRestaurant", right: access.Operator,
			path: []parameter{{name: "id", is: number}}, run: doesWith(a.operator, a.unpublish),
			summary: "Take a restaurant off the public pages",
			text: "Nobody finds it, and it takes no new reservations; those that were made stay, and staff go on " +
				"working. A repeat changes nothing. It can be published again.",
			says: "It is unpublished."},
	}}
}

func (a *API) selfRoutes() group {
	return group{"description", "This document.", []operation{
		{route: "GET /openapi.json", id: "describe", right: access.Anyone, unshed: true,
			run:     handles(serveDescription),
			summary: "This document",
			gives:   map[string]any{}, says: "OpenAPI 3.1."},
	}}
}

type openRequest struct {
	Name     string `json:"name"`
	TimeZone string `json:"timeZone"` // an IANA name
	Capacity int    `json:"capacity"` // seats of a slot
	// From one slot to the next; 60 if not given.
	SlotMinutes *int `json:"slotMinutes" required:"false"`
	// The largest party; 8 if not given, or the capacity if that is less.
	PartyMax *int `json:"partyMax" required:"false"`
}

// workplace is a restaurant of which the caller is staff.
type workplace struct {
	reserve.Workplace
	Name string `json:"name"`
	// When the owner asked for it to be published; null: not yet.
	SubmittedAt *time.Time `json:"submittedAt"`
}

func newWorkplace(lang string, w reserve.Workplace) workplace {
	return workplace{w, w.Name.In(lang), timeOrNull(w.SubmittedAt)}
}

// openRestaurant makes a draft, which is the caller's.
func (a *API) openRestaurant(c *fiber.Ctx, s identity.Session, in openRequest) (workplace, error) {
	n := booking.UsualRestaurant(in.Name, in.TimeZone, in.Capacity)
	if in.SlotMinutes != nil {
		n.SlotMinutes = *in.SlotMinutes
	}
	if in.PartyMax != nil {
		n.PartyMax = *in.PartyMax
	}
	return as(spoken(c, newWorkplace))(a.Drafts.Open(c.UserContext(), s.UserID, n))
}

func (a *API) listWorkplaces(c *fiber.Ctx, s identity.Session, page keyset.Request) (keyset.Page[workplace], error) {
	all, err := a.Drafts.Store.ListWorkplaces(c.UserContext(), s.UserID)
	own := keyset.Slice(page, all, func(w reserve.Workplace) keyset.Cursor { return keyset.Cursor{Number: w.ID} })
	return paged(spoken(c, newWorkplace))(own), err
}

// draft is a restaurant that waits to be published, as operators see it.
type draft struct {
	reserve.OpenedDraft
	Name string `json:"name"`
	// When the owner asked for it to be published; null: not yet.
	SubmittedAt *time.Time `json:"submittedAt"`
}

// operator says who asks. Returns respond.Unauthenticated and booking.ErrForbidden.
func (a *API) operator(c *fiber.Ctx) (reserve.Operator, error) {
	s, err := respond.Session(c)
	if err != nil {
		return reserve.Operator{}, err
	}
	return a.Drafts.Operator(c.UserContext(), s.UserID)
}

func newDraft(lang string, d reserve.OpenedDraft) draft {
	return draft{d, d.Name.In(lang), timeOrNull(d.SubmittedAt)}
}

// listDrafts lists the oldest first.
func (a *API) listDrafts(c *fiber.Ctx, by reserve.Operator, page keyset.Request) (keyset.Page[draft], error) {
	return as(paged(spoken(c, newDraft)))(a.Drafts.List(c.UserContext(), by, page))
}

func (a *API) publish(c *fiber.Ctx, by reserve.Operator) error {
	id, err := respond.NumberParam(c, "id")
	if err != nil {
		return err
	}
	return a.Drafts.Publish(c.UserContext(), by, id)
}

// knownRestaurant is a restaurant in the list of all.
type knownRestaurant struct {
	reserve.KnownRestaurant
	Name          string     `json:"name"`
	OwnerEmail    *string    `json:"ownerEmail"`    // null: nobody opened it, as those of the demo
	PublishedAt   *time.Time `json:"publishedAt"`   // last; null: never, or by nobody
	UnpublishedAt *time.Time `json:"unpublishedAt"` // null: it is not
}

func newKnownRestaurant(lang string, r reserve.KnownRestaurant) knownRestaurant {
	return knownRestaurant{r, r.Name.In(lang), orNull(r.OwnerEmail), timeOrNull(r.PublishedAt),
		timeOrNull(r.UnpublishedAt)}
}

func (a *API) listKnown(c *fiber.Ctx, by reserve.Operator, page keyset.Request) (keyset.Page[knownRestaurant], error) {
	return as(paged(spoken(c, newKnownRestaurant)))(
		a.Drafts.ListRestaurants(c.UserContext(), by, c.Query("q"), page))
}

// unpublishRequest says why a restaurant is taken off the public pages.
type unpublishRequest struct {
	Reason string `json:"reason"` // its staff and those who wait in line read it
}

func (a *API) unpublish(c *fiber.Ctx, by reserve.Operator, in unpublishRequest) error {
	id, err := respond.NumberParam(c, "id")
	if err != nil {
		return err
	}
	return a.Drafts.Unpublish(c.UserContext(), by, id, in.Reason)
}
