package views

import "time"

// StaffMessagesURL sends a message to guests. POST: fields Message, IdempotencyKey, and Reservation or Date and Time;
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
