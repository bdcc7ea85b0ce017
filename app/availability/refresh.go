package availability

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"lunchgo/app/booking"
)

// changes are slots of a day that have changed, and since when.
type changes struct {
	since map[booking.TimeOfDay]time.Time
	whole bool // other slots of the day may have changed with them
}

// Changed implements reserve.Availability. The cache soon reads and stores the day of the slot again, once for many
// changes in a row.
func (c *Cache) Changed(slot booking.SlotKey) { c.changed(time.Now(), true, slot) }

// Served implements reserve.Availability.
func (c *Cache) Served(slots []booking.SlotKey) { c.changed(time.Now(), false, slots...) }

func (c *Cache) changed(since time.Time, whole bool, slots ...booking.SlotKey) {
	c.mu.Lock()
	for _, slot := range slots {
		d := day{slot.RestaurantID, slot.Date}
		of := c.pending[d]
		if of.since == nil {
			of.since = map[booking.TimeOfDay]time.Time{}
		}
		if since.After(of.since[slot.Time]) {
			of.since[slot.Time] = since
		}
		of.whole = of.whole || whole
		c.pending[d] = of
	}
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *Cache) refreshLoop(ctx context.Context) {
	defer close(c.done)
	for {
		select {
		case <-c.wake:
			c.refreshPending(ctx)
			select {
			case <-time.After(refreshPause):
			case <-ctx.Done():
			}
		case <-ctx.Done():
			c.refreshPending(ctx)
			return
		}
	}
}

// refreshPending refreshes what has changed. It goes on for a moment after closing ends.
func (c *Cache) refreshPending(closing context.Context) {
	c.mu.Lock()
	days := c.pending
	c.pending = map[day]changes{}
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(closing), refreshTimeout)
	defer cancel()
	defer context.AfterFunc(closing, func() { time.AfterFunc(lastTimeout, cancel) })()
	var running sync.WaitGroup
	defer running.Wait()
	places := make(chan struct{}, refreshes)
	for d, changed := range days {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			if err := c.refresh(ctx, d, changed); err != nil {
				c.log.WarnContext(ctx, "refresh availability failed", "restaurant", d.restaurantID, "date", d.date,
					"error", err)
				c.refreshAgain(d, changed)
			}
		})
	}
}

// refreshes is how many days are refreshed at once: one whose server in Redis is silent must not hold up the others.
const refreshes = 4

// refreshAgain has slots of a day refreshed again in a while, unless what is stored of them has ended by then.
func (c *Cache) refreshAgain(d day, changed changes) {
	time.AfterFunc(storeAgain, func() {
		for at, since := range changed.since {
			if time.Since(since) < ttl {
				c.changed(since, true, booking.SlotKey{RestaurantID: d.restaurantID, Date: d.date, Time: at})
			}
		}
	})
}

// refresh reads what has changed of a day, stores it, and calls onFull with those changed slots that are closed, full or
// promised now. Returns an error also when Redis does not take it.
func (c *Cache) refresh(ctx context.Context, d day, changed changes) error {
	var unstored error
	slots, stored := c.refreshSlots(ctx, d, changed)
	if !stored {
		var err error
		if slots, unstored, err = c.rebuild(ctx, d); err != nil {
			return err
		}
		c.days.Put(d, slots)
	}
	for at := range changed.since {
		if o, ok := slots[at]; ok && c.onFull != nil && (o.Closed || o.Remaining() == 0 || o.Promised > 0 ||
			len(o.Seats) > 0) {
			c.onFull(ctx, booking.SlotKey{RestaurantID: d.restaurantID, Date: d.date, Time: at}, o)
		}
	}
	return unstored
}

// refreshSlots reads and stores nothing but what has changed of a day, if it can: in an evening of a hundred slots the
// whole costs PostgreSQL as much as what a press writes. It cannot where the day has changed as a whole, where Redis does
// not have it or cannot be asked, and where somebody waits for seats: what is promised to them in a slot may change with
// another. What this process knows of the other slots grows no younger by it.
func (c *Cache) refreshSlots(ctx context.Context, d day, changed changes) (known slots, stored bool) {
	if changed.whole {
		return nil, false
	}
	version, err := c.draw(ctx, d)
	if err != nil {
		return nil, false
	}
	known, alone, err := c.source.ListSlots(ctx, d.restaurantID, d.date, slices.Collect(maps.Keys(changed.since)))
	if err != nil || !alone {
		return nil, false
	}
	if n, err := c.send(ctx, d, known, version, 0); err != nil || n < 0 {
		return nil, false
	}
	c.days.Amend(d, func(day slots) slots {
		day = maps.Clone(day)
		maps.Copy(day, known)
		return day
	})
	return known, true
}
