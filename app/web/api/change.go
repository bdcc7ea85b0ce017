package api

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/payments"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
)

// changeRequest is what a diner wants instead. Members that are missing or null stay as they are.
type changeRequest struct {
	Date      *string      `json:"date" required:"false"`
	Time      *string      `json:"time" required:"false"`
	PartySize *int         `json:"partySize" required:"false"`
	Items     *[]orderLine `json:"items" required:"false"`
	// Missing or empty: those that it has if they are free and still do, or else those that fit best.
	SeatIDs   []int64 `json:"seatIds,omitempty" nullable:"true"`
	Note      *string `json:"note" required:"false"`      // for the restaurant
	Allergies *string `json:"allergies" required:"false"` // for the kitchen
	// The amount that the diner was quoted, in won, negative for what comes back: if it is more by now, nothing is
	// changed. A quote ignores it. Missing: 0.
	ExpectedAmount *int64 `json:"expectedAmount" required:"false"`
	// Where the money of a change that costs more comes from: the wallet, which is the default, or with card what the
	// wallet has and for the rest a payment provider. A quote ignores it.
	Method paymentMethod `json:"method" required:"false"`
	// The earlier name of expectedAmount, which counts where both are sent.
	Quoted int64 `json:"told" required:"false" deprecated:"true"`
}

func (in changeRequest) draft() booking.ChangeDraft {
	d := booking.ChangeDraft{Date: in.Date, Time: in.Time, PartySize: in.PartySize, SeatIDs: slices.Clone(in.SeatIDs),
		Note: in.Note, Allergies: in.Allergies, Quoted: in.Quoted}
	if in.ExpectedAmount != nil {
		d.Quoted = *in.ExpectedAmount
	}
	if in.Items != nil {
		items := make([]booking.DraftItem, 0, len(*in.Items))
		for _, line := range *in.Items {
			items = append(items, booking.DraftItem(line))
		}
		d.Items = &items
	}
	return d
}

// changeQuote is what a change would make of a reservation now.
type changeQuote struct {
	// To pay now, in won; negative for what comes back. The change repeats it as expectedAmount.
	Amount         int64 `json:"amount"`
	Kept           int64 `json:"kept"` // of the difference, what the restaurant keeps
	DepositAmount  int64 `json:"depositAmount"`
	MenuAmount     int64 `json:"menuAmount"`
	DiscountAmount int64 `json:"discountAmount"`
	PaidAmount     int64 `json:"paidAmount"` // afterwards
	// There is nothing left that the coupon could lower, so it comes back.
	CouponReturned bool  `json:"couponReturned"`
	Terms          terms `json:"terms"`
}

func (a *API) quoteChange(c *fiber.Ctx, s identity.Session, in changeRequest) (changeQuote, error) {
	q, err := a.Bookings.QuoteChange(c.UserContext(), s.UserID, param(c, "id"), in.draft())
	next := q.Next
	return changeQuote{Amount: next.Amount(), Kept: next.Retained, DepositAmount: next.DepositAmount,
		MenuAmount: next.MenuAmount, DiscountAmount: next.Discount.Amount, PaidAmount: next.PaidAmount,
		CouponReturned: next.ReturnsCoupon, Terms: newTerms(next.Policy)}, err
}

func (a *API) changeReservation(c *fiber.Ctx, sent keyed[identity.Session], in changeRequest) error {
	by := reserve.Submitter{UserID: sent.by.UserID, IdempotencyKey: sent.key}
	switch in.Method {
	case byWallet, "":
		return a.change(c, by, in.draft())
	case byCard:
		return a.changeByCard(c, by, in.draft())
	}
	return invalid("method", "unknown")
}

// changeByCard begins a payment, unless the wallet pays it all, or the key has made the change already.
func (a *API) changeByCard(c *fiber.Ctx, by reserve.Submitter, draft booking.ChangeDraft) error {
	begun, err := a.Checkout.BeginChange(c.UserContext(), language(c), by, param(c, "id"), draft)
	switch {
	case errors.Is(err, payments.ErrWalletPays), errors.Is(err, booking.ErrNothingToChange):
		return a.change(c, by, draft)
	case err != nil:
		return err
	}
	return sendBegun(c, begun)
}

func (a *API) change(c *fiber.Ctx, by reserve.Submitter, draft booking.ChangeDraft) error {
	watch, _, err := a.Bookings.Change(c.UserContext(), by, param(c, "id"), draft)
	if err != nil {
		return err
	}
	return a.sendChanged(c, by, watch)
}

// sendChanged answers with the reservation that a turn has changed.
func (a *API) sendChanged(c *fiber.Ctx, by reserve.Submitter, watch *waiting.Watch) error {
	defer watch.Close()
	return a.answer(c, watch, func(ctx context.Context, result waiting.Result) error {
		r, err := a.Bookings.Find(ctx, by.UserID, result.ReservationID)
		if err != nil {
			return err
		}
		return c.JSON(newReservation(speak(c), r))
	})
}

// pastChange is one change in a reservation's history.
type pastChange struct {
	Number   int       `json:"number"`
	At       time.Time `json:"at"`
	From     agreed    `json:"from"`
	To       agreed    `json:"to"`
	Charged  int64     `json:"charged"`  // paid for it, in won
	Refunded int64     `json:"refunded"` // came back
	Kept     int64     `json:"kept"`     // kept by the restaurant
}

type agreed struct {
	Date      booking.Date      `json:"date"`
	Time      booking.TimeOfDay `json:"time"`
	PartySize int               `json:"partySize"`
	Items     []item            `json:"items"`
}

func newAgreed(lang string, a booking.Agreed) agreed {
	return agreed{Date: a.Slot.Date, Time: a.Slot.Time, PartySize: a.PartySize, Items: newItems(lang, a.Items)}
}

func newPastChange(lang string, p booking.PastChange) pastChange {
	return pastChange{Number: p.Number, At: p.At, From: newAgreed(lang, p.From), To: newAgreed(lang, p.To),
		Charged: p.Charged, Refunded: p.Refunded, Kept: p.Retained}
}

// listChanges lists the first change first.
func (a *API) listChanges(c *fiber.Ctx, own booking.Reservation, page keyset.Request) (keyset.Page[pastChange], error) {
	return as(paged(spoken(c, newPastChange)))(a.Bookings.Changes(c.UserContext(), own, page))
}
