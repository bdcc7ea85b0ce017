package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
)

// menuItem is a dish or drink as the API tells it. Stock is how many are left on the date; null means any number.
type menuItem struct {
	ID          int64  `json:"id"`
	Category    string `json:"category"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Price       int64  `json:"price"` // price of one, in won
	// For how many slots whoever orders it stays at least. All of them have to be times of that day, else the
	// request is refused (stay_too_long).
	SlotCount int `json:"slotCount"`
	// For how many minutes it asks at least. Missing where it asks for no more than any party has.
	StayMinutes int  `json:"stayMinutes,omitempty"`
	Stock       *int `json:"stock"` // how many are left on the date; null: any number
	// The slots whose parties can order it; null: all. Others are refused (not_served).
	Served *booking.Span `json:"served"`
}

type menuAnswer struct {
	Items []menuItem `json:"items"`
}

// listMenu says what is left on the date; without one, today.
func (a *API) listMenu(c *fiber.Ctx, r booking.Restaurant) (of menuAnswer, err error) {
	query, err := readQuery(c)
	if err != nil {
		return of, err
	}
	if query.Date == "" {
		query.Date = booking.DateOf(a.Bookings.Now(), r.Location)
	}
	items, err := a.Bookings.Catalog.ListMenu(c.UserContext(), r.ID)
	if err != nil {
		return of, err
	}
	stock, err := a.stocks.List(c.UserContext(), r.ID, query.Date)
	return menuAnswer{newMenu(speak(c), r, items, stock)}, err
}

func newMenu(lang string, r booking.Restaurant, items []booking.MenuItem, stock booking.Stock) []menuItem {
	return list(items, func(it booking.MenuItem) menuItem {
		it = it.In(r.SlotMinutes)
		item := menuItem{ID: it.ID, Category: it.Category, Name: it.Name.In(lang),
			Description: it.Description.In(lang), Price: it.Price, SlotCount: it.StaySlots,
			StayMinutes: it.StayMinutes, Served: it.Served}
		if left, limited := stock[it.ID]; limited {
			item.Stock = &left
		}
		return item
	})
}
