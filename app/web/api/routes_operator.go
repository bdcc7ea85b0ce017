package api

import (
	"lunchgo/app/web/access"
)

func (a *API) operatorRoutes() group {
	return group{name: "operator", about: "What operators of the site decide.",
		operations: []operation{
			{route: "GET /operator/restaurants", id: "listDrafts",
				summary: "The restaurants that wait to be published, 50 a page, oldest first",
				right:   access.Operator, paged: true,
				gives: answer{200, page{"restaurants", draft{}}, "A page of drafts."},
				run:   a.listDrafts,
			},
			{route: "POST /operator/restaurants/{id}/publish", id: "publishRestaurant",
				summary: "Let everybody see and book a restaurant",
				text:    "A repeat changes nothing. Other servers of the installation notice within seconds.",
				right:   access.Operator,
				path:    []parameter{{name: "id", is: number}},
				gives:   answer{204, nil, "It is published."},
				run:     a.publish,
			},
		}}
}

func (a *API) selfRoutes() group {
	return group{name: "description", about: "This document.",
		operations: []operation{
			{route: "GET /openapi.json", id: "describe",
				summary: "This document",
				right:   access.Anyone, unshed: true,
				gives: answer{200, map[string]any{}, "OpenAPI 3.1."},
				run:   serveDescription,
			},
		}}
}
