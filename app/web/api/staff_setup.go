package api

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/team"
)

// saved is what the answer to a replaced document has besides the document.
type saved struct {
	Affected affected                `json:"affected"`
	Warnings []booking.Contradiction `json:"warnings"` // errors first
}

// affected is what a change leaves outside the rules; it stays valid until staff move or cancel it.
type affected struct {
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
	a := affected{Reservations: s.Affected.Reservations, Holds: s.Affected.Holds, Money: s.Affected.Money,
		First: []affectedBooking{}}
	for _, b := range s.Affected.First {
		a.First = append(a.First, affectedBooking{ID: b.ID, Date: b.Slot.Date, Time: b.Slot.Time,
			PartySize: b.PartySize, State: b.State, Name: b.Name, Why: b.Why})
	}
	return saved{Affected: a, Warnings: append([]booking.Contradiction{}, s.Checks...)}
}

// The documents as PUT answers them.
type (
	savedSettings struct {
		setup.Settings
		saved
	}
	savedHours struct {
		setup.Hours
		saved
	}
	savedClosures struct {
		setup.Closures
		saved
	}
	savedDeposits struct {
		setup.Deposits
		saved
	}
	savedCancellation struct {
		setup.Cancellation
		saved
	}
	savedPicture struct {
		setup.ShownPicture
		saved
	}
)

// findSetup answers GET /api/staff/restaurants/{id}/{document}.
func (a *API) findSetup(name setup.Name) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w, err := a.Places.Allowed(c, team.SeeSettings)
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderETag, setup.TagOf(w.Restaurant, name))
		return c.JSON(setup.Of(name, w.Restaurant))
	}
}

// replaceSetup answers PUT /api/staff/restaurants/{id}/{document}; with ?preview=true it changes nothing.
func (a *API) replaceSetup(name setup.Name) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w, err := a.Places.Allowed(c, name.Action())
		if err != nil {
			return err
		}
		match := strings.TrimPrefix(strings.Clone(c.Get(fiber.HeaderIfMatch)), "W/")
		if match == "" {
			return setup.ErrNoTag
		}
		d, err := decodeDocument(c, name)
		if err != nil {
			return err
		}
		result, err := a.Rules.Save(c.UserContext(), w.By, setup.Replacement{RestaurantID: w.Restaurant.ID,
			Documents: []setup.Document{d}, Tag: match, Preview: c.QueryBool("preview")})
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderETag, setup.TagOf(result.Restaurant, name))
		return c.JSON(withResult(setup.Of(name, result.Restaurant), newSaved(result)))
	}
}

// decodeDocument reads the document of a request.
func decodeDocument(c *fiber.Ctx, name setup.Name) (setup.Document, error) {
	switch name {
	case setup.DocSettings:
		return decoded[setup.Settings](c)
	case setup.DocHours:
		return decoded[setup.Hours](c)
	case setup.DocClosures:
		return decoded[setup.Closures](c)
	case setup.DocDeposits:
		return decoded[setup.Deposits](c)
	case setup.DocPicture:
		return decoded[setup.ShownPicture](c)
	default:
		return decoded[setup.Cancellation](c)
	}
}

func decoded[D setup.Document](c *fiber.Ctx) (setup.Document, error) {
	var d D
	err := decode(c, &d)
	return d, err
}

// withResult is a document as PUT answers it.
func withResult(d setup.Document, result saved) any {
	switch d := d.(type) {
	case setup.Settings:
		return savedSettings{d, result}
	case setup.Hours:
		return savedHours{d, result}
	case setup.Closures:
		return savedClosures{d, result}
	case setup.Deposits:
		return savedDeposits{d, result}
	case setup.Cancellation:
		return savedCancellation{d, result}
	case setup.ShownPicture:
		return savedPicture{d, result}
	}
	return nil
}

// publication is how far a restaurant is from being seen by diners.
type publication struct {
	State booking.RestaurantState `json:"state"`
	// When the owner asked for it to be published; null: not yet.
	SubmittedAt *time.Time              `json:"submittedAt"`
	Checks      []booking.Contradiction `json:"checks"` // errors first
}

func (a *API) newPublication(state setup.State) publication {
	p := publication{State: booking.RestaurantPublished, SubmittedAt: optionalTime(state.SubmittedAt),
		Checks: append([]booking.Contradiction{}, a.Rules.Checks(state)...)}
	if state.Restaurant.Draft {
		p.State = booking.RestaurantDraft
	}
	return p
}

// findChecks answers GET /api/staff/restaurants/{id}/checks.
func (a *API) findChecks(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeSettings)
	if err != nil {
		return err
	}
	state, err := a.Rules.Find(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	return c.JSON(a.newPublication(state))
}

// submit answers POST /api/staff/restaurants/{id}/publication.
func (a *API) submit(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.Publish)
	if err != nil {
		return err
	}
	state, err := a.Rules.Submit(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	return c.JSON(a.newPublication(state))
}
