package reserve

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// StockStore keeps how many portions of a dish are left on a day. SlotStore and ReservationStore take and return
// portions together with the reservation that orders them.
type StockStore interface {
	// ListPortions returns the limited items of a restaurant on a date.
	ListPortions(ctx context.Context, restaurantID int64, date booking.Date) ([]booking.Portions, error)
	// SetStock sets how many portions are left, whatever was left before. Returns ErrNotFound, and changes nothing,
	// when the restaurant has no such item.
	SetStock(ctx context.Context, change StockChange) error
}

// StockChange is a staff member's setting of the remaining portions of an item.
type StockChange struct {
	RestaurantID int64
	MenuItemID   int64
	Date         booking.Date
	Remaining    *int   // nil: any number, or what a step leaves
	Step         int    // so many more than there are, or less; 0: none
	StaffID      string // who says so; the use case fills it in
}

// Apply returns how many portions are left after the change; nil for any number. Returns ErrWrongState for a step from
// any number, and *InvalidError for more than MaxStock.
func (c StockChange) Apply(was *int) (*int, error) {
	switch {
	case c.Step == 0:
		return c.Remaining, nil
	case was == nil:
		return nil, booking.ErrWrongState
	}
	left := max(0, *was+c.Step)
	if left > booking.MaxStock {
		return nil, tooManyPortions()
	}
	return &left, nil
}

func tooManyPortions() error {
	return &booking.InvalidError{Fields: []booking.FieldError{{Field: "remaining", Reason: "out_of_range",
		Max: booking.MaxStock}}}
}

// Stock returns the remaining portions of a restaurant's limited items on a date.
func (s *Service) Stock(ctx context.Context, restaurantID int64, date booking.Date) (booking.Stock, error) {
	portions, err := s.Stocks.ListPortions(ctx, restaurantID, date)
	if err != nil {
		return nil, err
	}
	stock := make(booking.Stock, len(portions))
	for _, p := range portions {
		stock[p.MenuItemID] = p.Remaining
	}
	return stock, nil
}

// Portions returns the offered and remaining portions of a restaurant's limited items on a date.
func (s *Service) Portions(ctx context.Context, by team.Staff, restaurantID int64,
	date booking.Date) ([]booking.Portions, error) {
	if err := by.Check(restaurantID, team.SeeEvening); err != nil {
		return nil, err
	}
	return s.Stocks.ListPortions(ctx, restaurantID, date)
}

// SetStock changes on behalf of a member of staff how many portions of an item are left on a day, today or later.
// Returns *InvalidError unless the number lies within 0 and MaxStock, ErrWrongState for a step from any number,
// ErrNotFound for an unknown restaurant or an item that is not on its menu, ErrPast for a day that is over.
func (s *Service) SetStock(ctx context.Context, by team.Staff, change StockChange) error {
	if err := by.Check(change.RestaurantID, team.ChangeStock); err != nil {
		return err
	}
	change.StaffID = by.UserID()
	if left := change.Remaining; left != nil && (*left < 0 || *left > booking.MaxStock) {
		return tooManyPortions()
	}
	r, err := s.Catalog.FindRestaurant(ctx, change.RestaurantID)
	if err != nil {
		return err
	}
	if change.Date < booking.DateOf(s.Now(), r.Location) {
		return booking.ErrPast
	}
	return s.Stocks.SetStock(ctx, change)
}
