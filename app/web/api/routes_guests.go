package api

import (
	"lunchgo/app/team"
	"lunchgo/app/web/access"
)

func (a *API) guestsRoutes() group {
	return group{name: "guests", about: "A restaurant's guests: history, notes, tags.",
		operations: []operation{
			{route: "GET /staff/restaurants/{restaurant}/guests", id: "listGuests",
				summary: "Who has booked at a restaurant",
				text: "A guest is an account, or the phone number of parties that staff booked. All figures are of this " +
					"restaurant only.",
				right: access.Staff(team.SeeGuests), paged: true,
				query: []parameter{
					{name: "q", is: text, says: "Part of a name, 2 characters at least, or of a phone " +
						"number, 4 digits at least."},
				},
				gives: answer{200, page{"guests", knownGuest{}}, "The latest visitors first, then those who have never " +
					"come."},
				run: a.listGuests,
			},
			{route: "GET /staff/restaurants/{restaurant}/guests/{guest}", id: "findGuest",
				summary: "A guest's history at a restaurant",
				text:    "The id is one of the list of this restaurant; it means nothing at another.",
				right:   access.Staff(team.SeeGuests), paged: true,
				gives: answer{200, guestProfile{}, "The guest, and a page of their bookings, the latest first."},
				run:   a.findGuest,
			},
			{route: "POST /staff/restaurants/{restaurant}/guests/{guest}/notes", id: "addGuestNote",
				summary: "Note something about a guest",
				text:    "The log of the restaurant says that a note was written, not what.",
				right:   access.Staff(team.NoteGuests), limit: ofChanges, takes: noteRequest{},
				gives:   answer{201, guestNote{}, "The note."},
				refuses: []string{"no_consent", "too_many_notes"},
				run:     a.addGuestNote,
			},
			{route: "DELETE /staff/restaurants/{restaurant}/guests/{guest}/notes/{note}", id: "deleteGuestNote",
				summary: "Delete a note about a guest",
				text:    "The log of the restaurant says who deleted a note, not what it said.",
				right:   access.Staff(team.DeleteGuestNotes), limit: ofChanges,
				gives:   answer{204, nil, "It is deleted."},
				refuses: []string{"demo_account"},
				run:     a.deleteGuestNote,
			},
			{route: "PUT /staff/restaurants/{restaurant}/guests/{guest}/tags", id: "setGuestTags",
				summary: "Replace the tags of a guest",
				text:    "A tag that comes twice, in whatever case, is stored once.",
				right:   access.Staff(team.NoteGuests), limit: ofChanges, takes: tagsRequest{},
				gives:   answer{200, tagsRequest{}, "The tags as they are stored."},
				refuses: []string{"no_consent"},
				run:     a.setGuestTags,
			},
		}}
}
