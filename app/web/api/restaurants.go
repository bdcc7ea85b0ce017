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
	ID          int64  `json:"id"`
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Address     string `json:"address"`
	Phone       string `json:"phone"`    // empty where there is none
	District    string `json:"district"` // a key, such as gangnam
	Cuisine     string `json:"cuisine"`  // a key, such as korean
	// What a meal costs: 1, inexpensive, to 4; none where the restaurant does not say.
	PriceBand int    `json:"priceBand,omitempty"`
	TimeZone  string `json:"timeZone"` // of the IANA database
	Capacity  int    `json:"capacity"` // covers a slot where the slot says nothing else
	// Deposit a person of parties smaller than deposits say otherwise, in won
	DepositPerPerson int64 `json:"depositPerPerson"`
	PartyMin         int   `json:"partyMin"`
	PartyMax         int   `json:"partyMax"`
	// How long a temporary reservation waits for its payment.
	HoldMinutes int `json:"holdMinutes"`
	// By how long a diner may prolong that, once; 0 for never.
	ExtensionMinutes int `json:"extensionMinutes"`
	// How long before its start a slot stops taking reservations.
	LeadMinutes int `json:"leadMinutes"`
	HorizonDays int `json:"horizonDays"` // how many days ahead may be booked

	// By rising size of the party; the last that begins at a party's size or below holds for it.
	Deposits    []booking.DepositTier `json:"deposits"`
	SlotMinutes int                   `json:"slotMinutes"` // from one slot to the next
	// By rising size of the party; smaller parties stay for one slot.
	Stays []booking.StayTier `json:"stays"`

	// Only when the restaurant is asked for by its id.
	Hours []booking.Opening `json:"hours,omitempty"`
	// Dates on which it is closed. Only by id.
	Closures []booking.Date `json:"closures,omitempty"`
	// Most generous first; nothing comes back after the last. Only by id.
	Refunds []booking.RefundTier `json:"refunds,omitempty"`
	// For how many minutes after its confirmation a reservation can be cancelled for free; missing for none. Only by id.
	FreeCancelMinutes int `json:"freeCancelMinutes,omitempty"`

	// Dates with hours of their own, in place of those of their weekday. Only by id.
	SpecialDays []booking.SpecialDay `json:"specialDays,omitempty"`
	// Why it is closed, by date, where a reason was given. Only by id.
	ClosureReasons map[booking.Date]string `json:"closureReasons,omitempty"`

	// Of the date that was searched. Only in a search with a date.
	Slots []slot `json:"slots,omitempty"`
}

// newRestaurant is what a list shows.
func newRestaurant(lang string, r booking.Restaurant) restaurant {
	return restaurant{
		ID: r.ID, Slug: r.Slug, Name: r.Name.In(lang), Description: r.Description.In(lang), Address: r.Address.In(lang),
		Phone:    r.Phone,
		District: r.District, Cuisine: r.Cuisine, PriceBand: r.PriceBand, TimeZone: r.Location.String(),
		Capacity:         r.Capacity,
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
	r.Hours, r.Closures, r.Refunds = found.Hours, found.Closures, found.Policy.Tiers
	r.FreeCancelMinutes = found.Policy.FreeCancelMinutes
	r.SpecialDays, r.ClosureReasons = found.SpecialDays, found.ClosureReasons
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

type slotsAnswer struct {
	Reason string `json:"reason,omitempty"` // why the restaurant is closed on that day, where staff gave one
	Slots  []slot `json:"slots"`
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
	return c.JSON(slotsAnswer{Reason: r.ClosureReasons[query.Date], Slots: newSlots(slots)})
}
