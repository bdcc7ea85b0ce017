package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// WaitlistStore keeps waitlists. It changes a waiting entry only under the locks of the slots that the entry needs.
type WaitlistStore interface {
	// Join puts a party on the waitlist of a slot and creates the slot's row if there is none. A repeat with the same
	// key returns the entry as it is. Returns ErrDuplicate for a diner with seats in the slot, ErrListed for one who is
	// on the list, ErrSeatsAvailable, ErrTooManyEntries, ErrClosed, ErrKeyReused, and *InvalidError for a party that is
	// larger than the slot.
	Join(ctx context.Context, request WaitRequest) (booking.Entry, error)
	// FindEntry returns ErrNotFound if there is none with that id.
	FindEntry(ctx context.Context, id string) (booking.Entry, error)
	// ListEntries returns a page of a user's entries, latest slot first.
	ListEntries(ctx context.Context, userID string, page keyset.Request) (keyset.Page[booking.Entry], error)
	// ListOpen returns a user's entries that wait, for seats or for an answer, latest slot first. The limit of an
	// account bounds them; it never returns more than a page.
	ListOpen(ctx context.Context, userID string) ([]booking.Entry, error)
	// ListWaiting returns a page of the entries of a slot that wait, for seats or for an answer, in order, for its
	// staff.
	ListWaiting(ctx context.Context, slot booking.SlotKey, page keyset.Request) (keyset.Page[WaitingGuest], error)
	// Leave removes a waiting entry from the list; it returns any other entry as it is. Returns ErrNotFound when the
	// entry is not the user's.
	Leave(ctx context.Context, id, userID string) (booking.Entry, error)
	// Accept stores that an offer is accepted: it is valid until its deadline, by which the diner has to pay. A repeat
	// changes nothing. Returns ErrOfferOver.
	Accept(ctx context.Context, id string) (booking.Entry, error)
	// Decline gives an offer's seats back. A repeat changes nothing. Returns ErrOfferOver, also for a paid offer.
	Decline(ctx context.Context, id string) (booking.Entry, error)
	// MakeOffers offers the free seats of a slot to its waitlist, begins to keep seats for entries that were passed too
	// often, or ends the list when the slot takes no more reservations, and returns the slots that changed. Several
	// instances may call it at once.
	MakeOffers(ctx context.Context, r booking.Restaurant, slot booking.SlotKey) ([]booking.SlotKey, error)
	// ListDue returns slots that may have seats to offer, and slots whose list has to end.
	ListDue(ctx context.Context) ([]booking.SlotKey, error)
}

// WaitRequest is a checked request for a place on a waitlist.
type WaitRequest struct {
	UserID         string
	IdempotencyKey string
	Slot           booking.SlotKey
	Times          []booking.TimeOfDay // of the slots in which the party needs seats, rising; the first is the slot's
	PartySize      int
	Capacity       int              // of a slot that has no row yet
	Seats          booking.SeatPlan // of the restaurant
	KeepBefore     time.Time        // from then on no seats are kept for it
}

// WaitingGuest is a waiting entry with its diner's name and phone number.
type WaitingGuest struct {
	booking.Entry
	Name  string
	Phone string
}
