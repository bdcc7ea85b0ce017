package diner

import (
	"bytes"
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// How often an open page of a waitlist looks whether its slot has changed, which asks no database, and after how
// long it looks at its own place all the same.
const (
	waitLookEvery = time.Second
	waitLookAgain = 10 * time.Second
)

// waitlistEvents answers GET /waitlist/:id/events: the moving part of the page whenever it moves, then one "done",
// upon which the page asks for itself again.
func (s *Pages) waitlistEvents(c *fiber.Ctx) error {
	if _, err := respond.Session(c); err != nil {
		return s.done(c)
	}
	entry, err := s.ownEntry(c)
	if err != nil {
		return err
	}
	r, at, err := s.waitedFor(c.UserContext(), entry)
	if err != nil {
		return err
	}
	eye := &waitlistWatcher{Pages: s, lang: respond.Lang(c), zone: at.Location(), restaurant: r, entry: entry}
	return s.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		respond.Pump(ctx, stream, eye.next, func(status views.WaitlistStatus) (last bool, err error) {
			if status.State != views.WaitlistWaiting {
				return true, sendDone(stream)
			}
			var part bytes.Buffer
			if err := pages.WaitlistStatus(status).Render(ctx, &part); err != nil {
				return true, err
			}
			return false, stream.Send("waitlist", version(), part.String())
		})
	})
}

// waitlistWatcher watches one place on a waitlist.
type waitlistWatcher struct {
	*Pages
	lang       string
	zone       *time.Location
	restaurant booking.Restaurant
	entry      booking.Entry
	seen       views.WaitlistStatus // what was sent last
	slot       [5]int               // how full the slot was when the place was read
	read       time.Time
}

// NextPath waits for something else to show. Whatever happens to a place on a list changes how full its slot is,
// or how many waitRequest, so its row is read only then.
func (e *waitlistWatcher) next(ctx context.Context) (views.WaitlistStatus, error) {
	ticker := time.NewTicker(waitLookEvery)
	defer ticker.Stop()
	for {
		if e.isDue(ctx) {
			entry, err := e.Waitlists.Store.FindEntry(ctx, e.entry.ID)
			if err == nil {
				e.read = time.Now()
				if now := e.waitStatus(e.lang, entry, e.zone); now != e.seen {
					e.seen = now
					return now, nil
				}
			}
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return views.WaitlistStatus{}, ctx.Err()
		}
	}
}

func (e *waitlistWatcher) isDue(ctx context.Context) bool {
	o, err := e.occupancy(ctx, e.restaurant, []booking.SlotKey{e.entry.Slot})
	now := [5]int{o.Capacity, o.Held, o.OnHold, o.Promised, o.Waitlisted}
	changed := err == nil && now != e.slot
	e.slot = now
	return changed || time.Since(e.read) > waitLookAgain
}
