package reserve

import (
	"context"
	"errors"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
)

// Offerer offers seats that come free to the waitlist.
type Offerer struct {
	store        WaitlistStore
	catalog      Catalog
	availability Availability

	mu   sync.Mutex
	due  map[booking.SlotKey]bool
	wake chan struct{}
}

// NewOfferer returns an offerer to the waitlists of store.
func NewOfferer(store WaitlistStore, catalog Catalog, availability Availability) *Offerer {
	return &Offerer{store: store, catalog: catalog, availability: availability, due: map[booking.SlotKey]bool{},
		wake: make(chan struct{}, 1)}
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

// Jobs returns the jobs that find the slots in which there may be seats to offer, and make the offers.
func (o *Offerer) Jobs(every time.Duration) []jobs.Job {
	return []jobs.Job{
		{Name: "find due waitlists", First: every, Every: every, Run: o.findDue},
		{Name: "make waitlist offers", First: every, Every: every, Wake: o.wake, Run: o.makeOffers},
	}
}

func (o *Offerer) findDue(ctx context.Context) (int, error) {
	slots, err := o.store.ListDue(ctx)
	for _, slot := range slots {
		o.Notify(slot)
	}
	return len(slots), err
}

// makeOffers looks at all slots of the queue. One that fails is found again when it is due.
func (o *Offerer) makeOffers(ctx context.Context) (int, error) {
	due := o.takeDue()
	var failed []error
	for slot := range due { // in any order
		failed = append(failed, o.offer(ctx, slot))
	}
	return len(due), errors.Join(failed...)
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
