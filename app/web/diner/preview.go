package diner

import (
	"lunchgo/app/booking"
	"lunchgo/views"
)

// Preview is what a restaurant's page tells of it, on any day, as diners would see it.
func Preview(f views.Layout, r booking.Restaurant, menu []booking.MenuItem) views.Restaurant {
	return restaurantPage(f, r, menu)
}
