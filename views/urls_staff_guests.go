package views

import (
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// StaffBookURL is where staff book for a guest of a restaurant on a day: by phone, or at the door.
func StaffBookURL(restaurantID int64, day time.Time) string {
	return fmt.Sprintf("/staff/restaurants/%d/book?date=%s", restaurantID, day.Format(time.DateOnly))
}

// StaffReservationURL is everything about a party, and what staff can do for it.
func StaffReservationURL(id string) string { return "/staff/reservations/" + id }

// StaffDetailsURL corrects who comes. GET: staff.Details. POST: fields Name, Phone, Note, Allergies, Kind and Tags,
// each with what it was before WasPrefix; 303 to the reservation, 409 and 422 render it again.
func StaffDetailsURL(id string) string { return StaffReservationURL(id) + "/details" }

// StaffMoveFormURL is StaffReservationURL with answers in the form that moves the party: a date, a time, HH:MM, and seats.
func StaffMoveFormURL(id, date, at string, seats []int64) string {
	query := url.Values{FieldDate: {date}, FieldTime: {at}}
	for _, seat := range seats {
		query.Add(FieldSeat, strconv.FormatInt(seat, 10))
	}
	return StaffReservationURL(id) + "?" + query.Encode() + "#move"
}

// StaffMovedURL is StaffReservationURL after a move, with where the party was before.
func StaffMovedURL(id, was string) string { return withQuery(StaffReservationURL(id), FieldWas, was) }

// StaffBookWalkInURL is StaffBookURL for somebody at the door now.
func StaffBookWalkInURL(restaurantID int64, day time.Time) string {
	return StaffBookURL(restaurantID, day) + "&" + FieldSource + "=" + SourceWalkIn
}

// StaffBookCallerURL is StaffBookURL for a guest whom the restaurant knows.
func StaffBookCallerURL(restaurantID int64, day time.Time, guest string) string {
	return StaffBookURL(restaurantID, day) + "&" + FieldCaller + "=" + guest
}

// StaffTicketURL is the place in a line of what staff book or move. GET: staff.Ticket, or 303 to the reservation.
func StaffTicketURL(restaurantID int64, ticket string) string {
	return fmt.Sprintf("/staff/restaurants/%d/tickets/%s", restaurantID, ticket)
}

// StaffTicketEventsURL streams a place in a line of staff's: event "ticket" carries staff.TicketStatus, event "done"
// ends it.
func StaffTicketEventsURL(restaurantID int64, ticket string) string {
	return StaffTicketURL(restaurantID, ticket) + "/events"
}

// StaffLeaveURL leaves the line. POST: 303 to the form.
func StaffLeaveURL(restaurantID int64, ticket string) string {
	return StaffTicketURL(restaurantID, ticket) + "/leave"
}

// StaffMoveURL moves a party to another time, size or other seats. POST: 303 to the reservation or the ticket; 409 and
// 422 render staff.Reservation again.
func StaffMoveURL(id string) string { return StaffReservationURL(id) + "/move" }
