package booking

import "slices"

// MenuItem is a dish or drink that may be chosen with the reservation, as staff set it up.
type MenuItem struct {
	ID int64 `json:"id,omitempty"` // not in the request for a new item
	// set, starter, main, side, dessert, drink, or the restaurant's own word.
	Category    string `json:"category"`
	Name        Text   `json:"name"`
	Description Text   `json:"description"`
	Price       int64  `json:"price"` // won
	// The name of a drawn picture, or what the upload of one answered; empty for none.
	Picture string `json:"picture"`
	// For how many slots a party that orders it stays at least.
	StaySlots int `json:"staySlots"`
	// portions a day, unless staff set another number of a day; null: any number
	DailyQuantity *int `json:"dailyQuantity"`
	// The slots whose parties can order it; without: all.
	Served *Span `json:"served,omitempty"`
	// It is not on the menu of diners. Reservations that have it keep it.
	Retired bool `json:"retired"`
}

// IsServedAt returns whether a party that comes at a time can order the dish.
func (m MenuItem) IsServedAt(at TimeOfDay) bool { return m.Served == nil || m.Served.Has(at) }

// ServedAt returns the dishes of a menu that a party that comes at a time can order.
func ServedAt(menu []MenuItem, at TimeOfDay) []MenuItem {
	return slices.DeleteFunc(slices.Clone(menu), func(m MenuItem) bool { return !m.IsServedAt(at) })
}
