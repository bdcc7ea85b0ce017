package views

import "time"

// StaffMessagesURL sends a message to guests. POST: fields Message, OfferDate, OfferTime, OfferRefund, IdempotencyKey, and
// Reservation or Date and Time;
// 303 to the message, 409, 422 and 429 render the form again.
func StaffMessagesURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/messages" }

// StaffWriteURL is where staff write to the guest of a reservation. GET: staff.Message.
func StaffWriteURL(restaurant int64, reservation string) string {
	return withQuery(StaffMessagesURL(restaurant), FieldReservation, reservation)
}

// StaffWriteSlotURL is where staff write to all guests of a slot. GET: staff.Message.
func StaffWriteSlotURL(restaurant int64, at time.Time) string {
	return withQuery(StaffMessagesURL(restaurant), FieldDate, DateValue(at), FieldTime, ClockValue(at))
}

// StaffWriteDayURL is where staff write to all guests of a day. GET: staff.Message.
func StaffWriteDayURL(restaurant int64, day time.Time) string {
	return withQuery(StaffMessagesURL(restaurant), FieldDate, DateValue(day))
}

// StaffMessageURL is a message that was sent. GET: staff.MessageSent.
func StaffMessageURL(restaurant int64, message string) string {
	return StaffMessagesURL(restaurant) + "/" + message
}

// MoveOfferURL is another time that a restaurant offers to the diner of a reservation. GET: pages.MoveOffer. POST:
// fields Time and IdempotencyKey, takes one: 303 to the reservation or its place in line; 409 and 422 render it again.
func MoveOfferURL(reservation string) string { return ReservationURL(reservation) + "/another-time" }

// StaffWithdrawOfferURL takes back what staff have offered to the guest. POST: as StaffSeatedURL.
func StaffWithdrawOfferURL(reservation string) string {
	return staffReservationURL(reservation) + "/another-time/withdraw"
}

// DeclineMoveOfferURL keeps a reservation as it is, whatever was offered. POST: 303 to the offer.
func DeclineMoveOfferURL(reservation string) string { return MoveOfferURL(reservation) + "/decline" }

// CancelOfferedURL cancels a reservation with a full refund, where the restaurant has offered that. POST: 303 to the
// reservation.
func CancelOfferedURL(reservation string) string { return MoveOfferURL(reservation) + "/cancel" }
