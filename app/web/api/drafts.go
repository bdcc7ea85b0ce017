package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
)

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
	ID       int64                   `json:"id"`
	Slug     string                  `json:"slug"`
	Name     string                  `json:"name"`
	TimeZone string                  `json:"timeZone"`
	Capacity int                     `json:"capacity"`
	Role     identity.Role           `json:"role"`
	State    booking.RestaurantState `json:"state"`

	// When the owner asked for it to be published; null: not yet.
	SubmittedAt *time.Time `json:"submittedAt"`
}

func newWorkplace(lang string, w reserve.Workplace) workplace {
	return workplace{ID: w.ID, Slug: w.Slug, Name: w.Name.In(lang), TimeZone: w.TimeZone, Capacity: w.Capacity,
		Role: w.Role, State: w.State, SubmittedAt: optionalTime(w.SubmittedAt)}
}

// What a new restaurant has unless the request says otherwise.
const (
	usualSlotMinutes = 60
	usualPartyMax    = 8
)

// openRestaurant answers POST /api/staff/restaurants: the restaurant is a draft, and the caller's.
func (a *API) openRestaurant(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	var in openRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	n := booking.NewRestaurant{Name: in.Name, TimeZone: in.TimeZone, Capacity: in.Capacity,
		SlotMinutes: usualSlotMinutes, PartyMax: max(1, min(usualPartyMax, in.Capacity))}
	if in.SlotMinutes != nil {
		n.SlotMinutes = *in.SlotMinutes
	}
	if in.PartyMax != nil {
		n.PartyMax = *in.PartyMax
	}
	opened, err := a.Drafts.Open(c.UserContext(), s.UserID, n)
	if err != nil {
		return err
	}
	speak(c)
	return c.Status(fiber.StatusCreated).JSON(newWorkplace(language(c), opened))
}

// optionalTime is a time that may be none: the zero one.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// listWorkplaces answers GET /api/staff/restaurants.
func (a *API) listWorkplaces(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	all, err := a.Drafts.Store.ListWorkplaces(c.UserContext(), s.UserID)
	if err != nil {
		return err
	}
	speak(c)
	lang := language(c)
	own := keyset.Slice(page, all, func(w reserve.Workplace) keyset.Cursor { return keyset.Cursor{Number: w.ID} })
	return sendPage(c, "restaurants", own, func(w reserve.Workplace) workplace { return newWorkplace(lang, w) })
}

// draft is a restaurant that waits to be published, as operators see it.
type draft struct {
	ID         int64     `json:"id"`
	Slug       string    `json:"slug"`
	Name       string    `json:"name"`
	TimeZone   string    `json:"timeZone"`
	Capacity   int       `json:"capacity"`
	OpenedAt   time.Time `json:"openedAt"`
	OwnerName  string    `json:"ownerName"`
	OwnerEmail string    `json:"ownerEmail"`

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

// listDrafts answers GET /api/operator/restaurants: a page of the drafts, oldest first.
func (a *API) listDrafts(c *fiber.Ctx) error {
	by, err := a.operator(c)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	drafts, err := a.Drafts.List(c.UserContext(), by, page)
	if err != nil {
		return err
	}
	speak(c)
	lang := language(c)
	return sendPage(c, "restaurants", drafts, func(d reserve.OpenedDraft) draft {
		return draft{ID: d.ID, Slug: d.Slug, Name: d.Name.In(lang), TimeZone: d.TimeZone, Capacity: d.Capacity,
			OpenedAt: d.OpenedAt, OwnerName: d.OwnerName, OwnerEmail: d.OwnerEmail,
			SubmittedAt: optionalTime(d.SubmittedAt)}
	})
}

// publish answers POST /api/operator/restaurants/{id}/publish.
func (a *API) publish(c *fiber.Ctx) error {
	by, err := a.operator(c)
	if err != nil {
		return err
	}
	id, err := numberParam(c, "id")
	if err != nil {
		return err
	}
	if err := a.Drafts.Publish(c.UserContext(), by, id); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
