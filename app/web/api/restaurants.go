package api

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

func (a *API) restaurantsRoutes() group {
	return group{"restaurants", "Restaurants, their slots, dishes and seats, as diners see them.", []operation{
		{route: "GET /restaurants", id: "listRestaurants", right: access.Anyone,
			run:     lists("restaurants", anyone, a.listRestaurants),
			summary: "Search restaurants",
			query: []parameter{
				{name: "q", is: text, says: "Words that all have to occur."},
				{name: "date", is: day, says: "Only those open on it, with its slots."},
				{name: "partySize", is: number, says: "How many people.", bound: between(1, maxParty)},
				{name: "district", is: text, says: "A key."},
				{name: "cuisine", is: text, says: "A key."},
				{name: "price", is: number, says: "Only those of that price band; 1 is inexpensive.",
					bound: between(1, booking.MaxPriceBand)},
			},
			says: "Those that fit, those with room first."},
		{route: "GET /restaurants/{id}", id: "findRestaurant", right: access.Anyone,
			path: []parameter{{name: "id", is: number}}, run: answers(a.restaurantOf, a.findRestaurant),
			summary: "Find a restaurant",
			says:    "The restaurant."},
		{route: "GET /restaurants/{id}/slots", id: "listSlots", right: access.Anyone,
			path: []parameter{{name: "id", is: number}}, run: answers(a.restaurantOf, a.listSlots),
			summary: "List the slots of a date",
			query: []parameter{
				{name: "date", is: day, required: true, says: "The date."},
				{name: "partySize", is: number, says: "How many people.", bound: between(1, maxParty)},
			},
			says: "In order of time; none on a closed day."},
		{route: "GET /restaurants/{id}/menu", id: "listMenu", right: access.Anyone,
			path: []parameter{{name: "id", is: number}}, run: answers(a.restaurantOf, a.listMenu),
			summary: "List the menu",
			query:   []parameter{{name: "date", is: day, says: "For the stock of that date; today if missing."}},
			says:    "In menu order."},
		{route: "GET /restaurants/{id}/seats", id: "listSeats", right: access.Anyone,
			path: []parameter{{name: "id", is: number}}, run: answers(a.restaurantOf, a.listSeats),
			summary: "List the named seats of a restaurant as they are in a slot",
			text:    "In the order in which they are given away. The answer may be a moment old.",
			query: []parameter{
				{name: "date", is: day, required: true, says: "Of the slot."},
				{name: "time", is: clock, required: true, says: "Of the slot."},
			},
			says: "Empty where the restaurant names none."},
	}}
}

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
	PriceBand int `json:"priceBand,omitempty"`
	// The mean of the stars of its reviews, 1 to 5, to one decimal. Missing without reviews.
	Rating      float64 `json:"rating,omitempty"`
	ReviewCount int     `json:"reviewCount,omitempty"` // missing without reviews
	TimeZone    string  `json:"timeZone"`              // of the IANA database
	Capacity    int     `json:"capacity"`              // covers a slot where the slot says nothing else
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

	// Of its cooks, its house, its dishes. Only by id.
	Story string `json:"story,omitempty"`
	// How to get there. Only by id.
	Directions string `json:"directions,omitempty"`
	// Addresses of the pictures that its page shows besides, in order. Only by id.
	Photos []string `json:"photos,omitempty"`

	// Parts of the day, such as lunch and dinner, to which hours and slots belong. Missing where the day is one. Only by
	// id.
	Services []booking.Service `json:"services,omitempty"`
	// When days begin to take reservations: slots say when each does. Missing where they do as soon as they are within
	// horizonDays. Only by id.
	OpeningRule *booking.OpeningRule `json:"openingRule,omitempty"`
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
		Phone: r.Phone, District: r.District, Cuisine: r.Cuisine, PriceBand: r.PriceBand,
		TimeZone: r.Location.String(), Capacity: r.Capacity, DepositPerPerson: r.DepositPerPerson, PartyMin: r.PartyMin,
		PartyMax: r.PartyMax, HoldMinutes: r.HoldMinutes, ExtensionMinutes: r.ExtensionMinutes,
		LeadMinutes: r.LeadMinutes, HorizonDays: r.HorizonDays, Deposits: r.Deposits(), SlotMinutes: r.SlotMinutes,
		Stays:  list(r.StayTiers, func(t booking.StayTier) booking.StayTier { return t.Brief(r.SlotMinutes) }),
		Rating: math.Round(r.Rating.Average()*10) / 10, ReviewCount: r.Rating.Reviews,
	}
}

// listRestaurants lists those that fit the query; with a date those open on it, with its slots.
func (a *API) listRestaurants(c *fiber.Ctx, _ struct{}, page keyset.Request) (of keyset.Page[restaurant], err error) {
	query, err := readQuery(c)
	if err == nil {
		query.PriceBand, err = countUpTo(c, "price", booking.MaxPriceBand)
	}
	if err != nil {
		return of, err
	}
	found, err := a.Bookings.Search(c.UserContext(), query, page)
	if query.Date != "" {
		found.Items = slices.DeleteFunc(found.Items, func(f reserve.SearchResult) bool { return len(f.Slots) == 0 })
	}
	lang := speak(c)
	return paged(func(f reserve.SearchResult) restaurant {
		r := newRestaurant(lang, f.Restaurant)
		r.Slots = newSlots(f.Slots)
		return r
	})(found), err
}

func readQuery(c *fiber.Ctx) (reserve.Query, error) {
	query := reserve.Query{Words: c.Query("q"), District: c.Query("district"), Cuisine: c.Query("cuisine")}
	var err error
	if query.PartySize, err = countUpTo(c, "partySize", maxParty); err != nil {
		return query, err
	}
	query.Date, err = dateOf(c)
	return query, err
}

// dateOf reads the query's date; empty if it names none.
func dateOf(c *fiber.Ctx) (booking.Date, error) {
	text := strings.Clone(c.Query("date")) // caches keep it
	if text == "" {
		return "", nil
	}
	return booking.ParseDate(text)
}

// maxParty bounds the party sizes that can be asked for; what a restaurant takes is checked when a table is asked for.
const maxParty = 1_000

// countUpTo reads a number of the query from 1 to most; 0 if it names none.
func countUpTo(c *fiber.Ctx, name string, most int) (int, error) {
	text := c.Query(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		f := invalid(name, "out_of_range")
		f.Fields[0].Min, f.Fields[0].Max = 1, most
		return 0, f
	}
	return n, nil
}

func (a *API) findRestaurant(c *fiber.Ctx, found booking.Restaurant) (restaurant, error) {
	lang := speak(c)
	r := newRestaurant(lang, found)
	r.Hours, r.Closures, r.Refunds = found.Hours, found.Closures, found.Policy.Tiers
	r.FreeCancelMinutes = found.Policy.FreeCancelMinutes
	r.Story, r.Directions = found.Story.In(lang), found.Directions.In(lang)
	r.Photos = list(found.Photos, views.PictureURL)
	r.Services = list(found.Services, func(s booking.Service) booking.Service { return s.Brief(found.SlotMinutes) })
	if found.OpeningRule.IsSet() {
		r.OpeningRule = &found.OpeningRule
	}
	r.SpecialDays, r.ClosureReasons = found.SpecialDays, found.ClosureReasons
	return r, nil
}

// restaurantOf finds the restaurant that the path names.
func (a *API) restaurantOf(c *fiber.Ctx) (booking.Restaurant, error) {
	id, err := respond.NumberParam(c, "id")
	if err != nil {
		return booking.Restaurant{}, err
	}
	r, err := a.Bookings.Catalog.FindRestaurant(c.UserContext(), id)
	if err == nil && r.Unpublished {
		return booking.Restaurant{}, booking.ErrNotFound
	}
	return r, err
}

type slotsAnswer struct {
	Reason string `json:"reason,omitempty"` // why the restaurant is closed on that day, where staff gave one
	// The services of the day with their hours. Missing where the day is one.
	Services []serviceHours `json:"services,omitempty"`
	Slots    []slot         `json:"slots"`
}

// serviceHours are a service on a date.
type serviceHours struct {
	Key  string            `json:"key"`
	Name string            `json:"name"`
	From booking.TimeOfDay `json:"from"` // the first slot
	// The last time at which a party of that size, or the smallest, can come. Missing where it never can.
	LastSeating booking.TimeOfDay `json:"lastSeating,omitempty"`
}

func servicesOn(lang string, r booking.Restaurant, query reserve.Query) (services []serviceHours) {
	for _, s := range r.HoursOn(query.Date, max(query.PartySize, r.PartyMin)) {
		if s.Key != "" {
			services = append(services, serviceHours{s.Key, s.Name.In(lang), s.From, s.LastSeating})
		}
	}
	return services
}

func (a *API) listSlots(c *fiber.Ctx, r booking.Restaurant) (of slotsAnswer, err error) {
	if c.Query("date") == "" {
		return of, invalid("date", "required")
	}
	query, err := readQuery(c)
	if err != nil {
		return of, err
	}
	slots, err := a.Bookings.ListSlots(c.UserContext(), r, query.Date, query.PartySize)
	answer := slotsAnswer{Reason: r.ClosureReasons[query.Date],
		Services: servicesOn(speak(c), r, query), Slots: newSlots(slots)}
	for i, s := range answer.Slots {
		answer.Slots[i].Service = r.ServiceAt(s.Date, s.Time).Key
	}
	return answer, err
}
