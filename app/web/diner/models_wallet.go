package diner

import (
	"context"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// ledger lists a page of the movements of the signed-in diner's money, the latest first, with the restaurants they went
// to, and the links to the others.
func (s *Pages) ledger(c *fiber.Ctx, lang string) ([]views.LedgerEntry, views.Pager, error) {
	session, err := respond.Session(c)
	if err != nil {
		return nil, views.Pager{}, err
	}
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return nil, views.Pager{}, err
	}
	page, err := s.Wallets.ListEntries(c.UserContext(), session.UserID, asked)
	entries := page.Items
	if err != nil {
		return nil, views.Pager{}, err
	}
	names, err := s.restaurantNames(c.UserContext(), lang, session.UserID, entries)
	if err != nil {
		return nil, views.Pager{}, err
	}
	list := make([]views.LedgerEntry, 0, len(entries))
	for _, e := range entries {
		e.CreatedAt = e.CreatedAt.In(s.Zone)
		list = append(list, views.LedgerEntry{Entry: e, Restaurant: names[e.ReservationID]})
	}
	return list, respond.Pager(c, views.WalletURL(), views.FieldAfter, page.Next), nil
}

// restaurantNames are by reservation. A wallet that was only topped up costs no query for them.
func (s *Pages) restaurantNames(ctx context.Context, lang, userID string,
	entries []wallet.Entry) (map[string]string, error) {
	names := map[string]string{}
	if !slices.ContainsFunc(entries, func(e wallet.Entry) bool { return e.ReservationID != "" }) {
		return names, nil
	}
	var ids []string
	for _, e := range entries {
		if e.ReservationID != "" {
			ids = append(ids, e.ReservationID)
		}
	}
	restaurants, err := s.Bookings.Reservations.RestaurantsOf(ctx, userID, ids)
	if err != nil {
		return nil, err
	}
	for id, restaurantID := range restaurants {
		r, err := s.Bookings.Catalog.FindRestaurant(ctx, restaurantID)
		if err != nil {
			return nil, err
		}
		names[id] = r.Name.In(lang)
	}
	return names, nil
}
