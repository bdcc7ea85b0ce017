package views

import "time"

// StaffLineURL is who waits in a slot's line, and what staff can do about it. GET: staff.Line.
func StaffLineURL(restaurant int64, at time.Time) string {
	return StaffSlotURL(restaurant, at) + "/line"
}
