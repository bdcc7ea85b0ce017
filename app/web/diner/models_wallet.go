package diner

import (
	"context"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// shownEntries is how many movements the wallet's page lists.
const shownEntries = 50

// entryKinds are the kinds of movements that have words of their own.
var entryKinds = []views.EntryKind{views.EntryCharge, views.EntryWithdrawal, views.EntryDeposit, views.EntryPrepay,
	views.EntryRefund,
	views.EntryChange}

// ledger lists the latest movements of the signed-in diner's money, with the restaurants they went to.
func (s *Pages) ledger(c *fiber.Ctx, lang string) ([]views.LedgerEntry, error) {
	session, err := respond.Session(c)
	if err != nil {
		return nil, err
	}
	entries, err := s.Wallets.ListEntries(c.UserContext(), session.UserID, shownEntries)
	if err != nil {
		return nil, err
	}
	names, err := s.restaurantNames(c.UserContext(), lang, session.UserID, entries)
	if err != nil {
		return nil, err
	}
	list := make([]views.LedgerEntry, 0, len(entries))
	for _, e := range entries {
		list = append(list, views.LedgerEntry{At: e.CreatedAt.In(s.Zone), Kind: entryKind(e.Kind), Amount: e.Amount,
			Balance: e.BalanceAfter, ReservationID: e.ReservationID, Restaurant: names[e.ReservationID]})
	}
	return list, nil
}

func entryKind(kind wallet.Kind) views.EntryKind {
	if own := views.EntryKind(kind); slices.Contains(entryKinds, own) {
		return own
	}
	return views.EntryOther
}

// restaurantNames are by reservation. A wallet that was only topped up costs no query for them.
func (s *Pages) restaurantNames(ctx context.Context, lang, userID string,
	entries []wallet.Entry) (map[string]string, error) {
	names := map[string]string{}
	if !slices.ContainsFunc(entries, func(e wallet.Entry) bool { return e.ReservationID != "" }) {
		return names, nil
	}
	all, err := s.Bookings.List(ctx, userID)
	if err != nil {
		return nil, err
	}
	for _, res := range all {
		r, err := s.Bookings.Catalog.FindRestaurant(ctx, res.RestaurantID)
		if err != nil {
			return nil, err
		}
		names[res.ID] = r.Name.In(lang)
	}
	return names, nil
}
