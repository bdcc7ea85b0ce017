package reserve

import (
	"context"

	"lunchgo/app/booking"
)

// WaitDraft is an unchecked request for a place on a waitlist.
type WaitDraft struct {
	RestaurantID int64  `json:"restaurantId"`
	Date         string `json:"date"`
	Time         string `json:"time"`
	PartySize    int    `json:"partySize"`
}

// Waitlists holds the diners' use cases of waitlists.
type Waitlists struct {
	Store        WaitlistStore
	Catalog      Catalog
	Availability Availability
	Now          Clock
}

// Join puts a diner on the waitlist of a slot that has too few seats. Returns ErrNotFound for an unknown restaurant,
// *booking.InvalidError with every invalid field, and the errors of WaitlistStore.Join.
func (w *Waitlists) Join(ctx context.Context, userID, key string, d WaitDraft) (booking.Entry, error) {
	r, err := w.Catalog.FindRestaurant(ctx, d.RestaurantID)
	if err != nil {
		return booking.Entry{}, err
	}
	req, err := (booking.Draft{RestaurantID: d.RestaurantID, Date: d.Date, Time: d.Time,
		PartySize: d.PartySize}).Check(r, nil, w.Now())
	if err != nil {
		return booking.Entry{}, err
	}
	start, err := r.Start(req.Slot.Date, req.Slot.Time)
	if err != nil {
		return booking.Entry{}, err
	}
	entry, err := w.Store.Join(ctx, WaitRequest{UserID: userID, IdempotencyKey: key, Slot: req.Slot,
		KeepBefore: r.KeepBefore(start), Times: append([]booking.TimeOfDay{req.Slot.Time}, req.Stay...),
		PartySize: req.PartySize, Capacity: r.Capacity, Seats: r.Seats})
	return w.notified(entry, err)
}

// Find returns a diner's own entry. Returns ErrNotFound for those of others too, so that an id reveals nothing.
func (w *Waitlists) Find(ctx context.Context, userID, id string) (booking.Entry, error) {
	entry, err := w.Store.FindEntry(ctx, id)
	if err == nil && entry.UserID != userID {
		return booking.Entry{}, booking.ErrNotFound
	}
	return entry, err
}

// Leave removes a diner from a waitlist and declines an open offer. It returns an entry that is over as it is.
func (w *Waitlists) Leave(ctx context.Context, userID, id string) (booking.Entry, error) {
	entry, err := w.Store.Leave(ctx, id, userID)
	if err == nil && entry.State == booking.EntryOffered { // the offer came a moment ago
		entry, err = w.Store.Decline(ctx, id)
	}
	return w.notified(entry, err)
}

// Decline gives the seats of an offer back. Returns ErrOfferOver.
func (w *Waitlists) Decline(ctx context.Context, id string) (booking.Entry, error) {
	return w.notified(w.Store.Decline(ctx, id))
}

// notified refreshes the slot of an entry that has changed.
func (w *Waitlists) notified(entry booking.Entry, err error) (booking.Entry, error) {
	if err == nil {
		w.Availability.Changed(entry.Slot)
	}
	return entry, err
}
