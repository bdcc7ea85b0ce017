package booking

import (
	"fmt"
	"maps"

	"lunchgo/app/refusal"
)

// MaxStock is the most portions of a dish that staff can offer on a day.
const MaxStock = 9_999

// Stock has the remaining portions of a day by menu item. An item without an entry is unlimited.
type Stock map[int64]int

// Portions has the offered and the remaining portions of a limited item on a day.
type Portions struct {
	MenuItemID int64
	Offered    int
	Remaining  int
}

// Shortage is an item of which fewer portions are left than the order asks for.
type Shortage struct {
	MenuItemID int64 `json:"menuItemId"`
	Remaining  int   `json:"remaining"` // portions left on the date
}

// OutOfStockError lists the items of which fewer portions are left than the order asks for, in ascending order.
type OutOfStockError struct {
	Items []Shortage `json:"items,omitempty"`
}

// ErrOutOfStock is what an *OutOfStockError unwraps to.
var ErrOutOfStock = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "out_of_stock", Turn: true,
	Headline: "out_of_stock", Unchanged: "unchanged_dishes", New: func() error { return new(OutOfStockError) },
	Text: "booking: out of stock"})

func (e *OutOfStockError) Unwrap() error { return ErrOutOfStock }

func (e *OutOfStockError) Error() string {
	return fmt.Sprintf("booking: out of stock: %v", e.Items)
}

// short returns the shortages of an order.
func (s Stock) short(items []Item) []Shortage {
	var short []Shortage
	for _, it := range items {
		if left, limited := s[it.MenuItemID]; limited && it.Quantity > left {
			short = append(short, Shortage{MenuItemID: it.MenuItemID, Remaining: left})
		}
	}
	return short
}

// take deducts the portions of an order.
func (s Stock) take(items []Item) {
	for _, it := range items {
		if _, limited := s[it.MenuItemID]; limited {
			s[it.MenuItemID] -= it.Quantity
		}
	}
}

// clone returns a copy that is never nil.
func (s Stock) clone() Stock {
	if s == nil {
		return Stock{}
	}
	return maps.Clone(s)
}
