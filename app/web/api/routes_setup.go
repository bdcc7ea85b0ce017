package api

import (
	"lunchgo/app/picture"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
)

func (a *API) setupRoutes() group {
	return group{name: "setup", about: "What a restaurant is: opening, hours, terms, menu, seats, pictures, publication.",
		operations: append(a.documentRoutes(), []operation{
			{route: "GET /staff/restaurants", id: "listWorkplaces",
				summary: "The restaurants of which the caller is staff, published or not",
				right:   access.SignedIn, paged: true,
				gives: answer{200, page{"restaurants", workplace{}}, "The restaurants, by id."},
				run:   a.listWorkplaces,
			},
			{route: "POST /staff/restaurants", id: "openRestaurant",
				summary: "Open a restaurant",
				text: "It is a draft that the caller owns: nobody but its staff and operators sees it, and nobody books " +
					"it, until an operator publishes it. It has no hours yet. One person has at most 5 drafts.",
				right: access.SignedIn, takes: openRequest{},
				gives:   answer{201, workplace{}, "The draft."},
				refuses: []string{"unconfirmed", "too_many_drafts"},
				run:     a.openRestaurant,
			},
			{route: "GET /staff/restaurants/{restaurant}/checks", id: "findChecks",
				summary: "What contradicts in the rules, and how far the restaurant is from being published",
				right:   access.Staff(team.SeeSettings),
				gives:   answer{200, publication{}, "The state."},
				run:     a.findChecks,
			},
			{route: "POST /staff/restaurants/{restaurant}/publication", id: "submitRestaurant",
				summary: "Ask for the restaurant to be published",
				text: "In a demonstration, and for an owner who is an operator, it is published at once; else an " +
					"operator does so. A repeat changes nothing.",
				right:   access.Staff(team.Publish),
				gives:   answer{200, publication{}, "The state."},
				refuses: []string{"not_ready"},
				run:     a.submit,
			},
			{route: "GET /staff/restaurants/{restaurant}/menu", id: "findMenuDocument",
				summary: "The menu as staff set it up",
				right:   access.Staff(team.SeeEvening), version: true,
				gives: answer{200, setup.Menu{}, "The document."},
				run:   a.findMenu,
			},
			{route: "PUT /staff/restaurants/{restaurant}/menu", id: "putMenuDocument",
				summary: "Replace the menu",
				text: "Items that the request leaves out are retired where reservations have them, else gone. Prices and " +
					"names of reservations stay as they were agreed.",
				right: access.Staff(team.ChangeMenu), version: true, takes: setup.Menu{}, most: maxDocument,
				gives: answer{200, setup.Menu{}, "The document as stored."},
				run:   a.putMenu,
			},
			{route: "POST /staff/restaurants/{restaurant}/pictures", id: "addPicture",
				summary: "Upload a picture of a dish or of the restaurant",
				text: "The type is read from the bytes. The picture is turned upright, scaled down and encoded again as " +
					"JPEG; what the camera wrote into it is dropped. The same file sent again is the same picture. One " +
					"that no dish and no restaurant shows is deleted after a day.",
				right: access.Staff(team.ChangeMenu), files: pictureFiles, most: picture.MaxBytes,
				gives:   answer{201, uploaded{}, "The picture."},
				located: true,
				refuses: []string{"too_many_pictures"},
				run:     a.addPicture,
			},
			{route: "GET /staff/restaurants/{restaurant}/seats", id: "findRoomDocument",
				summary: "The room with its named seats",
				right:   access.Staff(team.SeeSettings), version: true,
				gives: answer{200, setup.Room{}, "The document."},
				run:   a.findRoom,
			},
			{route: "PUT /staff/restaurants/{restaurant}/seats", id: "putRoomDocument",
				summary: "Replace the room",
				text:    "Seats that the request leaves out are retired: past reservations know them still.",
				right:   access.Staff(team.ChangeSettings), version: true, takes: setup.Room{}, most: maxDocument,
				gives:   answer{200, setup.Room{}, "The document as stored."},
				refuses: []string{"seats_held"},
				run:     a.putRoom,
			},
		}...)}
}

// documentRoutes read and replace the documents of the set-up.
func (a *API) documentRoutes() (routes []operation) {
	for _, d := range []struct {
		name         setup.Name
		id, about    string
		takes, gives any
	}{
		{setup.DocSettings, "Settings", "how the restaurant is shown, and whom it takes for how long",
			setup.Settings{}, savedSettings{}},
		{setup.DocHours, "Hours", "when slots start", setup.Hours{}, savedHours{}},
		{setup.DocClosures, "Closures", "when the restaurant does not open", setup.Closures{}, savedClosures{}},
		{setup.DocPicture, "Picture", "the picture of the restaurant: the hash of one that was uploaded, or the name of a " +
			"drawn one", setup.ShownPicture{}, savedPicture{}},
		{setup.DocDeposits, "Deposits", "what parties pay to confirm", setup.Deposits{}, savedDeposits{}},
		{setup.DocCancellation, "CancellationRules", "what comes back, and until when guests change",
			setup.Cancellation{}, savedCancellation{}},
	} {
		address := "/staff/restaurants/{restaurant}/" + string(d.name)
		routes = append(routes, operation{route: "GET " + address, id: "findSetup" + d.id, summary: "Read " + d.about,
			right: access.Staff(team.SeeSettings), version: true,
			gives: answer{200, d.takes, "The document."},
			run:   a.findSetup(d.name),
		}, operation{route: "PUT " + address, id: "replaceSetup" + d.id, summary: "Replace " + d.about,
			text:  "As a whole. Bookings keep what was agreed with them.",
			right: access.Staff(d.name.Action()), version: true, takes: d.takes,
			query: []parameter{preview},
			gives: answer{200, d.gives, "The document as it is stored, which future bookings are outside the rules by it, " +
				"and which rules contradict each other."},
			run: a.replaceSetup(d.name),
		})
	}
	return routes
}
