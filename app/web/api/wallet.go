package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/wallet"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) walletRoutes() group {
	return group{"wallet", "A diner's money.", []operation{
		{route: "GET /wallet", id: "findWallet", right: access.SignedIn, paged: true,
			run:     answers(respond.Session, a.findWallet),
			summary: "One's own wallet",
			says:    "Balance and ledger."},
		{route: "POST /wallet/charges", id: "charge", right: access.SignedIn, limit: ofChanges, key: needsKey,
			run:     takes(withKey(respond.Session), a.charge),
			summary: "Put money in, once for any number of repeats",
			text: "Play money, for a demonstration: anywhere else 403 demo_only. The same key with another " +
				"amount is refused with 422 idempotency_key_reused.",
			status: 201, says: "The charge. Every repeat is answered the same.",
			refuses: []string{"demo_only", "balance_limit"}},
		{route: "POST /wallet/withdrawals", id: "withdraw", right: access.SignedIn, limit: ofChanges,
			key: needsKey, run: takes(withKey(respond.Session), a.withdraw),
			summary: "Take money out, once for any number of repeats",
			text: "The same key with another amount is refused with 422 idempotency_key_reused. The keys of " +
				"charges are others: one of the same name does not matter.",
			status: 201, says: "The withdrawal. Every repeat is answered the same.",
			refuses: []string{"balance_too_low"}},
	}}
}

type walletAnswer struct {
	Balance int64          `json:"balance"` // the sum of all entries, in won
	Version int64          `json:"version"` // rises with every entry
	Entries []wallet.Entry `json:"entries"` // the newest first
	Next    *string        `json:"next"`    // cursor of the next page; null on the last one
}

func (a *API) findWallet(c *fiber.Ctx, s identity.Session) (of walletAnswer, err error) {
	page, err := respond.ReadPage(c)
	if err != nil {
		return of, err
	}
	account, err := a.Wallets.Find(c.UserContext(), s.UserID)
	if err != nil {
		return of, err
	}
	entries, err := a.Wallets.ListEntries(c.UserContext(), s.UserID, page)
	return walletAnswer{account.Balance, account.Version, orEmpty(entries.Items), orNull(entries.Next)}, err
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
	Entry   wallet.Entry `json:"entry"`
	Balance int64        `json:"balance"` // balance after the entry, in won
	Version int64        `json:"version"` // version that the entry made
}

func (a *API) charge(c *fiber.Ctx, sent keyed[identity.Session], in chargeRequest) (moved, error) {
	return moveMoney(c, wallet.Charging(a.Wallets), sent, in.Amount)
}

func (a *API) withdraw(c *fiber.Ctx, sent keyed[identity.Session], in withdrawalRequest) (moved, error) {
	return moveMoney(c, wallet.Withdrawing(a.Wallets), sent, in.Amount)
}

func moveMoney(c *fiber.Ctx, move wallet.Mover, sent keyed[identity.Session], amount int64) (moved, error) {
	made, account, err := move(c.UserContext(), wallet.Order{UserID: sent.by.UserID, Amount: amount,
		IdempotencyKey: sent.key})
	return moved{made, account.Balance, account.Version}, err
}
