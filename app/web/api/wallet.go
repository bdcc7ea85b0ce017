package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/respond"
)

type walletAnswer struct {
	Balance int64   `json:"balance"` // the sum of all entries, in won
	Version int64   `json:"version"` // rises with every entry
	Entries []entry `json:"entries"` // the newest first
	Next    *string `json:"next"`    // cursor of the next page; null on the last one
}

type entry struct {
	ID            int64       `json:"id"`
	Version       int64       `json:"version"` // its number in the wallet, from 1
	Amount        int64       `json:"amount"`  // negative when money leaves, in won
	Kind          wallet.Kind `json:"kind"`
	ReservationID string      `json:"reservationId,omitempty"` // not for charges and withdrawals
	BalanceAfter  int64       `json:"balanceAfter"`            // balance after it, in won
	CreatedAt     time.Time   `json:"createdAt"`               // when it was written
}

func newEntry(e wallet.Entry) entry { return entry(e) }

// findWallet answers GET /api/wallet.
func (a *API) findWallet(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	account, err := a.Wallets.Find(c.UserContext(), s.UserID)
	if err != nil {
		return err
	}
	entries, err := a.Wallets.ListEntries(c.UserContext(), s.UserID, page)
	if err != nil {
		return err
	}
	answer := walletAnswer{Balance: account.Balance, Version: account.Version,
		Entries: make([]entry, 0, len(entries.Items)), Next: nextOf(entries.Next)}
	for _, e := range entries.Items {
		answer.Entries = append(answer.Entries, newEntry(e))
	}
	return c.JSON(answer)
}

type amountRequest struct {
	Amount int64 `json:"amount"` // what goes in, in won
}

// What charges and withdrawals take; they differ in their bounds.
type (
	chargeRequest     amountRequest
	withdrawalRequest amountRequest
)

// moved is the entry of an order and the wallet as the entry left it, so that every repeat is answered the same.
type moved struct {
	Entry   entry `json:"entry"`
	Balance int64 `json:"balance"` // balance after the entry, in won
	Version int64 `json:"version"` // version that the entry made
}

// charge answers POST /api/wallet/charges.
func (a *API) charge(c *fiber.Ctx) error { return moveMoney(c, wallet.Charging(a.Wallets)) }

// withdraw answers POST /api/wallet/withdrawals.
func (a *API) withdraw(c *fiber.Ctx) error { return moveMoney(c, wallet.Withdrawing(a.Wallets)) }

func moveMoney(c *fiber.Ctx, move wallet.Mover) error {
	s, key, err := sessionAndKey(c)
	if err != nil {
		return err
	}
	var in amountRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	made, account, err := move(c.UserContext(), wallet.Order{UserID: s.UserID, Amount: in.Amount, IdempotencyKey: key})
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(moved{newEntry(made), account.Balance, account.Version})
}
