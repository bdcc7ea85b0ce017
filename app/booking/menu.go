package booking

import "slices"

// MenuItem is a dish or drink that may be chosen with the reservation.
type MenuItem struct {
	ID          int64
	Category    string // key, e.g. "main"
	Name        Text
	Description Text
	Price       int64 // won
	Picture     string
	StaySlots   int // slots for which a party that orders it stays; 0: no effect
	// DailyQuantity is the number of portions a day unless staff set another; 0: unlimited.
	DailyQuantity int
	Served        *Span // the slots whose parties can order it; nil: all
}

// IsServedAt returns whether a party that comes at a time can order the dish.
func (m MenuItem) IsServedAt(at TimeOfDay) bool { return m.Served == nil || m.Served.Has(at) }

// ServedAt returns the dishes of a menu that a party that comes at a time can order.
func ServedAt(menu []MenuItem, at TimeOfDay) []MenuItem {
	return slices.DeleteFunc(slices.Clone(menu), func(m MenuItem) bool { return !m.IsServedAt(at) })
}
