package diner

import (
	"bytes"
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
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
	visit, err := s.waitedFor(c.UserContext(), entry)
	if err != nil {
		return err
	}
	lang, zone := respond.Lang(c), visit.At.Location()
	return s.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		watcher := s.lists.Watch(entry.Slot, waitingList{})
		defer watcher.Close()
		shown := views.WaitlistStatus{}
		next := func(ctx context.Context) (views.WaitlistStatus, error) {
			for {
				list, err := watcher.Next(ctx)
				if err != nil {
					return shown, err
				}
				if now, err := s.statusIn(ctx, list, entry.ID); err == nil && s.waitStatus(lang, now, zone) != shown {
					shown = s.waitStatus(lang, now, zone)
					return shown, nil
				}
			}
		}
		respond.Pump(ctx, stream, next, func(status views.WaitlistStatus) (last bool, err error) {
			return sendWaitlist(ctx, stream, status)
		})
	})
}

func sendWaitlist(ctx context.Context, stream *respond.Stream, status views.WaitlistStatus) (last bool, err error) {
	if status.State != booking.EntryWaiting {
		return true, sendDone(stream)
	}
	var part bytes.Buffer
	if err := pages.WaitlistStatus(status).Render(ctx, &part); err != nil {
		return true, err
	}
	return false, stream.Send("waitlist", version(), part.String())
}

// waitingList is a slot's waitlist, read for all who watch their places on it.
type waitingList struct {
	version time.Time // when it was read
	slot    [5]int    // how full the slot was then
	entries map[string]booking.Entry
}

// statusIn finds an entry in a list, or what became of it since.
func (s *Pages) statusIn(ctx context.Context, list waitingList, id string) (booking.Entry, error) {
	if entry, ok := list.entries[id]; ok {
		return entry, nil
	}
	return s.Waitlists.Store.FindEntry(ctx, id)
}

// readList reads a slot's waitlist. Whatever happens to a place on it changes how full the slot is, or how many wait,
// so its rows are read only then, and now and then all the same.
func (s *Pages) readList(ctx context.Context, slot booking.SlotKey, last waitingList) (waitingList, error) {
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, slot.RestaurantID)
	if err != nil {
		return last, err
	}
	o, err := s.occupancy(ctx, r, slot)
	if err != nil {
		return last, err
	}
	now := waitingList{version: time.Now(), slot: [5]int{o.Capacity, o.Held, o.OnHold, o.Promised, o.Waitlisted}}
	if now.slot == last.slot && now.version.Sub(last.version) < waitLookAgain {
		return last, nil
	}
	now.entries = map[string]booking.Entry{}
	page := keyset.Request{}
	for {
		guests, err := s.Waitlists.Store.ListWaiting(ctx, slot, page)
		if err != nil {
			return last, err
		}
		for _, guest := range guests.Items {
			now.entries[guest.ID] = guest.Entry
		}
		if guests.Next == "" {
			return now, nil
		}
		after, err := keyset.Parse(guests.Next)
		if err != nil {
			return last, err
		}
		page.After = &after
	}
}
