package api

import (
	"time"

	"lunchgo/app/booking"
)

// reservation is a diner's reservation as the API tells it.
type reservation struct {
	ID             string              `json:"id"`
	State          booking.State       `json:"state"`
	RestaurantID   int64               `json:"restaurantId"`
	Date           booking.Date        `json:"date"`
	Time           booking.TimeOfDay   `json:"time"`
	SlotCount      int                 `json:"slotCount"` // for how many slots the party stays
	EndTime        booking.TimeOfDay   `json:"endTime"`
	PartySize      int                 `json:"partySize"`
	Items          []item              `json:"items"`
	SeatIDs        []int64             `json:"seatIds"` // empty where the restaurant names none
	DepositAmount  int64               `json:"depositAmount"`
	MenuAmount     int64               `json:"menuAmount"`
	CouponID       *int64              `json:"couponId"` // null without one
	DiscountUse    booking.DiscountUse `json:"discountUse,omitempty"`
	DiscountAmount int64               `json:"discountAmount"`
	PaidAmount     int64               `json:"paidAmount"`
	RefundAmount   int64               `json:"refundAmount"`
	HoldExpiresAt  *time.Time          `json:"holdExpiresAt"` // null unless it is temporary
	Extended       bool                `json:"extended"`
	Terms          terms               `json:"terms"`
	Note           string              `json:"note"`
	Allergies      string              `json:"allergies"`
	CreatedAt      time.Time           `json:"createdAt"`
}

// terms are what was agreed when the reservation was made.
type terms struct {
	Deposit          booking.DepositTier  `json:"deposit"`
	HoldMinutes      int                  `json:"holdMinutes"`
	ExtensionMinutes int                  `json:"extensionMinutes"`
	Refunds          []booking.RefundTier `json:"refunds"`
	ChangeHours      int                  `json:"changeHours"`
}

func newTerms(p booking.Policy) terms {
	t := terms{Deposit: p.Deposit, HoldMinutes: p.HoldMinutes, ExtensionMinutes: p.ExtensionMinutes,
		ChangeHours: p.ChangeHours,
		Refunds:     append([]booking.RefundTier{}, p.Tiers...)} // never null
	if t.Deposit.Kind == "" { // agreed before deposits depended on the party
		t.Deposit.Kind = booking.NoDeposit
	}
	return t
}

// item is an order line, with the price as it was when the reservation was made.
type item struct {
	MenuItemID int64  `json:"menuItemId"`
	Name       string `json:"name"`
	Quantity   int    `json:"quantity"`
	UnitPrice  int64  `json:"unitPrice"`
}

func newReservation(lang string, r booking.Reservation) reservation {
	out := reservation{
		ID: r.ID, State: r.State, RestaurantID: r.RestaurantID, Date: r.Slot.Date, Time: r.Slot.Time,
		SlotCount: len(r.Slots()), EndTime: r.EndTime(),
		PartySize: r.PartySize, Items: make([]item, 0, len(r.Items)), SeatIDs: r.SeatIDs(),
		DepositAmount: r.DepositAmount, MenuAmount: r.MenuAmount, PaidAmount: r.PaidAmount,
		RefundAmount: r.RefundAmount,
		Note:         r.Note, Allergies: r.Allergies, CreatedAt: r.CreatedAt, Extended: r.Extended,
		Terms: newTerms(r.Policy),
	}
	if r.Discount.CouponID != 0 {
		out.CouponID, out.DiscountUse, out.DiscountAmount = &r.Discount.CouponID, r.Discount.Use, r.Discount.Amount
	}
	if r.State == booking.Temporary {
		out.HoldExpiresAt = &r.HoldExpiresAt
	}
	for _, it := range r.Items {
		out.Items = append(out.Items, item{it.MenuItemID, it.Name.In(lang), it.Quantity, it.UnitPrice})
	}
	return out
}
