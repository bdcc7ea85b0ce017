package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
)

// blockRequest is the seats of a slot that are given to nobody; all others are.
type blockRequest struct {
	// All that are blocked from now on; the others are given away again.
	SeatIDs []int64 `json:"seatIds"`
	Reason  string  `json:"reason,omitempty"` // for staff
}

// blockedSeat is a seat that is given to nobody in a slot.
type blockedSeat struct {
	SeatID int64  `json:"seatId"`
	Label  string `json:"label"`
	Reason string `json:"reason"`
}

type blockedSeats struct {
	BlockedSeats []blockedSeat `json:"blockedSeats"`
}

func (a *API) listBlockedSeats(c *fiber.Ctx, at workslot) (blockedSeats, error) {
	blocked, err := a.Bookings.BlockedSeats(c.UserContext(), at.By, at.slot.Date)
	return blockedSeats{list(blocked[at.slot.Time], func(b reserve.BlockedSeat) blockedSeat {
		seat, _ := at.Restaurant.Seats.Find(b.SeatID)
		return blockedSeat{SeatID: b.SeatID, Label: seat.Label, Reason: b.Reason}
	})}, err
}

func (a *API) blockSeats(c *fiber.Ctx, at workslot, in blockRequest) (blockedSeats, error) {
	_, err := a.Bookings.BlockSeats(c.UserContext(), at.By, at.slot, reserve.SeatBlock{Block: in.SeatIDs,
		Unblock: reserve.OtherSeats(at.Restaurant.Seats, in.SeatIDs), Reason: in.Reason})
	if err != nil {
		return blockedSeats{}, err
	}
	return a.listBlockedSeats(c, at)
}

// stopRequest stops a restaurant, or lets it go on.
type stopRequest struct {
	Stopped bool   `json:"stopped"`
	Reason  string `json:"reason,omitempty"` // diners see it
}

type bookingsStopped struct {
	Affected reserve.Affected `json:"affected"`
	Stopped  bool             `json:"stopped"`
}

func (a *API) stopBookings(c *fiber.Ctx, w workplaces.Workplace, in stopRequest) (bookingsStopped, error) {
	affected, err := a.Bookings.StopBookings(c.UserContext(), w.By, reserve.Stop{RestaurantID: w.Restaurant.ID,
		Stopped: in.Stopped, Reason: in.Reason, Preview: c.QueryBool("preview")})
	return bookingsStopped{affected, in.Stopped}, err
}

// stockRequest is how many portions of a dish are left; null means any number.
type stockRequest struct {
	Remaining *int `json:"remaining"` // portions that can still be ordered; null: any number
}

func (a *API) setStock(c *fiber.Ctx, day workday, in stockRequest) (of stock, err error) {
	item, err := respond.NumberParam(c, "item")
	if err != nil {
		return of, err
	}
	err = a.Bookings.SetStock(c.UserContext(), day.By, reserve.StockChange{RestaurantID: day.Restaurant.ID,
		MenuItemID: item, Date: day.date, Remaining: in.Remaining})
	if err != nil {
		return of, err
	}
	portions, err := a.Bookings.Portions(c.UserContext(), day.By, day.Restaurant.ID, day.date)
	of = stock{MenuItemID: item, Date: day.date}
	if at := slices.IndexFunc(portions, func(p booking.Portions) bool { return p.MenuItemID == item }); at >= 0 {
		of.Remaining, of.Offered = &portions[at].Remaining, &portions[at].Offered
	}
	return of, err
}

// stock is what is left of a dish on a day; null for any number.
type stock struct {
	MenuItemID int64        `json:"menuItemId"`
	Date       booking.Date `json:"date"`
	Remaining  *int         `json:"remaining"` // null: any number
	// Portions of the day, the ordered ones among them; null: any number.
	Offered *int `json:"offered"`
}
