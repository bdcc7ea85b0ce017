package api

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/payments"
)

// paymentMethod is where the money of a payment comes from.
type paymentMethod string

const (
	byWallet paymentMethod = "wallet"
	byCard   paymentMethod = "card"
)

type paymentRequest struct {
	// The deposit, or the whole menu in advance (never less than the deposit).
	Kind booking.PaymentKind `json:"kind"`
	// The wallet, which is the default, pays all of it. With card it pays what it can, and a payment provider takes the
	// rest by card or a Korean wallet.
	Method paymentMethod `json:"method" required:"false"`
	// The price that the diner was quoted, in won: if it is more by now, because the reservation was changed,
	// nothing is paid.
	Amount *int64 `json:"amount" required:"false"`
}

// begunPayment is a payment that waits for its diner.
type begunPayment struct {
	PaymentID   string         `json:"paymentId"`
	State       payments.State `json:"state"`
	Amount      int64          `json:"amount"`      // won that the provider takes; the wallet pays the rest
	CheckoutURL string         `json:"checkoutUrl"` // where the diner's browser pays; relative for the practice bank
	ExpiresAt   time.Time      `json:"expiresAt"`   // until when it can be paid; the seats of a new reservation are held
}

func (a *API) pay(c *fiber.Ctx, sent keyed[identity.Session], in paymentRequest) error {
	if in.Kind != booking.Deposit && in.Kind != booking.Prepay {
		return invalid("kind", "unknown")
	}
	order := booking.PaymentOrder{ReservationID: param(c, "id"), UserID: sent.by.UserID, Kind: in.Kind,
		IdempotencyKey: sent.key, Quoted: in.Amount}
	switch in.Method {
	case byWallet, "":
		return a.payFromWallet(c, order)
	case byCard:
		return a.payByCard(c, order)
	}
	return invalid("method", "unknown")
}

func (a *API) payFromWallet(c *fiber.Ctx, order booking.PaymentOrder) error {
	paid, err := a.Bookings.Pay(c.UserContext(), order)
	if err != nil {
		return err
	}
	return c.JSON(newReservation(speak(c), paid))
}

// payByCard begins a payment, unless the wallet pays it all, or has under that key.
func (a *API) payByCard(c *fiber.Ctx, order booking.PaymentOrder) error {
	res, err := a.ownReservation(c)
	if err != nil {
		return err
	}
	begun, err := a.Checkout.Begin(c.UserContext(), language(c), res, order)
	switch {
	case errors.Is(err, payments.ErrWalletPays), errors.Is(err, booking.ErrAlreadyPaid):
		return a.payFromWallet(c, order)
	case err != nil:
		return err
	}
	return sendBegun(c, begun)
}

func sendBegun(c *fiber.Ctx, begun payments.Payment) error {
	c.Location("/api/payments/" + begun.ID)
	return c.Status(fiber.StatusCreated).JSON(begunPayment{PaymentID: begun.ID, State: begun.State,
		Amount: begun.Amount, CheckoutURL: begun.CheckoutURL, ExpiresAt: begun.ExpiresAt})
}

func (a *API) findPayment(c *fiber.Ctx, s identity.Session) (payments.Payment, error) {
	return a.Checkout.Find(c.UserContext(), s.UserID, param(c, "id"))
}
