package api

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) reservationsRoutes() group {
	return group{"reservations", "A diner's reservations: made, paid, changed, cancelled.", []operation{
		{route: "GET /reservations", id: "listReservations", right: access.SignedIn,
			run:     lists("reservations", respond.Session, a.listReservations),
			summary: "List one's own reservations",
			says:    "The latest slot first."},
		{route: "POST /reservations", id: "reserve", right: access.SignedIn, limit: ofPresses, unshed: true,
			key: needsKey, waits: true, run: doesWith(withKey(respond.Session), a.reserve),
			summary: "Press: stand in the slot's line and make a temporary reservation",
			text: "Whoever comes first is served first. The place belongs to the person: only leaving loses it. " +
				"Who is not there when the turn comes is served all the same. One person has one place in a " +
				"line.",
			status: 201, gives: reservation{}, located: true,
			says: "The reservation. A repeat with the same key gets the same one.",
			refuses: []string{"not_found", "duplicate", "overlapping", "too_many_holds", "sold_out", "out_of_stock",
				"seat_taken", "closed", "too_many_lines", "held_recently"}},
		{route: "GET /reservations/{id}", id: "findReservation", right: access.Own,
			run:     answers(a.ownReservation, a.findReservation),
			summary: "Find one's own reservation",
			says:    "The reservation."},
		{route: "PATCH /reservations/{id}", id: "changeReservation", right: access.Own, limit: ofChanges,
			outward: true, key: needsKey, waits: true, run: doesWith(withKey(respond.Session), a.changeReservation),
			summary: "Have another time, party or menu instead",
			text: "What is missing or null stays as it is. It goes through the line of the slots asked for, and " +
				"until its turn comes the reservation stays as it is. Then the new is held before the old is " +
				"freed, in one transaction: seats, dishes and coupon, and the difference is paid from or comes " +
				"back to the wallet. The reservation keeps its id and its state; what waits for payment keeps " +
				"its deadline. The new costs what the restaurant asks now. Of what it costs less comes back " +
				"what a cancellation would give back at that moment; the restaurant keeps the rest. A change " +
				"that costs more than the wallet has is paid by card: the diner's browser finishes the payment " +
				"at checkoutUrl, and once the provider has the money ready the change goes through the line. If " +
				"it does not fit then, or costs another amount, nothing is charged and the reservation stays as " +
				"it is: the payment's code says why.",
			gives: reservation{}, located: true,
			says: "The reservation as it is now. A repeat with the same key finds it.",
			or:   &answer{201, begunPayment{}, "The payment by card. A repeat with the same key finds it."},
			refuses: []string{"balance_too_low", "amount_changed", "no_card_payments", "payment_refused",
				"payments_away", "wrong_state", "hold_expired", "past", "too_late_to_change", "nothing_to_change",
				"changed_meanwhile", "duplicate", "overlapping", "too_many_holds", "sold_out", "out_of_stock",
				"seat_taken", "closed", "too_many_lines", "held_recently"}},
		{route: "GET /reservations/{id}/offered-time", id: "findOfferedTime", right: access.Own,
			run:     answers(a.ownReservation, a.findOfferedTime),
			summary: "Another time that the restaurant offers instead",
			text:    "Staff offer it where they cannot have the party as it is booked.",
			says:    "The day, with its times as they are open to the party now.", refuses: []string{"no_time_offered"}},
		{route: "POST /reservations/{id}/offered-time", id: "takeOfferedTime", right: access.Own, limit: ofChanges,
			key: needsKey, waits: true, run: doesWith(withKey(respond.Session), a.takeOfferedTime),
			summary: "Take another time that the restaurant offers",
			text: "Any time of that day which is open to the party, although it is too late to change the " +
				"reservation. What was agreed stays: price, dishes and terms. It goes through the line of the slots.",
			gives: reservation{}, located: true,
			says: "The reservation as it is now. A repeat with the same key finds it.",
			refuses: []string{"no_time_offered", "wrong_state", "past", "changed_meanwhile", "duplicate", "overlapping",
				"sold_out", "out_of_stock", "closed", "too_many_lines", "nothing_to_change", "held_recently",
				"too_many_holds"}},
		{route: "DELETE /reservations/{id}/offered-time", id: "declineOfferedTime", right: access.Own,
			limit: ofChanges, run: does(respond.Session, a.declineOfferedTime),
			summary: "Keep the reservation as it is", says: "The restaurant can see that.",
			text: "Whoever changes their mind may still take the time.", refuses: []string{"no_time_offered"}},
		{route: "POST /reservations/{id}/offered-time/cancellation", id: "cancelOffered", right: access.Own,
			limit: ofChanges, run: answers(respond.Session, a.cancelOffered),
			summary: "Cancel with a full refund, where the restaurant has offered that",
			says:    "What it led to.", refuses: []string{"no_time_offered", "wrong_state"}},
		{route: "DELETE /reservations/{id}", id: "cancelReservation", right: access.Own, limit: ofChanges,
			run:     answers(respond.Session, a.cancelReservation),
			summary: "Cancel by the policy frozen in the reservation",
			query: []parameter{
				{name: "refund", is: number, says: "The refund that the diner was quoted, in won: if it is " +
					"less by now, nothing is cancelled.", bound: atLeast(0)},
			},
			says: "What it led to.", refuses: []string{"wrong_state", "past", "refund_changed"}},
		{route: "POST /reservations/{id}/quote", id: "quoteChange", right: access.Own, limit: ofChanges,
			run:     takes(respond.Session, a.quoteChange),
			summary: "Ask what a change would cost now",
			text:    "It holds nothing and changes nothing, and does not look for seats.",
			says:    "What it would lead to.",
			refuses: []string{"wrong_state", "hold_expired", "past", "too_late_to_change", "nothing_to_change"}},
		{route: "GET /reservations/{id}/changes", id: "listChanges", right: access.Own,
			run:     lists("changes", a.ownReservation, a.listChanges),
			summary: "List how one's own reservation was changed",
			says:    "The changes, the first one first."},
		{route: "POST /reservations/{id}/payment", id: "pay", right: access.Own, limit: ofChanges, outward: true,
			key: needsKey, run: doesWith(withKey(respond.Session), a.pay),
			summary: "Pay and confirm",
			text: "A payment that comes up to 10 minutes after the hold has expired takes the seats and dishes " +
				"again if all of them are there. If not, the money comes back in the same transaction, and the " +
				"answer is payment_returned; what a card would have paid is let go. A payment by card begins " +
				"here, and the diner's browser finishes it at checkoutUrl; the seats are held meanwhile, some " +
				"minutes longer than before. The reservation is confirmed when the provider has the money " +
				"ready. After a payment that was refused or cancelled another one may begin, under a new key.",
			gives: reservation{}, located: true,
			says: "The reservation, paid from the wallet; so is one whose wallet has enough after all. A repeat " +
				"with the same key pays nothing more.",
			or: &answer{201, begunPayment{}, "The payment by card. A repeat with the same key finds it."},
			refuses: []string{"balance_too_low", "hold_expired", "payment_returned", "already_paid",
				"nothing_to_prepay", "wrong_state", "amount_changed", "no_card_payments", "payment_refused",
				"payments_away"}},
		{route: "GET /payments/{id}", id: "findPayment", right: access.Own,
			run:     answers(respond.Session, a.findPayment),
			summary: "Find one's own payment by card",
			says: "The payment. Confirmed, or changed, is its reservation from capturing on; refused after that, " +
				"it cancels the reservation, or takes the change back."},
		{route: "POST /reservations/{id}/extension", id: "extendHold", right: access.Own, limit: ofChanges,
			run:     answers(respond.Session, a.extend),
			summary: "Prolong the time to pay, once",
			text: "For those who need longer. By how long is in the reservation's terms. An account whose e-mail " +
				"address is not confirmed gets 403 unconfirmed.",
			says: "The reservation with its new holdExpiresAt.",
			refuses: []string{"already_extended", "no_extension", "hold_expired", "already_paid", "wrong_state",
				"unconfirmed"}},
		{route: "GET /reservations/{id}/cancellation", id: "quoteCancellation", right: access.Own,
			run:     answers(a.ownReservation, a.quoteCancellation),
			summary: "What cancelling now would lead to",
			says:    "What it would lead to.", refuses: []string{"wrong_state", "past"}},
	}}
}

func (a *API) listReservations(c *fiber.Ctx, s identity.Session,
	page keyset.Request) (keyset.Page[reservation], error) {
	return as(paged(spoken(c, newReservation)))(a.Bookings.List(c.UserContext(), s.UserID, page))
}

// ownReservation returns the reservation of the path, if it is the caller's.
func (a *API) ownReservation(c *fiber.Ctx) (booking.Reservation, error) {
	s, err := respond.Session(c)
	if err != nil {
		return booking.Reservation{}, err
	}
	return a.Bookings.Find(c.UserContext(), s.UserID, param(c, "id"))
}

func (a *API) findReservation(c *fiber.Ctx, own booking.Reservation) (reservation, error) {
	return newReservation(speak(c), own), nil
}

type cancellation struct {
	State  booking.State `json:"state"`
	Refund int64         `json:"refund"` // what comes back to the wallet, in won
	// Until when all comes back because the reservation was confirmed a short while ago, although the tiers of its terms
	// say less. Missing where there is no such time, and once it is cancelled.
	FreeUntil *time.Time `json:"freeUntil,omitempty"`
}

func (a *API) quoteCancellation(c *fiber.Ctx, own booking.Reservation) (cancellation, error) {
	quote, err := a.Bookings.Quote(c.UserContext(), own)
	return cancellation{quote.State, quote.Refund, timeOrNull(quote.FreeUntil)}, err
}

// cancelReservation cancels nothing if less comes back than the query says that the user was shown.
func (a *API) cancelReservation(c *fiber.Ctx, s identity.Session) (of cancellation, err error) {
	by := reserve.Canceller{UserID: s.UserID}
	if text := c.Query("refund"); text != "" {
		if by.Quoted, err = strconv.ParseInt(text, 10, 64); err != nil || by.Quoted < 0 {
			return of, invalid("refund", "wrong_type")
		}
	}
	r, err := a.Bookings.Cancel(c.UserContext(), param(c, "id"), by)
	return cancellation{State: r.State, Refund: r.RefundAmount}, err
}

func (a *API) extend(c *fiber.Ctx, s identity.Session) (reservation, error) {
	return as(spoken(c, newReservation))(a.Bookings.Extend(c.UserContext(), s.UserID, param(c, "id")))
}
