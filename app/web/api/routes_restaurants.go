package api

import (
	"lunchgo/app/web/access"
)

func (a *API) restaurantsRoutes() group {
	return group{name: "restaurants", about: "Restaurants, their slots, dishes and seats, as diners see them.",
		operations: []operation{
			{route: "GET /restaurants", id: "listRestaurants",
				summary: "Search restaurants",
				right:   access.Anyone, paged: true,
				query: []parameter{
					{name: "q", is: text, says: "Words that all have to occur."},
					{name: "date", is: day, says: "Only those open on it, with its slots."},
					{name: "partySize", is: number, says: "How many people.", bound: between(1, 1000)},
					{name: "district", is: text, says: "A key."},
					{name: "cuisine", is: text, says: "A key."},
				},
				gives: answer{200, page{"restaurants", restaurant{}}, "Those that fit, those with room first."},
				run:   a.listRestaurants,
			},
			{route: "GET /restaurants/{id}", id: "findRestaurant",
				summary: "Find a restaurant",
				right:   access.Anyone,
				path:    []parameter{{name: "id", is: number}},
				gives:   answer{200, restaurant{}, "The restaurant."},
				run:     a.findRestaurant,
			},
			{route: "GET /restaurants/{id}/slots", id: "listSlots",
				summary: "List the slots of a date",
				right:   access.Anyone,
				path:    []parameter{{name: "id", is: number}},
				query: []parameter{
					{name: "date", is: day, required: true, says: "The date."},
					{name: "partySize", is: number, says: "How many people.", bound: between(1, 1000)},
				},
				gives: answer{200, slotsAnswer{}, "In order of time; none on a closed day."},
				run:   a.listSlots,
			},
			{route: "GET /restaurants/{id}/menu", id: "listMenu",
				summary: "List the menu",
				right:   access.Anyone,
				path:    []parameter{{name: "id", is: number}},
				query:   []parameter{{name: "date", is: day, says: "For the stock of that date; today if missing."}},
				gives:   answer{200, menuAnswer{}, "In menu order."},
				run:     a.listMenu,
			},
			{route: "GET /restaurants/{id}/seats", id: "listSeats",
				summary: "List the named seats of a restaurant as they are in a slot",
				text:    "In the order in which they are given away. The answer may be a moment old.",
				right:   access.Anyone,
				path:    []parameter{{name: "id", is: number}},
				query: []parameter{
					{name: "date", is: day, required: true, says: "Of the slot."},
					{name: "time", is: clock, required: true, says: "Of the slot."},
				},
				gives: answer{200, seatsAnswer{}, "Empty where the restaurant names none."},
				run:   a.listSeats,
			},
		}}
}
