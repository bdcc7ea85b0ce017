package api

import (
	"lunchgo/app/web/access"
)

func (a *API) waitlistRoutes() group {
	return group{name: "waitlist", about: "Waiting for seats of a full slot, and offers of them.",
		operations: []operation{
			{route: "POST /waitlist", id: "joinWaitlist",
				summary: "Wait for seats in a slot that has too few",
				text: "Seats that come free are offered to those who wait, in their order, before anybody who presses. " +
					"Where they are too few for a party, smaller ones behind it may be seated first, at most maxPasses " +
					"times. One entry a person and slot.",
				right: access.SignedIn, limit: ofChanges, key: needsKey, takes: waitRequest{},
				gives:   answer{201, waitlistEntry{}, "The entry. A repeat with the same key gets the same one."},
				located: true,
				refuses: []string{"not_found", "seats_available", "duplicate", "already_listed", "too_many_entries", "closed"},
				run:     a.joinWaitlist,
			},
			{route: "GET /waitlist", id: "listWaitlist",
				summary: "The diner's own entries, latest slot first",
				right:   access.SignedIn, paged: true,
				gives: answer{200, page{"entries", waitlistEntry{}}, "The entries."},
				run:   a.listWaitlist,
			},
			{route: "GET /waitlist/{id}", id: "findWaitlistEntry",
				summary: "One of the diner's own entries",
				right:   access.Own,
				gives:   answer{200, waitlistEntry{}, "The entry."},
				run:     a.findEntry,
			},
			{route: "DELETE /waitlist/{id}", id: "leaveWaitlist",
				summary: "Leave the list; an offer is declined",
				text:    "An entry that is over stays as it is.",
				right:   access.Own, limit: ofChanges,
				gives:   answer{200, waitlistEntry{}, "The entry as it is now."},
				refuses: []string{"offer_over"},
				run:     a.leaveWaitlist,
			},
			{route: "POST /waitlist/{id}/accept", id: "acceptOffer",
				summary: "Accept an offer",
				text: "The seats are held until the offer's deadline: pay for its reservation by then. Paying accepts as " +
					"well. A repeat is no fault.",
				right: access.Own, limit: ofChanges,
				gives:   answer{200, waitlistEntry{}, "The entry."},
				refuses: []string{"offer_over"},
				run:     a.acceptOffer,
			},
			{route: "POST /waitlist/{id}/decline", id: "declineOffer",
				summary: "Decline an offer",
				text:    "Its seats go to the next at once. A repeat is no fault.",
				right:   access.Own, limit: ofChanges,
				gives:   answer{200, waitlistEntry{}, "The entry."},
				refuses: []string{"offer_over"},
				run:     a.declineOffer,
			},
		}}
}
