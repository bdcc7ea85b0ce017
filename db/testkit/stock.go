package testkit

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// Ordering is a request for two seats and so many portions of each item of the menu.
func (h *Harness) Ordering(userID string, slot booking.SlotKey, quantities ...int) booking.Request {
	req := h.Request(userID, slot)
	req.Items = nil
	for i, n := range quantities {
		if n > 0 {
			item := h.Menu[i]
			req.Items = append(req.Items, booking.Item{MenuItemID: item.ID, Name: item.Name, Quantity: n,
				UnitPrice: item.Price})
		}
	}
	return req
}

// Left is what is left of the limited items on a slot's day.
func (h *Harness) Left(t testing.TB, slot booking.SlotKey) booking.Stock {
	t.Helper()
	portions, err := db.NewStockStore(h.Pool).ListPortions(t.Context(), slot.RestaurantID, slot.Date)
	dbtest.Must(t, err)
	left := booking.Stock{}
	for _, p := range portions {
		left[p.MenuItemID] = p.Remaining
	}
	return left
}

// CheckStock holds what is gone of every dish and day against what reservations have of it.
func (h *Harness) CheckStock(t testing.TB) {
	t.Helper()
	if n := h.Count(t, `
		SELECT count(*)
		FROM menu_stock m
		WHERE m.remaining < 0 OR m.offered - m.remaining <> (
			SELECT COALESCE(sum(i.quantity), 0)
			FROM reservation_items i
			JOIN reservations r ON r.id = i.reservation_id
			JOIN slots s ON s.id = r.slot_id
			WHERE i.menu_item_id = m.menu_item_id AND s.service_date = m.service_date AND i.from_stock
				AND r.state NOT IN ('expired', 'cancelled', 'refund_pending', 'refunded'))`); n > 0 {
		t.Errorf("the stock of %d dishes does not fit what is ordered of them", n)
	}
}
