package staff

import (
	"context"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// board answers GET /staff/restaurants/{id}: the slots of one day.
func (p *Pages) board(c *fiber.Ctx) error {
	w, err := p.place(c)
	if err != nil {
		return err
	}
	date := w.Date(c, p.Bookings.Now())
	slots, err := readSlots(c.UserContext(), p.Bookings, w, date)
	if err != nil {
		return err
	}
	f := p.Layout(c)
	now := p.Bookings.Now().In(w.Restaurant.Location)
	return respond.Render(c, fiber.StatusOK, pages.Board(views.StaffBoard{
		Layout: f, RestaurantID: w.Restaurant.ID, Restaurant: w.Restaurant.Name.In(f.Lang),
		Date: w.Midnight(date), Today: w.Midnight(w.Today(p.Bookings.Now())),
		Slots: views.BoardSlots{Lang: f.Lang, RestaurantID: w.Restaurant.ID, UpdatedAt: now, Slots: slots, Estimates: p.estimates()},
	}))
}

// boardEvents answers GET /staff/restaurants/{id}/events: "board" whenever the day looks different, for as long as the viewer
// works there.
func (p *Pages) boardEvents(c *fiber.Ctx) error {
	w, err := p.place(c)
	if err != nil {
		return err
	}
	lang, date := respond.Lang(c), w.Date(c, p.Bookings.Now())
	session, err := respond.Session(c)
	if err != nil {
		return err
	}
	worksThere := func(ctx context.Context) error {
		_, err := p.Bookings.Staff(ctx, session.UserID, w.Restaurant.ID)
		return err
	}
	return p.Streams.While(worksThere).Serve(c, func(ctx context.Context, stream *respond.Stream) {
		watcher := p.boards.Watch(boardKey{w.Restaurant.ID, date}, picture{place: w})
		defer watcher.Close()
		respond.Pump(ctx, stream, watcher.Next, func(now picture) (last bool, err error) {
			return false, sendBoard(ctx, stream, views.BoardSlots{Lang: lang, RestaurantID: w.Restaurant.ID, UpdatedAt: now.at,
				Slots: now.slots, Estimates: p.estimates()})
		})
	})
}

func sendBoard(ctx context.Context, stream *respond.Stream, board views.BoardSlots) error {
	var html strings.Builder
	if err := pages.BoardSlots(board).Render(ctx, &html); err != nil {
		return err
	}
	return stream.Send("board", strconv.FormatInt(board.UpdatedAt.UnixMicro(), 10), html.String())
}

// estimates are how good the times were that diners of this process were shown.
func (p *Pages) estimates() views.EstimateFigures {
	figures := p.Accuracy()
	share, _ := figures.Share()
	return views.EstimateFigures{People: figures.People, Percent: int(100 * share)}
}
