package views

import (
	"fmt"
	"time"
)

// StaffBookURL is where staff book for a guest of a restaurant on a day: by phone, or at the door.
func StaffBookURL(restaurantID int64, day time.Time) string {
	return fmt.Sprintf("/staff/restaurants/%d/book?date=%s", restaurantID, day.Format(time.DateOnly))
}

// StaffReservationURL is everything about a party, and what staff can do for it.
func StaffReservationURL(id string) string { return "/staff/reservations/" + id }
