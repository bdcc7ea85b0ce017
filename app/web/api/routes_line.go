package api

import (
	"lunchgo/app/receipt"
	"lunchgo/app/web/access"
)

func (a *API) lineRoutes() group {
	return group{name: "line", about: "Places in the lines of slots and campaigns, and receipts that prove their order.",
		operations: []operation{
			{route: "GET /tickets/{ticket}", id: "findTicket",
				summary: "Where a ticket stands",
				right:   access.Own, unshed: true,
				gives: answer{200, ticket{}, "The ticket."},
				run:   a.findTicket,
			},
			{route: "DELETE /tickets/{ticket}", id: "leaveLine",
				summary: "Leave the line",
				text:    "Leaving twice, or after the turn, changes nothing.",
				right:   access.Own, unshed: true,
				gives:   answer{204, nil, "Done."},
				refuses: []string{"being_served"},
				run:     a.leaveLine,
			},
			{route: "GET /tickets/{ticket}/receipt", id: "findReceipt",
				summary: "A receipt of the place in the line",
				text: "Signed, so that the server stands by what its log of the line says at this moment. Keep it as a " +
					"file: once the line has ended, `lunchgo verify FILE URL` and the page /verify prove with it that " +
					"the ticket was served in its order, or show where not. A later one commits the server to more.",
				right: access.Own, unshed: true,
				gives:   answer{200, receipt.Receipt{}, "The receipt."},
				refuses: []string{"no_receipt"},
				run:     a.findReceipt,
			},
			{route: "GET /lines/{line}/log", id: "findLog",
				summary: "The log of a line",
				text: "Who came, whose turn it was and who went, in order, without names: arrival numbers, and the first " +
					"32 hexadecimal digits of the SHA-256 of each ticket. There are entries as far as all who stand in " +
					"them are answered. Logs are kept for 30 days.",
				right: access.Anyone,
				path: []parameter{{name: "line", is: text, says: "As receipts name it, such as " +
					"r12-2026-11-21-1900 for a slot and coupon-5 for a campaign."}},
				query: []parameter{
					{name: "log", is: text, says: "As receipts name it; without it the log that was " +
						"published last."},
					{name: "from", is: number, says: "Index of the first entry.", bound: together(atLeast(0), otherwise(0))},
				},
				gives: answer{200, receipt.Log{}, "Up to 1,000 entries of the log."},
				run:   a.findLog,
			},
			{route: "GET /tickets/{ticket}/events", id: "streamTicket",
				summary: "Watch a ticket",
				right:   access.Own, limit: ofStreams, unshed: true,
				gives: answer{200, ticket{}, "Server-sent events: `waiting` whenever the place changes, then one `done`, " +
					"each with a Ticket as data and a rising version as id. A comment at least every 15 seconds. A " +
					"stream that ends without `done` is to be opened again: the place is kept."},
				media: []string{mimeEvents},
				run:   a.streamTicket,
			},
		}}
}
