package diner

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/components"
)

// barPause is how long the bar waits before it says that a place has moved again.
const barPause = time.Second

// waitsEvents answers GET /waits/events: the bar's places whenever one has moved, what came of a wait in words, and
// "done" once nobody waits any more.
func (s *Pages) waitsEvents(c *fiber.Ctx) error {
	session, err := respond.Session(c)
	if err != nil {
		return s.done(c)
	}
	p := placesOf{Pages: s, userID: session.UserID, lang: respond.Lang(c)}
	places, err := p.list(c.UserContext(), respond.TicketHints(c))
	if err != nil {
		return err
	}
	watches := map[string]*waiting.Watch{}
	for _, place := range places {
		if place.State != views.WaitOpen {
			continue
		}
		watch, err := s.Room.Watch(c.UserContext(), place.Ticket, session.UserID)
		if err != nil {
			closeAll(watches)
			return err
		}
		watches[place.Ticket] = watch
	}
	if len(watches) == 0 {
		return s.done(c)
	}
	return s.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		defer closeAll(watches)
		moves, end := followAll(ctx, watches)
		defer end()
		b := barStream{placesOf: p, stream: stream, watches: watches, places: places, open: len(watches)}
		respond.Pump(ctx, stream, moves.next, func(m move) (last bool, err error) { return b.send(ctx, m) })
	})
}

func closeAll(watches map[string]*waiting.Watch) {
	for _, watch := range watches {
		watch.Close()
	}
}

// move is where one of several tickets stands now.
type move struct {
	ticket string
	status waiting.Status
}

type moves chan move

func (m moves) next(ctx context.Context) (move, error) {
	select {
	case next := <-m:
		return next, nil
	case <-ctx.Done():
		return move{}, ctx.Err()
	}
}

// followAll follows tickets until each has its result, or end is called, which waits until nobody uses the watches any
// more.
func followAll(ctx context.Context, watches map[string]*waiting.Watch) (all moves, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	all = make(moves)
	done := make(chan struct{}, len(watches))
	for ticket, watch := range watches {
		go func() {
			defer func() { done <- struct{}{} }()
			follow(ctx, ticket, watch, all)
		}()
	}
	return all, func() {
		cancel()
		for range watches {
			<-done
		}
	}
}

func follow(ctx context.Context, ticket string, watch *waiting.Watch, to moves) {
	for {
		status, err := watch.Next(ctx)
		if err != nil {
			return
		}
		select {
		case to <- move{ticket, status}:
		case <-ctx.Done():
			return
		}
		if status.State != waiting.Waiting || status.Reconnect {
			return
		}
		resting, cancel := context.WithTimeout(ctx, barPause)
		watch.WaitForResult(resting)
		cancel()
	}
}

// barStream is one diner's bar, as the stream has shown it last.
type barStream struct {
	placesOf
	stream  *respond.Stream
	watches map[string]*waiting.Watch
	places  []waitPlace
	open    int // places that still wait
}

// send shows a move, and says in words what came of a wait.
func (b *barStream) send(ctx context.Context, m move) (last bool, err error) {
	if m.status.Reconnect {
		return true, b.stream.Reconnect()
	}
	at := slices.IndexFunc(b.places, func(p waitPlace) bool { return p.Ticket == m.ticket })
	over := m.status.State != waiting.Waiting
	if over {
		b.open--
	}
	place, ok, err := b.read(ctx, b.watches[m.ticket], m.status)
	if err != nil {
		return true, err // the browser comes back, and the page's server says it then
	}
	place.Ticket = m.ticket
	if ok {
		b.places[at] = place
	} else {
		b.places = slices.Delete(b.places, at, at+1)
	}
	if err := b.show(ctx); err != nil {
		return true, err
	}
	if over && ok {
		if err := b.stream.Send("result", version(), components.WaitResult(b.lang, place.WaitPlace)); err != nil {
			return true, err
		}
	}
	if b.open == 0 {
		return true, sendDone(b.stream)
	}
	return false, nil
}

func (b *barStream) show(ctx context.Context) error {
	if len(b.places) == 0 { // the place was left in another tab
		return nil
	}
	var part bytes.Buffer
	bar := views.WaitBar{Lang: b.lang, Live: true, Places: shownPlaces(b.places)}
	if err := components.WaitPlaces(bar).Render(ctx, &part); err != nil {
		return err
	}
	return b.stream.Send("waits", version(), part.String())
}
