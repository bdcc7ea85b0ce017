package staff

import (
	"context"
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// longestQuery bounds what is looked for, in bytes.
const longestQuery = 200

// readLook reads how a request wants to look at an evening.
func (w place) readLook(c *fiber.Ctx, tab views.EveningTab) look {
	l := look{lang: respond.Lang(c), role: w.By.Role(), tab: tab}
	if tab != views.TabGuests {
		return l
	}
	if text := strings.TrimSpace(strings.Clone(c.Query(views.FieldWords))); len(text) <= longestQuery {
		l.Text = strings.ToValidUTF8(text, "")
	}
	if group := evening.Group(strings.Clone(c.Query(views.FieldState))); slices.Contains(evening.Groups(), group) {
		l.Group = group
	}
	return l
}

// tonight answers GET /staff/restaurants/{id} and its tabs: a day of the restaurant, today unless the query says
// another.
func (p *Pages) tonight(tab views.EveningTab) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w, err := p.place(c)
		if err != nil {
			return err
		}
		page, err := p.tonightPage(c, w, tab, w.Date(c, p.Bookings.Now()))
		if err != nil {
			return err
		}
		return respond.Render(c, fiber.StatusOK, pages.Tonight(page))
	}
}

// tonightPage is a tab of a restaurant's evening.
func (p *Pages) tonightPage(c *fiber.Ctx, w place, tab views.EveningTab, date booking.Date) (page views.Tonight,
	err error) {
	now := picture{place: w}
	if now.now, err = p.Evenings.Read(c.UserContext(), w.By, w.Restaurant, date); err != nil {
		return page, err
	}
	page = views.Tonight{StaffShell: p.shell(c, w), Today: w.Midnight(w.Today(p.Bookings.Now())),
		Live: p.live(now, w.readLook(c, tab)), CanStop: w.By.May(team.StopBookings),
		CanRehearse: w.By.May(team.RunRehearsal)}
	page.CanQueue = w.canQueue(tab, date, w.Today(p.Bookings.Now()))
	page.Door.IdempotencyKey, page.Door.Largest = rand.Text(), w.Restaurant.Capacity
	page.Marked, page.MoveBack = w.marked(c, now.now, page.Lang), w.moved(c, now.now, page.Lang)
	page.Push, err = p.pushOf(c, w)
	return page, err
}

// marked is the party that the reader marked just now, which the page offers to take back.
func (w place) marked(c *fiber.Ctx, e evening.Evening, lang string) *views.StaffReservation {
	id := c.Query(views.FieldMarked)
	at := slices.IndexFunc(e.Parties, func(p evening.Party) bool { return p.ID == id })
	if id == "" || at < 0 {
		return nil
	}
	r := w.guestIn(e.Parties[at].Slot, e.Parties[at].Guest, lang, e.Now)
	if !r.JustMarked {
		return nil
	}
	return &r
}

// moved is the party that the reader moved just now, which the page offers to move back.
func (w place) moved(c *fiber.Ctx, e evening.Evening, lang string) *views.MoveBack {
	id := c.Query(views.FieldMoved)
	at := slices.IndexFunc(e.Parties, func(p evening.Party) bool { return p.ID == id })
	if id == "" || at < 0 {
		return nil
	}
	party := e.Parties[at]
	name := w.guestIn(party.Slot, party.Guest, lang, e.Now).Name
	return w.moveBack(party.Reservation, name, readMoved(c.Query(views.FieldWas)), e.Now, lang)
}

// tonightEvents answers GET /staff/restaurants/{id}/events: "evening" with the live part of a tab as often as it looks
// different, for as long as the viewer works there.
func (p *Pages) tonightEvents(c *fiber.Ctx, w place) error {
	tab := views.EveningTab(strings.Clone(c.Query(views.FieldTab, string(views.TabGuests))))
	if !slices.Contains(views.EveningTabs[:], tab) {
		return respond.NotFound
	}
	key := boardKey{w.Restaurant.ID, w.Date(c, p.Bookings.Now())}
	viewer, err := respond.Session(c)
	if err != nil {
		return err
	}
	worksThere := func(ctx context.Context) error {
		_, err := p.Bookings.Staff(ctx, viewer.UserID, key.restaurantID)
		return err
	}
	l := w.readLook(c, tab)
	return p.Streams.While(worksThere).Serve(c, func(ctx context.Context, stream *respond.Stream) {
		watcher := p.boards.Watch(key, picture{place: w})
		defer watcher.Close()
		p.sendEvening(ctx, stream, watcher, l)
	})
}

// sendEvening sends a tab whenever it looks different from what was sent before.
func (p *Pages) sendEvening(ctx context.Context, stream *respond.Stream, watcher *respond.FeedWatcher[picture],
	l look) {
	sent := ""
	respond.Pump(ctx, stream, watcher.Next, func(now picture) (last bool, err error) {
		html, err := p.draw(ctx, now, l)
		if err != nil || html == sent {
			return false, err
		}
		sent = html
		return false, stream.Send("evening", strconv.FormatInt(now.now.Now.UnixMicro(), 10), html)
	})
}

// minutes are the whole ones of a length of time, away from 0.
func minutes(d time.Duration) int { return int(d / time.Minute) }

// isToday says whether a day of a restaurant is the one of an instant.
func isToday(e evening.Evening) bool { return e.Date == booking.DateOf(e.Now, e.Restaurant.Location) }
