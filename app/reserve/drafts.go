package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/team"
)

// Workplace is a restaurant that somebody works for, published or not.
type Workplace struct {
	ID       int64                   `json:"id"`
	Slug     string                  `json:"slug"`
	Name     booking.Text            `json:"-"`
	Picture  string                  `json:"-"`
	TimeZone string                  `json:"timeZone"`
	Capacity int                     `json:"capacity"`
	Role     identity.Role           `json:"role"`
	State    booking.RestaurantState `json:"state"`
	// SubmittedAt is when the owner asked for it to be published; zero: not yet.
	SubmittedAt time.Time `json:"-"`
}

// OpenedDraft is a draft as operators see it, with who opened it.
type OpenedDraft struct {
	ID         int64        `json:"id"`
	Slug       string       `json:"slug"`
	Name       booking.Text `json:"-"`
	TimeZone   string       `json:"timeZone"`
	Capacity   int          `json:"capacity"`
	OpenedAt   time.Time    `json:"openedAt"`
	OwnerName  string       `json:"ownerName"`
	OwnerEmail string       `json:"ownerEmail"`
	// SubmittedAt is when the owner asked for it to be published; zero: not yet.
	SubmittedAt time.Time `json:"-"`
}

// DraftStore keeps restaurants that are not published yet.
type DraftStore interface {
	// OpenDraft stores a draft whose owner is a user, with a slug of its own. Returns identity.ErrUnconfirmed unless
	// the user's address is confirmed, and booking.ErrTooManyDrafts from the limit on, however many requests come at
	// once.
	OpenDraft(ctx context.Context, userID string, r booking.Restaurant, limit int) (Workplace, error)
	// ListWorkplaces returns the restaurants a user is staff of, by id.
	ListWorkplaces(ctx context.Context, userID string) ([]Workplace, error)
	// ListDrafts returns a page of the drafts: those that are submitted, in that order, then the others, the oldest
	// first.
	ListDrafts(ctx context.Context, page keyset.Request) (keyset.Page[OpenedDraft], error)
	// ListRestaurants returns a page of all restaurants whose names contain the words, the latest first.
	ListRestaurants(ctx context.Context, words string, page keyset.Request) (keyset.Page[KnownRestaurant], error)
	// Publish makes a draft, or a restaurant that was unpublished, one that diners see, on behalf of an operator, and
	// returns its slots to come. One that is published stays so. Returns ErrNotFound.
	Publish(ctx context.Context, id int64, operatorID string) ([]booking.SlotKey, error)
	// Unpublish takes a restaurant off the public pages, stops it, and returns its slots to come. A repeat changes
	// nothing. Returns ErrNotFound, for a draft too.
	Unpublish(ctx context.Context, u Unpublication) ([]booking.SlotKey, error)
}

// Drafts holds the use cases of who opens restaurants, and of operators who publish them.
type Drafts struct {
	Store      DraftStore
	IsOperator team.IsOperator
	// Ready returns nil for a restaurant that diners can book as it is set up, else an error that names what is
	// missing.
	Ready func(ctx context.Context, id int64) error
	// Changed is called with the id of a restaurant that was published or unpublished, and its slots to come.
	Changed func(id int64, slots []booking.SlotKey)
}

// Open opens a draft for a person, who owns it. Returns *booking.InvalidError and the errors of DraftStore.OpenDraft.
func (d *Drafts) Open(ctx context.Context, userID string, n booking.NewRestaurant) (Workplace, error) {
	r, err := n.Check()
	if err != nil {
		return Workplace{}, err
	}
	return d.Store.OpenDraft(ctx, userID, r, booking.MaxDrafts)
}

// Operator is somebody who publishes restaurants. Only the lookup of the right makes one: the zero value may do
// nothing.
type Operator struct {
	userID string
}

// UserID is whose account it is.
func (by Operator) UserID() string { return by.userID }

// check returns ErrForbidden for the zero value.
func (by Operator) check() error {
	if by.userID == "" {
		return booking.ErrForbidden
	}
	return nil
}

// Operator returns somebody as an operator. Returns ErrForbidden when they are none.
func (d *Drafts) Operator(ctx context.Context, userID string) (Operator, error) {
	if err := d.IsOperator.Check(ctx, userID); err != nil {
		return Operator{}, err
	}
	return Operator{userID: userID}, nil
}

// List returns a page of the drafts, those that are submitted first.
func (d *Drafts) List(ctx context.Context, by Operator, page keyset.Request) (keyset.Page[OpenedDraft], error) {
	if err := by.check(); err != nil {
		return keyset.Page[OpenedDraft]{}, err
	}
	return d.Store.ListDrafts(ctx, page)
}

// Publish lets diners see and book a restaurant. Returns ErrNotFound, and the errors of Ready. Other instances notice
// when their catalogue is read again.
func (d *Drafts) Publish(ctx context.Context, by Operator, id int64) error {
	if err := by.check(); err != nil {
		return err
	}
	if err := d.Ready(ctx, id); err != nil {
		return err
	}
	slots, err := d.Store.Publish(ctx, id, by.userID)
	if err == nil {
		d.Changed(id, slots)
	}
	return err
}
