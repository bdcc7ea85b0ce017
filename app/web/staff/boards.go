package staff

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/views"
)

// readEvery is how often an open board is read again. However many look at it, it is read once.
const readEvery = time.Second

// boards are the boards that somebody looks at.
type boards struct {
	bookings *reserve.Service
	log      *slog.Logger

	mu   sync.Mutex
	open map[boardKey]*board
}

type boardKey struct {
	restaurantID int64
	date         booking.Date
}

// board is a restaurant's day that is read again and again while somebody looks at it.
type board struct {
	workplace
	date    booking.Date
	viewers int
	stop    context.CancelFunc

	mu      sync.Mutex
	last    picture
	changed chan struct{} // closed and replaced when there is another picture
}

// picture is a board at one moment. Version rises with every one that differs from the one before; 0 is none yet.
type picture struct {
	version int
	at      time.Time
	slots   []views.StaffSlot
}

func newBoards(bookings *reserve.Service, log *slog.Logger) *boards {
	return &boards{bookings: bookings, log: log, open: map[boardKey]*board{}}
}

// watch looks at a board until leave is called.
func (b *boards) watch(w workplace, date booking.Date) (shown *board, leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := boardKey{w.restaurant.ID, date}
	shown = b.open[key]
	if shown == nil {
		ctx, stop := context.WithCancel(context.Background())
		shown = &board{workplace: w, date: date, stop: stop, changed: make(chan struct{})}
		b.open[key] = shown
		go b.keepReading(ctx, shown)
	}
	shown.viewers++
	return shown, func() { b.leave(key, shown) }
}

func (b *boards) leave(key boardKey, shown *board) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if shown.viewers--; shown.viewers == 0 {
		shown.stop()
		delete(b.open, key)
	}
}

func (b *boards) keepReading(ctx context.Context, shown *board) {
	ticker := time.NewTicker(readEvery)
	defer ticker.Stop()
	for {
		slots, err := readSlots(ctx, b.bookings, shown.workplace, shown.date)
		switch {
		case err == nil:
			shown.show(slots, b.bookings.Now())
		case ctx.Err() == nil:
			b.log.Warn("a board is not read", "restaurant", shown.restaurant.ID, "error", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// show takes a new reading; the viewers hear of it only if something is different.
func (b *board) show(slots []views.StaffSlot, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last.version > 0 && slices.Equal(slots, b.last.slots) {
		return
	}
	b.last = picture{version: b.last.version + 1, at: now.In(b.restaurant.Location), slots: slots}
	close(b.changed)
	b.changed = make(chan struct{})
}

// next waits for a picture that is newer than the version seen.
func (b *board) next(ctx context.Context, seen int) (picture, error) {
	for {
		b.mu.Lock()
		last, changed := b.last, b.changed
		b.mu.Unlock()
		if last.version > seen {
			return last, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return picture{}, ctx.Err()
		}
	}
}

// readSlots reads a day's slots as staff see them, from the database.
func readSlots(ctx context.Context, bookings *reserve.Service, w workplace, date booking.Date) ([]views.StaffSlot, error) {
	r := w.restaurant
	known, err := bookings.Occupancies(ctx, w.by, r, date)
	if err != nil {
		return nil, err
	}
	var keys []booking.SlotKey
	var slots []views.StaffSlot
	for at, o := range known {
		start, err := r.Start(date, at)
		if err != nil {
			continue // a slot of opening hours that have changed since
		}
		keys = append(keys, booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at})
		slots = append(slots, staffSlot(start, bookings.Now(), o, r.PartyMin))
	}
	for i, waiting := range countWaiting(ctx, bookings, keys) {
		slots[i].Waiting = waiting
	}
	slices.SortFunc(slots, func(a, b views.StaffSlot) int { return a.At.Compare(b.At) })
	return slots, nil
}

// countWaiting says how many wait in the line of each slot. When the lines do not answer, nobody is said to wait: the
// evening has to be run all the same.
func countWaiting(ctx context.Context, bookings *reserve.Service, slots []booking.SlotKey) []int {
	waiting, err := bookings.Lines.Lengths(ctx, slots)
	if err != nil {
		bookings.Log.Warn("line lengths are not known", "error", err)
		return make([]int, len(slots))
	}
	return waiting
}

// staffSlot is a slot as staff see it at now; a slot is over once it has begun, and sold out when not even the smallest
// party fits.
func staffSlot(start, now time.Time, o booking.Occupancy, smallest int) views.StaffSlot {
	slot := views.StaffSlot{At: start, State: views.SlotOpen, Capacity: o.Capacity,
		Confirmed: o.Held - o.OnHold, Temporary: o.OnHold, Left: o.Remaining(), Listed: o.Waitlisted}
	switch {
	case !now.Before(start):
		slot.State = views.SlotOver
	case o.Closed:
		slot.State = views.SlotClosed
	case slot.Left < smallest:
		slot.State = views.SlotSoldOut
	}
	return slot
}
