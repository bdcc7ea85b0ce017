package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/auth"
)

// maxEntries is how many ledger entries a wallet shows, the newest first.
const maxEntries = 100

type walletAnswer struct {
	Balance int64   `json:"balance"` // won
	Version int64   `json:"version"` // rises with every entry
	Entries []entry `json:"entries"`
}

type entry struct {
	ID            int64       `json:"id"`
	Amount        int64       `json:"amount"` // won; negative when money leaves
	Kind          wallet.Kind `json:"kind"`
	ReservationID string      `json:"reservationId,omitempty"`
	BalanceAfter  int64       `json:"balanceAfter"`
	CreatedAt     time.Time   `json:"createdAt"`
}

func newEntry(e wallet.Entry) entry { return entry(e) }

// findWallet answers GET /api/wallet.
func (a *API) findWallet(c *fiber.Ctx) error {
	s, err := auth.Session(c)
	if err != nil {
		return err
	}
	account, err := a.Wallets.Find(c.UserContext(), s.UserID)
	if err != nil {
		return err
	}
	entries, err := a.Wallets.ListEntries(c.UserContext(), s.UserID, maxEntries)
	if err != nil {
		return err
	}
	answer := walletAnswer{Balance: account.Balance, Version: account.Version, Entries: make([]entry, 0, len(entries))}
	for _, e := range entries {
		answer.Entries = append(answer.Entries, newEntry(e))
	}
	return c.JSON(answer)
}

type chargeRequest struct {
	Amount int64 `json:"amount"`
}

// chargeAnswer is the entry of a charge and the wallet as it is now.
type chargeAnswer struct {
	Entry   entry `json:"entry"`
	Balance int64 `json:"balance"`
	Version int64 `json:"version"`
}

// charge answers POST /api/wallet/charges.
func (a *API) charge(c *fiber.Ctx) error {
	s, err := auth.Session(c)
	if err != nil {
		return err
	}
	key, err := idempotencyKey(c)
	if err != nil {
		return err
	}
	var in chargeRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	order := wallet.Charge{UserID: s.UserID, Amount: in.Amount, IdempotencyKey: key}
	if err := order.Check(); err != nil {
		return err
	}
	made, account, err := a.Wallets.Charge(c.UserContext(), order)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(chargeAnswer{newEntry(made), account.Balance, account.Version})
}
