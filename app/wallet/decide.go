package wallet

// Move is a change of one wallet that somebody ordered. A wallet moves at most once under a key.
type Move struct {
	Kind          Kind
	Amount        int64 // won; negative when money leaves
	ReservationID string
	Key           string
}

// Outcome is what came of a move: the entry it made or that was there before, or why there is none.
type Outcome struct {
	Move
	Entry Entry
	Made  bool // false when the key had moved the wallet before
	Err   error
}

// Decide takes moves of one account in their order. Known are the entries that their keys made before. Where Made is
// set, the entry has all but its id and time, which whoever stores it gives. It returns the account after the moves.
//
// A move of a known key with the same kind, amount and reservation is a repeat: it gets the entry that is there. Errors
// of outcomes are ErrKeyReused, ErrBalanceTooLow and ErrBalanceLimit; what comes back to a diner may pass the limit.
func Decide(account Account, known map[string]Entry, moves []Move) ([]Outcome, Account) {
	outcomes := make([]Outcome, 0, len(moves))
	seen := make(map[string]int, len(moves)) // key → the outcome that made its entry
	for i, move := range moves {
		out := Outcome{Move: move}
		entry, before := known[move.Key]
		if first, ok := seen[move.Key]; ok {
			entry, before = outcomes[first].Entry, true
		}
		switch {
		case before && !repeats(move, entry):
			out.Err = ErrKeyReused
		case before:
			out.Entry = entry
		default:
			out.Err = check(account, move)
		}
		if !before && out.Err == nil {
			account.Balance, account.Version = account.Balance+move.Amount, account.Version+1
			out.Made, seen[move.Key] = true, i
			out.Entry = Entry{Version: account.Version, Amount: move.Amount, Kind: move.Kind,
				ReservationID: move.ReservationID, BalanceAfter: account.Balance}
		}
		outcomes = append(outcomes, out)
	}
	return outcomes, account
}

func repeats(move Move, entry Entry) bool {
	return entry.Kind == move.Kind && entry.Amount == move.Amount && entry.ReservationID == move.ReservationID
}

func check(account Account, move Move) error {
	switch {
	case move.Amount < 0 && account.Balance+move.Amount < 0:
		return ErrBalanceTooLow
	case move.Kind == KindCharge && account.Balance+move.Amount > MaxBalance:
		return ErrBalanceLimit
	}
	return nil
}
