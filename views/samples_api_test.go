package views_test

import (
	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/pages"
)

// addAPI adds the page that describes the JSON API.
func addAPI(visitor views.Layout, all map[string]templ.Component) {
	visitor.Path = views.APIDocsURL()
	number := views.APIMember{Name: "restaurantId", Kind: "integer", About: "Of the restaurant."}
	all["api"] = pages.APIDocs(views.APIDocs{Layout: visitor, About: "Money is integer won.",
		Groups: []views.APIGroup{{Name: "reservations", About: "A diner's reservations.",
			Operations: []views.APIOperation{{ID: "reserve", Method: "POST", Path: "/api/reservations", Summary: "Press",
				Text: "Needs a session.", Parameters: []views.APIMember{number}, Takes: "ReserveRequest",
				Command: `curl -X POST "$URL/api/reservations"`,
				Answers: []views.APIAnswer{{Status: "201", Text: "The reservation.", Type: "ReserveRequest",
					Example: `{"restaurantId": 1}`}, {Status: "409", Text: "`sold_out`: Sold out.", Refused: true}}}}}},
		Types: []views.APIType{{Name: "ReserveRequest", Members: []views.APIMember{number,
			{Name: "items", Kind: "list of", Type: "ReserveRequest", Optional: true}}}}})
}
