package staff

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// readEvery is how often an open evening is read again. However many look at it, it is read once.
const readEvery = time.Second

// readSlowest is how rarely an evening is read that takes long to read and draw: with thousands of parties, or while
// the machine is busy with a rush.
const readSlowest = 5 * time.Second

// trendTime is how far back the lengths of lines lie by which a line is said to grow.
const trendTime = time.Minute

type boardKey struct {
	restaurantID int64
	date         booking.Date
}

// picture is an evening at one moment, and what was drawn of it.
type picture struct {
	place  // of the first who looked at it
	now    evening.Evening
	before []evening.Slot // as they were about a minute ago; nil at first
	since  time.Time      // when before was now
	drawn  *drawings
}

// look is how somebody looks at an evening: those who look alike see the same.
type look struct {
	lang string
	role identity.Role
	tab  views.EveningTab
	evening.Query
}

// drawings are the looks of one picture, each drawn once.
type drawings struct {
	mu   sync.Mutex
	html map[look]string
	took time.Duration // to draw them
}

// time is how long it took to draw what was drawn.
func (d *drawings) time() time.Duration {
	if d == nil {
		return 0 // the picture was never shown
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.took
}

// newBoards are the evenings that somebody looks at.
func newBoards(deps Deps) *respond.Feeds[boardKey, picture] {
	return &respond.Feeds[boardKey, picture]{
		Every: readEvery, Slowest: readSlowest,
		Shown: func(p picture) time.Duration { return p.drawn.time() },
		Same:  func(a, b picture) bool { return evening.Same(a.now, b.now) },
		Read: func(ctx context.Context, key boardKey, last picture) (picture, error) {
			next, err := deps.readPicture(ctx, key, last)
			if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
				deps.Log.WarnContext(ctx, "read evening failed", slog.Int64("restaurant", key.restaurantID),
					slog.Any("error", err))
			}
			return next, err
		},
	}
}

// readPicture reads an evening again, under the rules that the restaurant has by now.
func (d Deps) readPicture(ctx context.Context, key boardKey, last picture) (picture, error) {
	next := picture{place: last.place, before: last.before, since: last.since,
		drawn: &drawings{html: map[look]string{}}}
	r, err := d.Bookings.FindRestaurant(ctx, key.restaurantID)
	if err != nil {
		return last, err
	}
	next.Restaurant = r
	if next.now, err = d.Evenings.Read(ctx, next.By, r, key.date); err != nil {
		return last, err
	}
	if !last.now.Now.IsZero() && next.now.Now.Sub(last.since) >= trendTime {
		next.before, next.since = last.now.Slots, next.now.Now
	}
	return next, nil
}

// draw returns the live part of a tab as HTML. It is drawn once for all who look alike.
func (p *Pages) draw(ctx context.Context, now picture, l look) (string, error) {
	now.drawn.mu.Lock()
	defer now.drawn.mu.Unlock()
	if html, ok := now.drawn.html[l]; ok {
		return html, nil
	}
	began := time.Now()
	defer func() { now.drawn.took += time.Since(began) }()
	var html strings.Builder
	if err := pages.TonightLive(p.live(now, l)).Render(ctx, &html); err != nil {
		return "", err
	}
	now.drawn.html[l] = html.String()
	return html.String(), nil
}
