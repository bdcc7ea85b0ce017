package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/rehearsal"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
)

func (a *API) reportsRoutes() group {
	return group{name: "reports", about: "A restaurant's figures.",
		operations: []operation{
			{route: "GET /staff/restaurants/{restaurant}/reports", id: "findReport",
				summary: "Look back at a period",
				text: "Figures of the reservations for a period, in the restaurant's time zone. With `Accept: text/csv` " +
					"a file for spreadsheets, a row a slot.",
				right: access.Staff(team.SeeReports),
				query: []parameter{
					{name: "from", is: day, says: "The first date; 27 days before the last one if it is " +
						"missing."},
					{name: "to", is: day, says: "The last date; today if it is missing. A period has at " +
						"most 366 days."},
					{name: "weekday", is: number, says: "Only that day of the week; Sunday is 0.", bound: between(0, 6)},
					{name: "time", is: clock, says: "Only slots at that time."},
					{name: "party", is: number, says: "Only parties of that size.", bound: atLeast(1)},
					{name: "source", is: text, says: "Only reservations that were made like this.",
						bound: oneOf(constants["booking.Source"]...)},
				},
				gives: answer{200, report{}, "The report."},
				media: []string{fiber.MIMEApplicationJSON, mimeCSV},
				run:   a.findReport,
			},
			{route: "GET /staff/restaurants/{restaurant}/payouts", id: "listPayouts",
				summary: "What the payment provider moved, by day",
				text: "As the provider lists it: each past day is compared with the payments and kept. With `Accept: " +
					"text/csv` a file for spreadsheets.",
				right: access.Staff(team.SeeReports),
				query: []parameter{
					{name: "from", is: day, says: "The first date; 27 days before the last one if it is missing."},
					{name: "to", is: day, says: "The last date; today if it is missing. A period has at most 366 days."},
				},
				gives: answer{200, payoutList{}, "The days on which money was moved, the first one first."},
				media: []string{fiber.MIMEApplicationJSON, mimeCSV},
				run:   a.listPayouts,
			},
		}}
}

func (a *API) rehearsalsRoutes() group {
	return group{name: "rehearsals", about: "Rushes of simulated guests, on a copy of the restaurant.",
		operations: []operation{
			{route: "POST /staff/restaurants/{restaurant}/rehearsals", id: "runRehearsal",
				summary: "Rehearse a rush",
				text: "Simulated guests press for one slot of a copy of the restaurant, which has its capacity, seats, " +
					"hours, length of slots, party sizes, deposit and menu with portions; some of them each second. They " +
					"go through the same checks, line and database as real guests; the network, browsers and payments " +
					"are left out. Nothing of it appears in figures or searches, and the copy is deleted afterwards. One " +
					"at a time of a restaurant and two in the installation, 3 an hour, for 2 minutes at most. While real " +
					"guests wait for a table elsewhere, fewer press at once.",
				right: access.Staff(team.RunRehearsal), takes: rehearsal.Asked{}, lacks: true,
				gives:   answer{202, startedRehearsal{}, "It has begun."},
				refuses: []string{"rehearsal_running", "rehearsals_elsewhere", "guests_waiting", "too_many_rehearsals"},
				run:     a.runRehearsal,
			},
			{route: "GET /staff/restaurants/{restaurant}/rehearsals/{rehearsal}", id: "findRehearsal",
				summary: "What the guests of a rehearsal live through",
				text:    "While it runs, what is known so far.",
				right:   access.Staff(team.RunRehearsal),
				gives:   answer{200, rehearsalAnswer{}, "The rehearsal."},
				run:     a.findRehearsal,
			},
		}}
}
