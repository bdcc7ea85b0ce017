package views

import "time"

// Fields of the forms of a slot's line. FieldRemove in its address names whom to ask about.
const (
	FieldRemove = "remove"
	FieldTicket = "ticket"
	FieldNotice = "notice"
)

// StaffLineURL is who waits in a slot's line, and what staff can do about it. The query is after= and remove=. GET:
// staff.Line.
func StaffLineURL(restaurant int64, at time.Time) string {
	return StaffSlotURL(restaurant, at) + "/line"
}

// StaffLineEventsURL streams a line: event "line" carries staff.LineStatus.
func StaffLineEventsURL(restaurant int64, at time.Time) string {
	return StaffLineURL(restaurant, at) + "/events"
}

// StaffLineRemovalURL asks for the reason to take somebody out of the line.
func StaffLineRemovalURL(restaurant int64, at time.Time, ticket string) string {
	return withQuery(StaffLineURL(restaurant, at), FieldRemove, ticket)
}

// StaffLineActURL is where a form of a line goes: pause, resume, notice, remove or turn. POST: 303 to the line, 422
// renders staff.Line again.
func StaffLineActURL(restaurant int64, at time.Time, act string) string {
	return StaffLineURL(restaurant, at) + "/" + act
}
