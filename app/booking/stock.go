package booking

import (
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
