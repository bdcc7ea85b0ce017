package api

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	workplaces "lunchgo/app/web/workplace"
)

// saved is what the answer to a replaced document has besides the document.
type saved struct {
	Affected affectedBookings        `json:"affected"`
	Warnings []booking.Contradiction `json:"warnings"` // errors first
}

// affectedBookings is what a change leaves outside the rules; it stays valid until staff move or cancel it.
type affectedBookings struct {
	Reservations int               `json:"reservations"` // holds among them
	Holds        int               `json:"holds"`        // among them
	Money        int64             `json:"money"`        // won that the guests have paid
	First        []affectedBooking `json:"first"`        // the soonest ones
}

type affectedBooking struct {
	ID        string            `json:"id"`
	Date      booking.Date      `json:"date"`
	Time      booking.TimeOfDay `json:"time"`
	PartySize int               `json:"partySize"`
	State     booking.State     `json:"state"`
	Name      string            `json:"name"`
	Why       setup.Why         `json:"why"` // which rule it is outside of
}

func newSaved(s setup.Saved) saved {
	return saved{Warnings: orEmpty(s.Checks), Affected: affectedBookings{Reservations: s.Affected.Reservations,
		Holds: s.Affected.Holds, Money: s.Affected.Money,
		First: list(s.Affected.First, func(b setup.TouchedBooking) affectedBooking {
			return affectedBooking{ID: b.ID, Date: b.Slot.Date, Time: b.Slot.Time, PartySize: b.PartySize,
				State: b.State, Name: b.Name, Why: b.Why}
		})}}
}

// The documents as PUT answers them.
type (
	settingsSaved struct {
		setup.Settings
		saved
	}
	hoursSaved struct {
		setup.Hours
		saved
	}
	closuresSaved struct {
		setup.Closures
		saved
	}
	depositsSaved struct {
		setup.Deposits
		saved
	}
	cancellationRulesSaved struct {
		setup.Cancellation
		saved
	}
	gallerySaved struct {
		setup.Gallery
		saved
	}
	shownPictureSaved struct {
		setup.ShownPicture
		saved
	}
)

// document has the operations that read and replace a document of the set-up; with shows it as PUT answers it.
func document[D setup.Document, A any](a *API, id, about string, with func(D, saved) A) []operation {
	name := (*new(D)).Name()
	address := "/staff/restaurants/{restaurant}/" + string(name)
	return []operation{
		{route: "GET " + address, id: "findSetup" + id, right: access.Staff(team.SeeSettings), version: true,
			summary: "Read " + about,
			says:    "The document.",
			run: answers(a.staff, func(c *fiber.Ctx, w workplaces.Workplace) (D, error) {
				c.Set(fiber.HeaderETag, setup.TagOf(w.Restaurant, name))
				return setup.Of(name, w.Restaurant).(D), nil
			})},
		{route: "PUT " + address, id: "replaceSetup" + id, right: access.Staff(name.Action()), version: true,
			query:   []parameter{preview},
			summary: "Replace " + about,
			text:    "As a whole. Bookings keep what was agreed with them.",
			says: "The document as it is stored, which future bookings are outside the rules by it, and which rules " +
				"contradict each other.",
			run: takes(a.staffWithTag, func(c *fiber.Ctx, w workplaces.Workplace, in D) (of A, err error) {
				result, err := a.Rules.Save(c.UserContext(), w.By, setup.Replacement{RestaurantID: w.Restaurant.ID,
					Documents: []setup.Document{in}, Tag: matched(c), Preview: c.QueryBool("preview")})
				if err != nil {
					return of, err
				}
				c.Set(fiber.HeaderETag, setup.TagOf(result.Restaurant, name))
				return with(setup.Of(name, result.Restaurant).(D), newSaved(result)), nil
			})},
	}
}

// staffWithTag is staff for a request that has to say which version it replaces.
func (a *API) staffWithTag(c *fiber.Ctx) (workplaces.Workplace, error) {
	w, err := a.staff(c)
	if err == nil && matched(c) == "" {
		err = setup.ErrNoTag
	}
	return w, err
}

// matched is the version that a request names.
func matched(c *fiber.Ctx) string {
	return strings.TrimPrefix(strings.Clone(c.Get(fiber.HeaderIfMatch)), "W/")
}

// publication is how far a restaurant is from being seen by diners.
type publication struct {
	State booking.RestaurantState `json:"state"`
	// When the owner asked for it to be published; null: not yet.
	SubmittedAt *time.Time              `json:"submittedAt"`
	Checks      []booking.Contradiction `json:"checks"` // errors first
}

func (a *API) newPublication(state setup.State) publication {
	p := publication{State: booking.RestaurantPublished, SubmittedAt: timeOrNull(state.SubmittedAt),
		Checks: orEmpty(a.Rules.Checks(state))}
	if state.Restaurant.Draft {
		p.State = booking.RestaurantDraft
	}
	return p
}

func (a *API) findChecks(c *fiber.Ctx, w workplaces.Workplace) (publication, error) {
	return as(a.newPublication)(a.Rules.Find(c.UserContext(), w.By, w.Restaurant.ID))
}

func (a *API) submit(c *fiber.Ctx, w workplaces.Workplace) (publication, error) {
	return as(a.newPublication)(a.Rules.Submit(c.UserContext(), w.By, w.Restaurant.ID))
}
