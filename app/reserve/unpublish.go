package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// KnownRestaurant is a restaurant as operators see it in the list of all.
type KnownRestaurant struct {
	OpenedDraft
	State booking.RestaurantState `json:"state"`
	// last; zero: never, or by nobody, as those of the demo
	PublishedAt     time.Time `json:"-"`
	PublishedBy     string    `json:"publishedBy"`     // a name
	Stopped         bool      `json:"stopped"`         // it takes no new reservations
	UnpublishedAt   time.Time `json:"-"`               // zero: it is not
	UnpublishReason string    `json:"unpublishReason"` // empty: it is not
}

// Unpublication takes a restaurant off the public pages.
type Unpublication struct {
	RestaurantID int64
	OperatorID   string
	Reason       string // staff and those who wait in line read it
}

// ListRestaurants returns a page of all restaurants whose names contain some words, the latest first. Returns
// *booking.InvalidError for words that no name can contain.
func (d *Drafts) ListRestaurants(ctx context.Context, by Operator, words string,
	page keyset.Request) (keyset.Page[KnownRestaurant], error) {
	if err := by.check(); err != nil {
		return keyset.Page[KnownRestaurant]{}, err
	}
	words = booking.PlainText(words)
	if faults := booking.CheckText("q", words, booking.MaxRestaurantName); len(faults) > 0 {
		return keyset.Page[KnownRestaurant]{}, &booking.InvalidError{Fields: faults}
	}
	return d.Store.ListRestaurants(ctx, words, page)
}

// Unpublish takes a restaurant off the public pages: nobody finds it, and it takes no new reservations. Those that were
// made stay, and its staff go on working. Who waits in line is refused with the reason. Returns *booking.InvalidError
// without a reason, and ErrNotFound.
func (d *Drafts) Unpublish(ctx context.Context, by Operator, id int64, reason string) error {
	if err := by.check(); err != nil {
		return err
	}
	reason, err := booking.CheckReason(reason)
	if err != nil {
		return err
	}
	slots, err := d.Store.Unpublish(ctx, Unpublication{RestaurantID: id, OperatorID: by.userID, Reason: reason})
	if err == nil {
		d.Changed(id, slots)
	}
	return err
}
