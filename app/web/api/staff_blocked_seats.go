package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
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

// listBlockedSeats answers GET /api/staff/restaurants/{restaurant}/slots/{date}/{time}/blocked-seats.
func (a *API) listBlockedSeats(c *fiber.Ctx) error {
	w, slot, err := a.slotAtWork(c)
	if err != nil {
		return err
	}
	return a.sendBlocked(c, w, slot)
}

// blockSeats answers PUT …/blocked-seats.
func (a *API) blockSeats(c *fiber.Ctx) error {
	w, slot, err := a.slotAtWork(c)
	if err != nil {
		return err
	}
	var in blockRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	_, err = a.Bookings.BlockSeats(c.UserContext(), w.By, slot, reserve.SeatBlock{Block: in.SeatIDs,
		Unblock: reserve.OtherSeats(w.Restaurant.Seats, in.SeatIDs), Reason: in.Reason})
	if err != nil {
		return err
	}
	return a.sendBlocked(c, w, slot)
}

func (a *API) slotAtWork(c *fiber.Ctx) (workplaces.Workplace, booking.SlotKey, error) {
	w, err := a.Places.Published(c)
	if err != nil {
		return w, booking.SlotKey{}, err
	}
	slot, _, err := w.SlotKey(c)
	return w, slot, err
}

func (a *API) sendBlocked(c *fiber.Ctx, w workplaces.Workplace, slot booking.SlotKey) error {
	blocked, err := a.Bookings.BlockedSeats(c.UserContext(), w.By, slot.Date)
	if err != nil {
		return err
	}
	list := []blockedSeat{}
	for _, b := range blocked[slot.Time] {
		seat, _ := w.Restaurant.Seats.Find(b.SeatID)
		list = append(list, blockedSeat{SeatID: b.SeatID, Label: seat.Label, Reason: b.Reason})
	}
	return c.JSON(blockedSeats{list})
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

// stopBookings answers PUT /api/staff/restaurants/{restaurant}/stop.
func (a *API) stopBookings(c *fiber.Ctx) error {
	w, err := a.Places.Published(c)
	if err != nil {
		return err
	}
	var in stopRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	affected, err := a.Bookings.StopBookings(c.UserContext(), w.By, reserve.Stop{RestaurantID: w.Restaurant.ID,
		Stopped: in.Stopped, Reason: in.Reason, Preview: c.QueryBool("preview")})
	if err != nil {
		return err
	}
	return c.JSON(bookingsStopped{affected, in.Stopped})
}

// stockRequest is how many portions of a dish are left; null means any number.
type stockRequest struct {
	Remaining *int `json:"remaining"` // portions that can still be ordered; null: any number
}

// setStock answers PUT /api/staff/restaurants/{restaurant}/stock/{date}/{item}.
func (a *API) setStock(c *fiber.Ctx) error {
	w, err := a.Places.Published(c)
	if err == nil {
		err = w.By.Check(w.Restaurant.ID, team.ChangeStock)
	}
	if err != nil {
		return err
	}
	date, err := booking.ParseDate(param(c, "date"))
	if err != nil {
		return respond.NotFound
	}
	item, err := numberParam(c, "item")
	if err != nil {
		return err
	}
	var in map[string]*int
	if err := decode(c, &in); err != nil {
		return err
	}
	left, given := in["remaining"]
	if !given {
		return invalid("remaining", "required")
	}
	err = a.Bookings.SetStock(c.UserContext(), w.By,
		reserve.StockChange{RestaurantID: w.Restaurant.ID, MenuItemID: item, Date: date,
			Remaining: left})
	if err != nil {
		return err
	}
	portions, err := a.Bookings.Portions(c.UserContext(), w.By, w.Restaurant.ID, date)
	if err != nil {
		return err
	}
	answer := stock{MenuItemID: item, Date: date}
	if at := slices.IndexFunc(portions, func(p booking.Portions) bool { return p.MenuItemID == item }); at >= 0 {
		answer.Remaining, answer.Offered = &portions[at].Remaining, &portions[at].Offered
	}
	return c.JSON(answer)
}

// stock is what is left of a dish on a day; null for any number.
type stock struct {
	MenuItemID int64        `json:"menuItemId"`
	Date       booking.Date `json:"date"`
	Remaining  *int         `json:"remaining"` // null: any number
	// Portions of the day, the ordered ones among them; null: any number.
	Offered *int `json:"offered"`
}
