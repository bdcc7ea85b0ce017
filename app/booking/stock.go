package booking

import (
	"context"
	"fmt"
	"maps"
)

// MaxStock is the most portions of a dish that staff may put up for a day.
const MaxStock = 9_999

// Stock is how many portions are left on a day, by menu item. Of an item that is not in it any number can be had.
type Stock map[int64]int

// Portions is how many of a limited item a day had, and how many of those are left.
type Portions struct {
	MenuItemID int64
	Offered    int
	Remaining  int
}

// StockStore keeps how many portions of a dish are left on a day. Portions are taken and given back together with the
// reservation that they belong to: by SlotStore and ReservationStore.
type StockStore interface {
	// ListPortions returns the limited items of a restaurant on a date.
	ListPortions(ctx context.Context, restaurantID int64, date Date) ([]Portions, error)
	// SetStock puts up as many further portions as change says, whatever was left before. Returns ErrNotFound, and changes
	// nothing, when the restaurant has no such item.
	SetStock(ctx context.Context, change StockChange) error
}

// StockChange is what a member of staff says is left of an item.
type StockChange struct {
	RestaurantID int64
	MenuItemID   int64
	Date         Date
	Remaining    int
	StaffID      string
}

// Shortage is an item of which less is left than was ordered.
type Shortage struct {
	MenuItemID int64 `json:"menuItemId"`
	Remaining  int   `json:"remaining"`
}

// OutOfStockError says of which items of an order less is left than it asks for, in ascending order of the items.
type OutOfStockError struct {
	Items []Shortage
}

func (e *OutOfStockError) Error() string {
	return fmt.Sprintf("booking: out of stock: %v", e.Items)
}

// short returns the items of which an order asks for more than is left.
func (s Stock) short(items []Item) []Shortage {
	var short []Shortage
	for _, it := range items {
		if left, limited := s[it.MenuItemID]; limited && it.Quantity > left {
			short = append(short, Shortage{MenuItemID: it.MenuItemID, Remaining: left})
		}
	}
	return short
}

// take takes an order's portions.
func (s Stock) take(items []Item) {
	for _, it := range items {
		if _, limited := s[it.MenuItemID]; limited {
			s[it.MenuItemID] -= it.Quantity
		}
	}
}

// clone is never nil.
func (s Stock) clone() Stock {
	if s == nil {
		return Stock{}
	}
	return maps.Clone(s)
}

// Stock returns what is left of a restaurant's limited items on a date.
func (s *Service) Stock(ctx context.Context, restaurantID int64, date Date) (Stock, error) {
	portions, err := s.Stocks.ListPortions(ctx, restaurantID, date)
	if err != nil {
		return nil, err
	}
	stock := make(Stock, len(portions))
	for _, p := range portions {
		stock[p.MenuItemID] = p.Remaining
	}
	return stock, nil
}

// Portions returns the limited items of a restaurant on a date as its staff see them.
func (s *Service) Portions(ctx context.Context, restaurantID int64, date Date) ([]Portions, error) {
	return s.Stocks.ListPortions(ctx, restaurantID, date)
}

// SetStock changes on behalf of a member of staff how many portions of an item are left on a day, today or later. Returns
// *InvalidError unless the number lies within 0 and MaxStock, ErrNotFound for an unknown restaurant or an item that is not
// on its menu, ErrPast for a day that is over.
func (s *Service) SetStock(ctx context.Context, change StockChange) error {
	if change.Remaining < 0 || change.Remaining > MaxStock {
		return &InvalidError{Fields: []FieldError{{Field: "remaining", Reason: "out_of_range", Max: MaxStock}}}
	}
	r, err := s.Catalog.FindRestaurant(ctx, change.RestaurantID)
	if err != nil {
		return err
	}
	if change.Date < DateOf(s.Now(), r.Location) {
		return ErrPast
	}
	return s.Stocks.SetStock(ctx, change)
}
