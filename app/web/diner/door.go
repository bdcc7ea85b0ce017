package diner

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// doorEvery is how often the queue at a door is read while parties look at it, once for all of them.
const doorEvery = 2 * time.Second

// doorKey is the queue of a restaurant's day.
type doorKey struct {
	restaurantID int64
	date         booking.Date
}

// doorQueue is a queue at one moment.
type doorQueue struct {
	restaurant booking.Restaurant
	now        time.Time
	over       bool
	parties    []door.Party
}

// sameDoor returns whether two readings show the same, but for the minute.
func sameDoor(a, b doorQueue) bool {
	return a.over == b.over && a.now.Truncate(time.Minute).Equal(b.now.Truncate(time.Minute)) &&
		slices.Equal(a.parties, b.parties)
}

// readDoor reads a queue.
func (s *Pages) readDoor(ctx context.Context, key doorKey, _ doorQueue) (q doorQueue, err error) {
	if q.restaurant, err = s.Bookings.FindRestaurant(ctx, key.restaurantID); err != nil {
		return q, err
	}
	q.now, q.over = s.now().In(q.restaurant.Location), s.Doors.IsOver(q.restaurant, key.date)
	q.parties, err = s.Doors.List(ctx, q.restaurant, key.date)
	return q, err
}

// status is the place of a party in the queue. One that is forgotten is over.
func (q doorQueue) status(lang string, p door.Party) views.DoorStatus {
	out := views.DoorStatus{Lang: lang, Restaurant: q.restaurant.Name.In(lang), Party: p}
	at := slices.IndexFunc(q.parties, func(other door.Party) bool { return other.ID == p.ID })
	if at < 0 || q.over && q.parties[at].IsOpen() {
		out.State = views.DoorOver
		return out
	}
	out.Party = q.parties[at]
	if out.Wait, out.WaitKnown = out.Place.Wait(q.now); out.WaitKnown {
		out.At = out.Place.At.In(q.now.Location())
	}
	return out
}

// atDoor is the party that an address's token names. Returns booking.ErrNotFound for a token that was never sealed, and
// for a party whose day is over.
func (s *Pages) atDoor(c *fiber.Ctx) (door.Party, error) {
	return s.Doors.FindByLink(c.UserContext(), c.Params("token"))
}

// door answers GET /door/:token.
func (s *Pages) door(c *fiber.Ctx, p door.Party) error {
	q, err := s.readDoor(c.UserContext(), doorKey{p.RestaurantID, p.Date}, doorQueue{})
	if err != nil {
		return err
	}
	page := views.Door{Layout: s.layout(c), Token: c.Params("token")}
	page.Path, page.Status = views.DoorURL(page.Token), q.status(page.Lang, p)
	page.Push = views.Push{Key: s.Push.Keys[0].Public(), Session: page.Token}
	if session, err := respond.Session(c); err == nil && page.EmailConfirmed && !s.NoLetters {
		page.CanMail, page.Mails = p.UserID != session.UserID, p.UserID == session.UserID
	}
	return respond.Render(c, fiber.StatusOK, pages.Door(page))
}

// doorEvents answers GET /door/:token/events: the place whenever it looks different, then one "done".
func (s *Pages) doorEvents(c *fiber.Ctx, p door.Party) error {
	lang := respond.Lang(c)
	return s.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		watcher := s.doors.Watch(doorKey{p.RestaurantID, p.Date}, doorQueue{})
		defer watcher.Close()
		var shown views.DoorStatus
		respond.Pump(ctx, stream, watcher.Next, func(q doorQueue) (last bool, err error) {
			status := q.status(lang, p)
			if !status.IsOpen() {
				return true, sendDone(stream)
			}
			if status == shown {
				return false, nil
			}
			shown = status
			var part bytes.Buffer
			if err := pages.DoorStatus(status).Render(ctx, &part); err != nil {
				return true, err
			}
			return false, stream.Send("door", version(), part.String())
		})
	})
}

// notifyDoor answers POST /door/:token/notify: of a browser that is subscribed to pushes, of who is signed in, or of
// both.
func (s *Pages) notifyDoor(c *fiber.Ctx, p door.Party) error {
	asked := door.Asked{PartyID: p.ID, Language: respond.Lang(c)}
	if session, err := respond.Session(c); err == nil {
		asked.UserID = session.UserID
	}
	if err := s.Doors.Ask(c.UserContext(), asked); err != nil {
		return err
	}
	sub := respond.Subscription(c)
	if sub.Endpoint == "" {
		return respond.RedirectSaying(c, views.DoorURL(c.Params("token")), views.FlashSuccess, "flash.door_mails")
	}
	if err := s.Push.SubscribeParty(c.UserContext(), p.ID, sub); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// leaveDoor answers POST /door/:token/leave. Who waits no more, or is being seated, sees why.
func (s *Pages) leaveDoor(c *fiber.Ctx, p door.Party) error {
	next := views.DoorURL(c.Params("token"))
	err := s.Doors.Leave(c.UserContext(), p)
	switch {
	case errors.Is(err, door.ErrBusy):
		return respond.RedirectSaying(c, next, views.FlashError, "flash.door_seating")
	case err != nil && !errors.Is(err, booking.ErrWrongState):
		return err
	}
	return c.Redirect(next, fiber.StatusSeeOther)
}
