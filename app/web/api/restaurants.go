package api

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
)

// restaurant is a restaurant as the API tells it, in the language of the request.
type restaurant struct {
	ID               int64  `json:"id"`
	Slug             string `json:"slug"`
	Name             string `json:"name"`
	Description      string `json:"description"`
	Address          string `json:"address"`
	Phone            string `json:"phone"` // may be empty
	District         string `json:"district"`
	Cuisine          string `json:"cuisine"`
	TimeZone         string `json:"timeZone"`
	Capacity         int    `json:"capacity"`
	DepositPerPerson int64  `json:"depositPerPerson"`
	PartyMin         int    `json:"partyMin"`
	PartyMax         int    `json:"partyMax"`
	HoldMinutes      int    `json:"holdMinutes"`
	ExtensionMinutes int    `json:"extensionMinutes"`
	LeadMinutes      int    `json:"leadMinutes"`
	HorizonDays      int    `json:"horizonDays"`

	Deposits    []booking.DepositTier `json:"deposits"`
	SlotMinutes int                   `json:"slotMinutes"` // from one slot to the next
	Stays       []booking.StayTier    `json:"stays"`

	Hours    []opening            `json:"hours,omitempty"`
	Closures []booking.Date       `json:"closures,omitempty"`
	Refunds  []booking.RefundTier `json:"refunds,omitempty"`

	SpecialDays    []booking.SpecialDay    `json:"specialDays,omitempty"`
	ClosureReasons map[booking.Date]string `json:"closureReasons,omitempty"` // of those that have one

	Slots []slot `json:"slots,omitempty"`
}

// opening is a span of a weekday in which slots start; Sunday is 0.
type opening struct {
	Weekday int               `json:"weekday"`
	From    booking.TimeOfDay `json:"from"`
	Last    booking.TimeOfDay `json:"last"`
}

// newRestaurant is what a list shows.
func newRestaurant(lang string, r booking.Restaurant) restaurant {
	return restaurant{
		ID: r.ID, Slug: r.Slug, Name: r.Name.In(lang), Description: r.Description.In(lang), Address: r.Address.In(lang),
		Phone:    r.Phone,
		District: r.District, Cuisine: r.Cuisine, TimeZone: r.Location.String(), Capacity: r.Capacity,
		DepositPerPerson: r.DepositPerPerson, PartyMin: r.PartyMin, PartyMax: r.PartyMax,
		HoldMinutes: r.HoldMinutes, ExtensionMinutes: r.ExtensionMinutes, LeadMinutes: r.LeadMinutes,
		HorizonDays: r.HorizonDays, Deposits: r.Deposits(), SlotMinutes: r.SlotMinutes,
		Stays: append([]booking.StayTier{}, r.StayTiers...), // never null
	}
}

// listRestaurants answers GET /api/restaurants: those that fit the query; with a date those open on it, with its slots.
func (a *API) listRestaurants(c *fiber.Ctx) error {
	query, err := readQuery(c)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	found, err := a.Bookings.Search(c.UserContext(), query, page)
	if err != nil {
		return err
	}
	if query.Date != "" {
		found.Items = slices.DeleteFunc(found.Items, func(f reserve.SearchResult) bool { return len(f.Slots) == 0 })
	}
	speak(c)
	lang := language(c)
	return sendPage(c, "restaurants", found, func(f reserve.SearchResult) restaurant {
		r := newRestaurant(lang, f.Restaurant)
		r.Slots = newSlots(f.Slots)
		return r
	})
}

func readQuery(c *fiber.Ctx) (reserve.Query, error) {
	query := reserve.Query{Words: c.Query("q"), District: c.Query("district"), Cuisine: c.Query("cuisine")}
	var err error
	if query.PartySize, err = partySize(c); err != nil {
		return query, err
	}
	if text := strings.Clone(c.Query("date")); text != "" { // caches keep it
		query.Date, err = booking.ParseDate(text)
	}
	return query, err
}

// maxParty bounds the party sizes that can be asked for; what a restaurant takes is checked when a table is asked for.
const maxParty = 1_000

// partySize reads the query's party size; 0 if it names none.
func partySize(c *fiber.Ctx) (int, error) {
	text := c.Query("partySize")
	if text == "" {
		return 0, nil
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < 1 || size > maxParty {
		f := invalid("partySize", "out_of_range")
		f.Fields[0].Min, f.Fields[0].Max = 1, maxParty
		return 0, f
	}
	return size, nil
}

// findRestaurant answers GET /api/restaurants/{id}.
func (a *API) findRestaurant(c *fiber.Ctx) error {
	found, err := a.restaurantOf(c)
	if err != nil {
		return err
	}
	r := newRestaurant(language(c), found)
	r.Closures, r.Refunds = found.Closures, found.Policy.Tiers
	r.SpecialDays, r.ClosureReasons = found.SpecialDays, found.ClosureReasons
	for _, h := range found.Hours {
		r.Hours = append(r.Hours, opening{Weekday: int(h.Weekday), From: h.From, Last: h.Last})
	}
	speak(c)
	return c.JSON(r)
}

// restaurantOf finds the restaurant that the path names.
func (a *API) restaurantOf(c *fiber.Ctx) (booking.Restaurant, error) {
	id, err := numberParam(c, "id")
	if err != nil {
		return booking.Restaurant{}, err
	}
	return a.Bookings.Catalog.FindRestaurant(c.UserContext(), id)
}

// listSlots answers GET /api/restaurants/{id}/slots.
func (a *API) listSlots(c *fiber.Ctx) error {
	r, err := a.restaurantOf(c)
	if err != nil {
		return err
	}
	if c.Query("date") == "" {
		return invalid("date", "required")
	}
	query, err := readQuery(c)
	if err != nil {
		return err
	}
	slots, err := a.Bookings.ListSlots(c.UserContext(), r, query.Date, query.PartySize)
	if err != nil {
		return err
	}
	answer := fiber.Map{"slots": newSlots(slots)}
	if reason := r.ClosureReasons[query.Date]; reason != "" {
		answer["reason"] = reason
	}
	return c.JSON(answer)
}
