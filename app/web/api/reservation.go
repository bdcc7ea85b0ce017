package api

import (
	"time"

	"lunchgo/app/booking"
)

// reservation is a diner's reservation as the API tells it.
type reservation struct {
	ID           string            `json:"id"`
	State        booking.State     `json:"state"`
	RestaurantID int64             `json:"restaurantId"`
	Date         booking.Date      `json:"date"`
	Time         booking.TimeOfDay `json:"time"`
	// For how many slots, from this one on, the party stays; it has its seats in all of them.
	SlotCount   int               `json:"slotCount"`
	StayMinutes int               `json:"stayMinutes"` // how long the stay lasts
	EndTime     booking.TimeOfDay `json:"endTime"`     // the local time at which it ends
	PartySize   int               `json:"partySize"`
	Items       []item            `json:"items"`
	// The named seats, ascending; empty where the restaurant names none.
	SeatIDs       []int64 `json:"seatIds"`
	DepositAmount int64   `json:"depositAmount"` // what confirms it, in won
	MenuAmount    int64   `json:"menuAmount"`    // price of the chosen menu, in won
	CouponID      *int64  `json:"couponId"`      // of the campaign whose coupon is used
	// What the coupon lowers; missing without one.
	DiscountUse booking.DiscountUse `json:"discountUse,omitempty"`
	// What the coupon takes off, in won: paying the deposit costs so much less for deposit; prepaying costs so much
	// less for either, but for menu never less than the deposit.
	DiscountAmount int64 `json:"discountAmount"`
	PaidAmount     int64 `json:"paidAmount"` // paid so far, in won
	// Goes back, or went back, in won; of an expired one, a payment that came too late
	RefundAmount int64 `json:"refundAmount"`
	// Of paidAmount, what the restaurant gave back besides, in won.
	GivenBackAmount int64 `json:"givenBackAmount"`
	// Until when it has to be paid; null unless it is temporary. A hold that came while nobody waited for the
	// answer, or polled the ticket, ends sooner, 3 minutes after it was made by default, until its diner has asked
	// for the ticket, the reservation or the list: from then on it lasts in full, and this is that time.
	HoldExpiresAt *time.Time `json:"holdExpiresAt"`
	Extended      bool       `json:"extended"` // whether the time to pay was prolonged
	Terms         terms      `json:"terms"`
	Note          string     `json:"note"`
	Allergies     string     `json:"allergies"`
	// What those who come along say to the restaurant, by the link that the page of the reservation shows.
	Companions []booking.Companion `json:"companions"`
	CreatedAt  time.Time           `json:"createdAt"` // when it was made
	// When it was confirmed. Missing before that, and of the oldest ones.
	ConfirmedAt *time.Time `json:"confirmedAt,omitempty"`
}

// terms are what was agreed when the reservation was made.
type terms struct {
	Deposit booking.DepositTier `json:"deposit"`
	// How long it waits for its payment.
	HoldMinutes int `json:"holdMinutes"`
	// By how long that can be prolonged, once; 0 for never.
	ExtensionMinutes int `json:"extensionMinutes"`
	// Most generous first; nothing comes back after the last.
	Refunds []booking.RefundTier `json:"refunds"`
	// How many hours before its start the reservation can be changed at the latest; 0: until it starts.
	ChangeHours int `json:"changeHours"`
	// For how many minutes after confirmedAt it can be cancelled for free, but not once it has started; 0: it cannot.
	FreeCancelMinutes int `json:"freeCancelMinutes"`
}

func newTerms(p booking.Policy) terms {
	t := terms{Deposit: p.Deposit, HoldMinutes: p.HoldMinutes, ExtensionMinutes: p.ExtensionMinutes,
		ChangeHours: p.ChangeHours, FreeCancelMinutes: p.FreeCancelMinutes,
		Refunds: orEmpty(p.Tiers)}
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
	UnitPrice  int64  `json:"unitPrice"` // price of one when the reservation was made, in won
}

func newItems(lang string, items []booking.Item) []item {
	return list(items, func(it booking.Item) item {
		return item{it.MenuItemID, it.Name.In(lang), it.Quantity, it.UnitPrice}
	})
}

func newReservation(lang string, r booking.Reservation) reservation {
	out := reservation{
		ID: r.ID, State: r.State, RestaurantID: r.RestaurantID, Date: r.Slot.Date, Time: r.Slot.Time,
		SlotCount: len(r.Slots()), StayMinutes: r.StayMinutes(), EndTime: r.EndTime(), PartySize: r.PartySize,
		Items:   newItems(lang, r.Items),
		SeatIDs: r.SeatIDs(), DepositAmount: r.DepositAmount, MenuAmount: r.MenuAmount, PaidAmount: r.PaidAmount,
		RefundAmount: r.RefundAmount, GivenBackAmount: r.GivenBack, Note: r.Note, Allergies: r.Allergies,
		Companions: orEmpty(r.Companions),
		CreatedAt:  r.CreatedAt, ConfirmedAt: timeOrNull(r.ConfirmedAt), Extended: r.Extended, Terms: newTerms(r.Policy),
	}
	if r.Discount.CouponID != 0 {
		out.CouponID, out.DiscountUse, out.DiscountAmount = &r.Discount.CouponID, r.Discount.Use, r.Discount.Amount
	}
	if r.State == booking.Temporary {
		out.HoldExpiresAt = &r.HoldExpiresAt
	}
	return out
}
