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
	// For how many slots a party that orders it has its seats at least: as many as its minutes touch.
	StaySlots int `json:"staySlots" required:"false"`
	// For how long a party that orders it stays at least. Without, for as long as its slots last.
	StayMinutes int `json:"stayMinutes,omitempty"`
	// portions a day, unless staff set another number of a day; null: any number
	DailyQuantity *int `json:"dailyQuantity"`
	// The slots whose parties can order it; without: all.
	Served *Span `json:"served,omitempty"`
	// It is not on the menu of diners. Reservations that have it keep it.
	Retired bool `json:"retired"`
}

// stay is for how many minutes a party that orders it stays at least; 0 where it asks for no more than a slot.
func (m MenuItem) stay(slotMinutes int) int {
	if m.StayMinutes == 0 && m.StaySlots > 1 {
		return m.StaySlots * slotMinutes
	}
	return m.StayMinutes
}

// In returns the dish with the slots and the minutes of its stay in a restaurant whose slots have a length in minutes.
func (m MenuItem) In(slotMinutes int) MenuItem {
	m.StayMinutes = m.stay(slotMinutes)
	m.StaySlots = SlotsOfStay(m.StayMinutes, slotMinutes)
	return m
}

// Brief returns the dish as documents tell it: without minutes where its slots say as much.
func (m MenuItem) Brief(slotMinutes int) MenuItem {
	if m = m.In(slotMinutes); m.StaySlots > 1 && m.StayMinutes == m.StaySlots*slotMinutes {
		m.StayMinutes = 0
	}
	return m
}

// IsServedAt returns whether a party that comes at a time can order the dish.
func (m MenuItem) IsServedAt(at TimeOfDay) bool { return m.Served == nil || m.Served.Has(at) }

// ServedAt returns the dishes of a menu that a party that comes at a time can order.
func ServedAt(menu []MenuItem, at TimeOfDay) []MenuItem {
	return slices.DeleteFunc(slices.Clone(menu), func(m MenuItem) bool { return !m.IsServedAt(at) })
}
