package reserve

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"lunchgo/app/booking"
)

// Offerer offers seats that come free to the waitlist. Several instances may run one each.
type Offerer struct {
	store        WaitlistStore
	catalog      Catalog
	availability Availability
	every        time.Duration
	log          *slog.Logger

	mu   sync.Mutex
	due  map[booking.SlotKey]bool
	wake chan struct{}
}

// NewOfferer returns an offerer that checks the slots of Look at once, and all waitlists at intervals of every.
func NewOfferer(store WaitlistStore, catalog Catalog, availability Availability, every time.Duration,
	log *slog.Logger) *Offerer {
	return &Offerer{store: store, catalog: catalog, availability: availability, every: every, log: log,
		due: map[booking.SlotKey]bool{}, wake: make(chan struct{}, 1)}
}

// Notify queues a slot in which there may be seats to offer. It returns at once.
func (o *Offerer) Notify(slot booking.SlotKey) {
	o.mu.Lock()
	o.due[slot] = true
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Run makes offers until ctx ends.
func (o *Offerer) Run(ctx context.Context) {
	ticker := time.NewTicker(o.every)
	defer ticker.Stop()
	for {
		select {
		case <-o.wake:
		case <-ticker.C:
			o.queueDue(ctx)
		case <-ctx.Done():
			return
		}
		for slot := range o.takeDue() {
			o.warn(ctx, o.offer(ctx, slot))
		}
	}
}

func (o *Offerer) queueDue(ctx context.Context) {
	slots, err := o.store.ListDue(ctx)
	o.warn(ctx, err)
	for _, slot := range slots {
		o.Notify(slot)
	}
}

// takeDue empties the queue and returns its slots.
func (o *Offerer) takeDue() map[booking.SlotKey]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	due := o.due
	o.due = map[booking.SlotKey]bool{}
	return due
}

func (o *Offerer) offer(ctx context.Context, slot booking.SlotKey) error {
	r, err := o.catalog.FindRestaurant(ctx, slot.RestaurantID)
	if err != nil {
		return err
	}
	changed, err := o.store.MakeOffers(ctx, r, slot)
	for _, slot := range changed {
		o.availability.Changed(slot)
	}
	return err
}

func (o *Offerer) warn(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		o.log.WarnContext(ctx, "make waitlist offers failed", "error", err)
	}
}
