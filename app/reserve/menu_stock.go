package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/cache"
)

// How long what is left of a day's dishes is kept, and of how many days.
const (
	stocksLife = time.Second
	stocksMost = 1_000
)

// Stocks tells what is left of dishes, a moment ago. A crowd that looks at the same menu costs one query a second.
type Stocks struct {
	bookings *Service
	known    cache.Cache[menuDay, booking.Stock]
}

type menuDay struct {
	restaurantID int64
	date         booking.Date
}

// NewStocks returns what is left of the dishes of bookings.
func NewStocks(bookings *Service) *Stocks {
	return &Stocks{bookings: bookings, known: cache.Cache[menuDay, booking.Stock]{Life: stocksLife, Most: stocksMost}}
}

// Recent returns what was known last, without asking anybody; false if nothing is. The caller must not change it.
func (s *Stocks) Recent(restaurantID int64, date booking.Date) (booking.Stock, bool) {
	return s.known.Peek(menuDay{restaurantID, date})
}

// List returns what is left of a restaurant's limited items on a date. The caller must not change it.
func (s *Stocks) List(ctx context.Context, restaurantID int64, date booking.Date) (booking.Stock, error) {
	return s.known.Load(ctx, menuDay{restaurantID, date}, func(ctx context.Context) (booking.Stock, error) {
		return s.bookings.Stock(ctx, restaurantID, date)
	})
}
