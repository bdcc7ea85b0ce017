package webhooks

import (
	"context"
	"time"

	"lunchgo/app/keyset"
)

// Target is an endpoint of a restaurant that a member of its staff acts on.
type Target struct {
	By           string // user id
	RestaurantID int64
	ID           string // of the endpoint
}

// Store keeps endpoints, and the log of their deliveries as owners see it. What it changes of endpoints stands in the
// restaurant's audit log. Its methods return booking.ErrNotFound for an endpoint that the restaurant does not have.
type Store interface {
	// ListEndpoints returns those of a restaurant, the oldest first.
	ListEndpoints(ctx context.Context, restaurantID int64) ([]Endpoint, error)
	FindEndpoint(ctx context.Context, restaurantID int64, id string) (Endpoint, error)
	// AddEndpoint returns ErrTooMany, ErrSameURL.
	AddEndpoint(ctx context.Context, by string, e Endpoint) (Endpoint, error)
	// ChangeEndpoint applies a change to an endpoint under its lock and stores it. Returns ErrSameURL, and the change's
	// error.
	ChangeEndpoint(ctx context.Context, at Target, change func(*Endpoint) error) (Endpoint, error)
	// DeleteEndpoint deletes its deliveries, too.
	DeleteEndpoint(ctx context.Context, at Target) error

	// ListDeliveries returns a page of an endpoint's, the newest first; an empty state means all.
	ListDeliveries(ctx context.Context, endpoint string, state DeliveryState,
		page keyset.Request) (keyset.Page[Delivery], error)
	// AddTest adds an event that goes to one endpoint only. Returns ErrNotActive.
	AddTest(ctx context.Context, at Target, m Message) (Delivery, error)
	// Redeliver lets a delivery begin anew, under its old id. One that is due or under way stays as it is.
	Redeliver(ctx context.Context, at Target, delivery int64) error
	// RedeliverFailed does so for all that have failed of events since a time, and returns how many.
	RedeliverFailed(ctx context.Context, at Target, since time.Time) (int, error)
}

// Claim says what a sender takes.
type Claim struct {
	Most        int           // deliveries
	PerEndpoint int           // of these to one endpoint; of one that fails or is slow: 1
	Busy        []string      // endpoints that have deliveries under way here, and get none
	Slow        []string      // endpoints that were slow to answer
	Lease       time.Duration // how long they are nobody else's
}

// Taken is a delivery with what it takes to send it.
type Taken struct {
	Delivery
	URL  string
	Keys Keys
}

// Backlog is what waits in the whole installation, for endpoints that are active.
type Backlog struct {
	Waiting int
	Retries int           // of these, those that have failed at least once
	Oldest  time.Duration // the age of the oldest event that nothing was tried for yet; 0 for none
}

// Queue is what a sender works on. Several instances may run one each.
type Queue interface {
	// HandOver makes deliveries of up to limit events that wait in the outbox, in the transaction that takes them from
	// there, and returns how many events those were.
	HandOver(ctx context.Context, limit int) (int, error)
	// TakeDeliveries takes those that are due: one of each restaurant, then a second one of each, and so on; the
	// longest due first. Senders skip what another takes at the moment. Who does not mark in time loses them to whoever
	// takes them next.
	TakeDeliveries(ctx context.Context, c Claim) ([]Taken, error)
	// MarkDelivery notes how a try ended, unless its lease is over. It disables an endpoint that is gone, or that has
	// taken nothing for days; each owner of its restaurant gets a letter.
	MarkDelivery(ctx context.Context, d Delivery, t Try, v Verdict) error
	// Trim deletes up to limit deliveries that are older than kept, and returns how many.
	Trim(ctx context.Context, kept time.Duration, limit int) (int, error)
	ReadBacklog(ctx context.Context) (Backlog, error)
}
