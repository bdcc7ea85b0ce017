package reserve

import (
	"context"

	"lunchgo/app/receipt"
	"lunchgo/app/waiting"
)

// Owners says whose things a person may read and act on: those of the person's own account and, once the person has
// confirmed its address, those of all provisional accounts of the same address. Nobody else owns anything: no account
// whose address is not confirmed, or only by a payment link, which may have been passed on, and no provisional one owns
// another.
type Owners interface {
	// Owns returns whether a person owns what belongs to an account.
	Owns(ctx context.Context, personID, accountID string) (bool, error)
	// ListAccounts returns the person's own account, and then up to limit provisional ones, the newest first.
	ListAccounts(ctx context.Context, personID string, limit int) ([]string, error)
}

// accountsWaiting is in how many of a person's provisional accounts tickets are looked for: one that waits is new.
const accountsWaiting = 20

// Waits returns where a person waits, in all lines, as waiting.Room.Waits does, with the tickets of the accounts that
// the person owns.
func (s *Service) Waits(ctx context.Context, personID string) ([]waiting.Wait, error) {
	accounts, err := s.Owners.ListAccounts(ctx, personID, accountsWaiting)
	if err != nil {
		return nil, err
	}
	var all []waiting.Wait
	for _, account := range accounts {
		waits, err := s.Room.Waits(ctx, account)
		if err != nil {
			return nil, err
		}
		all = append(all, waits...)
	}
	return all, nil
}

// Watch finds a ticket of a person, or of an account that the person owns. Returns the errors of waiting.Room.Watch.
func (s *Service) Watch(ctx context.Context, ticket, personID string) (*waiting.Watch, error) {
	holder, err := s.holderOf(ctx, ticket, personID)
	if err != nil {
		return nil, err
	}
	return s.Room.Watch(ctx, ticket, holder)
}

// Leave leaves the line of such a ticket. Returns the errors of waiting.Room.Leave.
func (s *Service) Leave(ctx context.Context, ticket, personID string) error {
	holder, err := s.holderOf(ctx, ticket, personID)
	if err != nil {
		return err
	}
	return s.Room.Leave(ctx, ticket, holder)
}

// Receipt returns what the server signs of such a ticket's line. Returns the errors of waiting.Room.Receipt.
func (s *Service) Receipt(ctx context.Context, ticket, personID string) (receipt.Receipt, error) {
	holder, err := s.holderOf(ctx, ticket, personID)
	if err != nil {
		return receipt.Receipt{}, err
	}
	return s.Room.Receipt(ctx, ticket, holder)
}

// holderOf returns the account that holds a ticket. Returns waiting.ErrUnknownTicket unless the person owns it. A ticket
// of the person's own costs no query.
func (s *Service) holderOf(ctx context.Context, ticket, personID string) (string, error) {
	holder, own, err := s.Room.HolderOf(ticket, personID)
	if err != nil || own {
		return holder, err
	}
	owns, err := s.Owners.Owns(ctx, personID, holder)
	if err == nil && !owns {
		err = waiting.ErrUnknownTicket
	}
	return holder, err
}
