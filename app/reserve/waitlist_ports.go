package reserve

import (
	"context"
	"lunchgo/app/booking"
)

// WaitlistStore keeps waitlists. Whatever changes an entry that waits happens under the locks of the slots it needs.
type WaitlistStore interface {
	// Join puts a party on the list of a slot, whose row is made if there is none. A repeat with the same key returns the
	// entry as it is. Returns ErrDuplicate for whoever has seats in the slot, ErrListed for whoever waits already,
	// ErrSeatsAvailable, ErrClosed, ErrKeyReused, and *InvalidError for a party that is larger than the slot.
	Join(ctx context.Context, wish WaitRequest) (booking.Entry, error)
	// FindEntry returns ErrNotFound if there is none with that id.
	FindEntry(ctx context.Context, id string) (booking.Entry, error)
	// ListEntries returns a person's entries, the latest slot first.
	ListEntries(ctx context.Context, userID string) ([]booking.Entry, error)
	// ListWaiting returns those who wait for a slot, in their order, for its staff.
	ListWaiting(ctx context.Context, slot booking.SlotKey) ([]WaitingGuest, error)
	// Leave takes an entry that waits off the list; any other is returned as it is. Returns ErrNotFound when it is not the
	// person's.
	Leave(ctx context.Context, id, userID string) (booking.Entry, error)
	// Accept notes that an offer is taken: it stands until its deadline, by which it is to be paid for. A repeat is no fault.
	// Returns ErrOfferOver.
	Accept(ctx context.Context, id string) (booking.Entry, error)
	// Decline gives an offer's seats back. A repeat is no fault. Returns ErrOfferOver, also when it is paid for.
	Decline(ctx context.Context, id string) (booking.Entry, error)
	// MakeOffers offers the free seats of a slot to those who wait for them, or ends its list when the slot takes no more
	// reservations, and returns the slots that this changed. Several instances may call it at once.
	MakeOffers(ctx context.Context, r booking.Restaurant, slot booking.SlotKey) ([]booking.SlotKey, error)
	// ListDue returns slots in which there may be something to offer, and such whose list is over.
	ListDue(ctx context.Context) ([]booking.SlotKey, error)
}

// WaitRequest is a checked wish for a place on a waitlist.
type WaitRequest struct {
	UserID         string
	IdempotencyKey string
	Slot           booking.SlotKey
	Times          []booking.TimeOfDay // of the slots in which the party needs seats, rising; the first is the slot's
	PartySize      int
	Capacity       int              // of a slot that has no row yet
	Seats          booking.SeatPlan // of the restaurant
}

// WaitingGuest is an entry that waits, with who it is.
type WaitingGuest struct {
	booking.Entry
	Name  string
	Phone string
}
