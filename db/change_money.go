package db

import (
	"context"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
	dbwallet "lunchgo/db/wallet"
)

// lockWallets locks, in order, the accounts of those who have paid for what a run changes, until the transaction ends.
// It sends nothing if nobody has.
func lockWallets(ctx context.Context, t *pg.Tx, changing map[string]booking.Changing) (dbwallet.Accounts, error) {
	var users []string
	for _, r := range changing { // in any order
		if r.State.IsConfirmed() {
			users = append(users, r.UserID)
		}
	}
	if len(users) == 0 {
		return nil, nil
	}
	return dbwallet.Lock(ctx, t, rowlock.InOrder(users)...)
}

// moveDifferences moves the difference of each change between its diner's wallet and the restaurant, whichever way. It
// sends nothing when no change has any.
func moveDifferences(ctx context.Context, t *pg.Tx, d decided) error {
	moves := map[string][]wallet.Move{}
	for i, out := range d.outcomes {
		if out.Changed != nil && out.Changed.Amount() != 0 {
			user, payment := out.Changed.UserID, out.Request.Change.PaymentID
			if card := d.cards[payment]; card > 0 {
				moves[user] = append(moves[user], wallet.Move{Kind: wallet.KindCard, Amount: card,
					ReservationID: out.Changed.ID, Key: dbwallet.CardKey(payment)})
			}
			moves[user] = append(moves[user], wallet.Move{Kind: wallet.KindChange, Amount: -out.Changed.Amount(),
				ReservationID: out.Changed.ID, Key: dbwallet.ChangeKey(d.changeIDs[i])})
		}
	}
	if err := dbwallet.PostLocked(ctx, t, d.wallets, moves); err != nil {
		return err
	}
	for _, out := range d.outcomes {
		if out.Changed == nil || out.Changed.Amount() >= 0 || out.Request.Change.Undo != nil {
			continue
		}
		if err := returnToCard(ctx, t, out.Changed.UserID, out.Changed.ID, -out.Changed.Amount()); err != nil {
			return err
		}
	}
	return nil
}

// mapWalletErrors gives the outcomes the error of the wallet for a balance that is too low.
func mapWalletErrors(outcomes []booking.Outcome) {
	for i, out := range outcomes {
		if errors.Is(out.Err, booking.ErrBalanceTooLow) {
			outcomes[i].Err = wallet.ErrBalanceTooLow
		}
	}
}
