package api

import (
	"lunchgo/app/web/access"
)

func (a *API) reservationsRoutes() group {
	return group{name: "reservations", about: "A diner's reservations: made, paid, changed, cancelled.",
		operations: []operation{
			{route: "GET /reservations", id: "listReservations",
				summary: "List one's own reservations",
				right:   access.SignedIn, paged: true,
				gives: answer{200, page{"reservations", reservation{}}, "The latest slot first."},
				run:   a.listReservations,
			},
			{route: "POST /reservations", id: "reserve",
				summary: "Press: stand in the slot's line and make a temporary reservation",
				text: "Whoever comes first is served first. The place belongs to the person: only leaving loses it. Who " +
					"is not there when the turn comes is served all the same. One person has one place in a line.",
				right: access.SignedIn, limit: ofPresses, unshed: true, key: needsKey, waits: true,
				takes:   reserveRequest{},
				gives:   answer{201, reservation{}, "The reservation. A repeat with the same key gets the same one."},
				located: true,
				refuses: []string{"not_found", "duplicate", "overlapping", "too_many_holds", "sold_out", "out_of_stock",
					"seat_taken",
					"closed", "too_many_lines", "held_recently"},
				run: a.reserve,
			},
			{route: "GET /reservations/{id}", id: "findReservation",
				summary: "Find one's own reservation",
				right:   access.Own,
				gives:   answer{200, reservation{}, "The reservation."},
				run:     a.findReservation,
			},
			{route: "PATCH /reservations/{id}", id: "changeReservation",
				summary: "Have another time, party or menu instead",
				text: "What is missing or null stays as it is. It goes through the line of the slots asked for, and " +
					"until its turn comes the reservation stays as it is. Then the new is held before the old is freed, " +
					"in one transaction: seats, dishes and coupon, and the difference is paid from or comes back to the " +
					"wallet. The reservation keeps its id and its state; what waits for payment keeps its deadline. The " +
					"new costs what the restaurant asks now. Of what it costs less comes back what a cancellation would " +
					"give back at that moment; the restaurant keeps the rest. A change that costs more than the wallet has is " +
					"paid by card: the diner's browser finishes the payment at checkoutUrl, and once the provider has the " +
					"money ready the change goes through the line. If it does not fit then, or costs another amount, nothing " +
					"is charged and the reservation stays as it is: the payment's code says why.",
				right: access.Own, limit: ofChanges, key: needsKey, waits: true, takes: changeRequest{},
				gives:   answer{200, reservation{}, "The reservation as it is now. A repeat with the same key finds it."},
				or:      &answer{201, begunPayment{}, "The payment by card. A repeat with the same key finds it."},
				outward: true, located: true,
				refuses: []string{"balance_too_low", "amount_changed", "no_card_payments", "payment_refused",
					"payments_away", "wrong_state", "hold_expired", "past", "too_late_to_change", "nothing_to_change", "changed_meanwhile", "duplicate", "overlapping",
					"too_many_holds", "sold_out", "out_of_stock", "seat_taken", "closed", "too_many_lines", "held_recently"},
				run: a.changeReservation,
			},
			{route: "DELETE /reservations/{id}", id: "cancelReservation",
				summary: "Cancel by the policy frozen in the reservation",
				right:   access.Own, limit: ofChanges,
				query: []parameter{
					{name: "refund", is: number, says: "The refund that the diner was quoted, in won: if it is " +
						"less by now, nothing is cancelled.", bound: atLeast(0)},
				},
				gives:   answer{200, cancellation{}, "What it led to."},
				refuses: []string{"wrong_state", "past", "refund_changed"},
				run:     a.cancelReservation,
			},
			{route: "POST /reservations/{id}/quote", id: "quoteChange",
				summary: "Ask what a change would cost now",
				text:    "It holds nothing and changes nothing, and does not look for seats.",
				right:   access.Own, limit: ofChanges, takes: changeRequest{},
				gives:   answer{200, changeQuote{}, "What it would lead to."},
				refuses: []string{"wrong_state", "hold_expired", "past", "too_late_to_change", "nothing_to_change"},
				run:     a.quoteChange,
			},
			{route: "GET /reservations/{id}/changes", id: "listChanges",
				summary: "List how one's own reservation was changed",
				right:   access.Own, paged: true,
				gives: answer{200, page{"changes", pastChange{}}, "The changes, the first one first."},
				run:   a.listChanges,
			},
			{route: "POST /reservations/{id}/payment", id: "pay",
				summary: "Pay and confirm",
				text: "A payment that comes up to 10 minutes after the hold has expired takes the seats and dishes again " +
					"if all of them are there. If not, the money comes back in the same transaction, and the answer is " +
					"payment_returned; what a card would have paid is let go. A payment by card begins here, and the diner's " +
					"browser finishes it at checkoutUrl; the seats are held meanwhile, some minutes longer than before. The " +
					"reservation is confirmed when the provider has the money ready. After a payment that was refused or " +
					"cancelled another one may begin, under a new key.",
				right: access.Own, limit: ofChanges, outward: true, key: needsKey, takes: paymentRequest{},
				gives: answer{200, reservation{}, "The reservation, paid from the wallet; so is one whose wallet has " +
					"enough after all. A repeat with the same key pays nothing more."},
				or:      &answer{201, begunPayment{}, "The payment by card. A repeat with the same key finds it."},
				located: true,
				refuses: []string{"balance_too_low", "hold_expired", "payment_returned", "already_paid",
					"nothing_to_prepay", "wrong_state", "amount_changed", "no_card_payments", "payment_refused", "payments_away"},
				run: a.pay,
			},
			{route: "GET /payments/{id}", id: "findPayment",
				summary: "Find one's own payment by card",
				right:   access.Own,
				gives: answer{200, payment{}, "The payment. Confirmed, or changed, is its reservation from capturing on; " +
					"refused after that, it cancels the reservation, or takes the change back."},
				run: a.findPayment,
			},
			{route: "POST /reservations/{id}/extension", id: "extendHold",
				summary: "Prolong the time to pay, once",
				text: "For those who need longer. By how long is in the reservation's terms. An account whose e-mail " +
					"address is not confirmed gets 403 unconfirmed.",
				right: access.Own, limit: ofChanges,
				gives: answer{200, reservation{}, "The reservation with its new holdExpiresAt."},
				refuses: []string{"already_extended", "no_extension", "hold_expired", "already_paid", "wrong_state",
					"unconfirmed"},
				run: a.extend,
			},
			{route: "GET /reservations/{id}/cancellation", id: "quoteCancellation",
				summary: "What cancelling now would lead to",
				right:   access.Own,
				gives:   answer{200, cancellation{}, "What it would lead to."},
				refuses: []string{"wrong_state", "past"},
				run:     a.quoteCancellation,
			},
		}}
}
