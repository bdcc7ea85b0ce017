package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
)

func (a *API) eveningRoutes() group {
	return group{"evening", "What staff do about slots, lines and reservations of a day.", []operation{
		{route: "POST /staff/restaurants/{restaurant}/reservations", id: "bookGuest",
			right: access.Staff(team.BookForGuest), key: needsKey, waits: true,
			run:     doesWith(withKey(a.staffOf), a.bookGuest),
			summary: "Book for a guest without an account: by phone, or at the door",
			text: "It stands in the line of the slot like everybody, and takes its seats and dishes from the " +
				"same stock. Where the slot is paused or not open yet nothing enters the line. It is confirmed " +
				"at once and costs nothing, unless its guest is asked for the deposit; a walk-in is arrived, in " +
				"a slot that has begun too, or seated. Limits of diners do not bind it. With override the party " +
				"is seated over the plan where that has no seats for it.",
			status: 201, gives: guestReservation{},
			says: "The reservation. A repeat with the same key gets the same one.",
			refuses: []string{"sold_out", "seat_taken", "fire_limit", "out_of_stock", "closed", "paused",
				"not_open", "too_many_letters"}},
		{route: "PATCH /staff/reservations/{reservation}", id: "changeGuest", right: access.Staff(team.MoveGuest),
			key: mayHaveKey, waits: true, run: doesWith(a.guestOf, a.changeGuest),
			summary: "Mark, correct, move or cancel a reservation as staff",
			text: "What is missing or null stays as it is. Name, phone, note, allergies and tags are corrected at " +
				"once, also where the rest is refused; the log has which, not what they say. Another time, party or " +
				"seats go through the line of the slots; what was agreed and paid stays, and the diner gets a " +
				"letter. Other seats, another end of the stay, and another party in the same slot, are possible when " +
				"the party is there. With override the party is seated over the plan where that has no seats for it. " +
				"The state is set afterwards: a mark, confirmed or an earlier mark to take marks back, or cancelled, by " +
				"itself, with everything refunded. Without Idempotency-Key a repeat is a request of its own; one that " +
				"changes nothing is answered with the reservation.",
			gives: guestReservation{},
			says:  "The reservation as it is now. A repeat with the same key finds it.",
			refuses: []string{"wrong_state", "too_early", "seats_given", "past", "changed_meanwhile", "duplicate",
				"sold_out", "seat_taken", "fire_limit", "out_of_stock", "closed", "paused", "not_open",
				"too_many_letters", "no_consent"}},
		{route: "POST /staff/reservations/{reservation}/refunds", id: "giveBack",
			right: access.Staff(team.GiveBack), key: needsKey, run: takes(withKey(a.refundable), a.giveBack),
			summary: "Give a part of what was paid back, or all of it",
			text: "The reservation stays as it is. The money goes back the way it was paid, and the diner gets a " +
				"letter with the reason. What a later cancellation refunds is less by as much at most.",
			status: 201, says: "It goes back. A repeat with the same key gives nothing more back.",
			refuses: []string{"more_than_left", "changed_meanwhile"}},
		{route: "DELETE /staff/reservations/{reservation}/offered-time", id: "withdrawOfferedTime",
			right: access.Staff(team.MoveGuest), run: does(a.movable, a.withdrawOfferedTime),
			summary: "Withdraw another time that is offered to a guest",
			text: "Whatever messages offer the guest instead cannot be taken any more; the reservation stays as it " +
				"is, and no letter is sent. A repeat changes nothing.",
			refuses: []string{"no_time_offered"}},
		{route: "PATCH /staff/restaurants/{restaurant}/slots/{date}/{time}", id: "changeSlot",
			right: access.Staff(team.OpenCloseSlot), run: takes(a.workslot, a.changeSlot),
			summary: "Change a slot",
			text:    "All parts in one transaction, or none.",
			query:   []parameter{preview},
			says:    "Whom it touches, and the slot as it is then.",
			refuses: []string{"forbidden", "below_sold", "past"}},
		{route: "PATCH /staff/restaurants/{restaurant}/days/{date}", id: "changeDay",
			right: access.Staff(team.OpenCloseSlot), run: takes(a.workday, a.changeDay),
			summary: "Change all slots of a day",
			text:    "Those that have not begun, all or none, in one transaction.",
			query:   []parameter{preview},
			says:    "Whom it touches, each party once, and the slots as they are then.",
			refuses: []string{"forbidden", "below_sold", "past"}},
		{route: "GET /staff/restaurants/{restaurant}/slots/{date}/{time}/tickets", id: "listWaiters",
			right: access.Staff(team.SteerLine), run: lists("tickets", a.workslot, a.listWaiters),
			summary: "Who waits in the line of a slot",
			text: "In the order of the line, in all processes; the first page begins with those who are being " +
				"served.",
			says: "In order."},
		{route: "DELETE /staff/restaurants/{restaurant}/slots/{date}/{time}/tickets/{ticket}", id: "removeWaiter",
			right:   access.Staff(team.SteerLine),
			path:    []parameter{{name: "ticket", is: text, says: "As the list of those who wait names it."}},
			run:     doesWith(a.workslot, a.removeWaiter),
			summary: "Take somebody out of the line of a slot",
			text:    "They read why at once. It cannot be undone; they may press again.",
			says:    "They are out of the line.", refuses: []string{"being_served"}},
		{route: "DELETE /staff/restaurants/{restaurant}/slots/{date}/{time}/turn", id: "endTurn",
			right: access.Staff(team.SteerLine), run: does(a.workslot, a.endTurn),
			summary: "End the present turn of a slot's line",
			text: "For a turn that does not end by itself. Whoever has it stands in line again, and the next is " +
				"served. Without a turn nothing happens.",
			says: "Nobody has that turn any more."},
		{route: "GET /staff/restaurants/{restaurant}/slots/{date}/{time}/blocked-seats", id: "listBlockedSeats",
			right: access.Staff(team.SeeEvening), run: answers(a.workslot, a.listBlockedSeats),
			summary: "The seats of a slot that are given to nobody",
			says:    "The seats, ascending."},
		{route: "PUT /staff/restaurants/{restaurant}/slots/{date}/{time}/blocked-seats", id: "blockSeats",
			right: access.Staff(team.ChangeCapacity), run: takes(a.workslot, a.blockSeats),
			summary: "Say which seats of a slot are given to nobody",
			says:    "The seats, ascending.", refuses: []string{"seats_in_use", "past"}},
		{route: "PUT /staff/restaurants/{restaurant}/stop", id: "stopBookings",
			right: access.Staff(team.StopBookings), run: takes(a.Places.Published, a.stopBookings),
			summary: "Stop all new reservations, or let them go on",
			text:    "While it is stopped every slot is closed to new reservations; those that were made stay.",
			query:   []parameter{preview},
			says:    "Whom it touches.", refuses: []string{"unpublished"}},
		{route: "PUT /staff/restaurants/{restaurant}/stock/{date}/{item}", id: "setStock",
			right: access.Staff(team.ChangeStock), run: takes(a.stockDay, a.setStock),
			summary: "Set what is left of a dish on a day",
			says:    "What is left now.", refuses: []string{"past"}},
		{route: "GET /staff/restaurants/{restaurant}/evening", id: "findEvening",
			right: access.Staff(team.SeeEvening), run: answers(a.Places.Published, a.findEvening),
			summary: "A date of the restaurant: slots, who comes, totals",
			text:    "Read from the database at each request.",
			query:   []parameter{{name: "date", is: day, says: "Today at the restaurant if it is missing."}},
			says:    "The evening."},
	}}
}

func (a *API) listWaiters(c *fiber.Ctx, at workslot, page keyset.Request) (keyset.Page[reserve.Waiter], error) {
	return a.Bookings.WhoWaits(c.UserContext(), at.By, at.slot, page)
}

// removal says why somebody has to leave a line.
type removal struct {
	Reason string `json:"reason"` // the diner reads it
}

func (a *API) removeWaiter(c *fiber.Ctx, at workslot, in removal) error {
	return a.Bookings.RemoveWaiter(c.UserContext(), at.By, at.slot, param(c, "ticket"), in.Reason)
}

func (a *API) endTurn(c *fiber.Ctx, at workslot) error {
	return a.Bookings.EndTurn(c.UserContext(), at.By, at.slot)
}

// giveBackRequest is what staff give back.
type giveBackRequest struct {
	Amount int64  `json:"amount"` // won
	Reason string `json:"reason"` // for the diner's letter and the log
	// What staff saw to be left, in won; 409 changed_meanwhile if it is something else by now.
	Left *int64 `json:"left" required:"false"`
}

// givenBack is what was given back of a reservation, and what is left.
type givenBack struct {
	ReservationID   string `json:"reservationId"`
	GivenBackAmount int64  `json:"givenBackAmount"` // of all times, in won
	Left            int64  `json:"left"`            // neither back nor to come back, in won
}

func (a *API) giveBack(c *fiber.Ctx, sent keyed[guestAtWork], in giveBackRequest) (givenBack, error) {
	after, err := a.Bookings.GiveBack(c.UserContext(), sent.by.by, booking.GiveBack{ReservationID: sent.by.seen.ID,
		Key: sent.key, Amount: in.Amount, Reason: in.Reason, Left: in.Left})
	return givenBack{after.ID, after.GivenBack, after.Left()}, err
}
