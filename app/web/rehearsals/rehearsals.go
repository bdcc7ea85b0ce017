// Package rehearsals holds the page on which staff rehearse a rush.
package rehearsals

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/rehearsal"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/rehearsals"
)

// readEvery is how often a rehearsal that somebody watches is read.
const readEvery = time.Second

// Deps is what the page works with.
type Deps struct {
	Places     workplace.Finder
	Rehearsals *rehearsal.Service
	Streams    respond.Streams
}

// Pages answers the requests about rehearsals.
type Pages struct {
	Deps
	feeds *respond.Feeds[int64, latest]
}

// latest is the latest rehearsal of a restaurant that somebody watches, if it has one.
type latest struct {
	place workplace.Workplace // of who watched first
	all   []rehearsal.Rehearsal
}

// New returns the page over its parts.
func New(deps Deps) *Pages {
	return &Pages{Deps: deps, feeds: &respond.Feeds[int64, latest]{
		Every: readEvery,
		Same:  func(a, b latest) bool { return reflect.DeepEqual(a.all, b.all) },
		Read: func(ctx context.Context, restaurantID int64, last latest) (latest, error) {
			all, err := deps.Rehearsals.Latest(ctx, last.place.By, restaurantID)
			return latest{last.place, all}, err
		},
	}}
}

// Mount adds the routes. The server must have put respond.Authenticator.Identify and respond.RefuseCrossSite in
// front of them.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	const at = "/staff/restaurants/:restaurant/rehearsal"
	r.Get(at, gates.Shed, p.Places.For(team.RunRehearsal, p.page))
	r.Post(at, gates.Shed, p.Places.For(team.RunRehearsal, p.run))
	r.Get(at+"/events", gates.Stream, gates.Shed, p.Places.For(team.RunRehearsal, p.events))
}

// page answers GET …/rehearsal. While a rehearsal runs, the page updates by its stream; a browser without JavaScript
// asks again by itself.
func (p *Pages) page(c *fiber.Ctx, w workplace.Workplace) error {
	return p.show(c, w, answer{status: fiber.StatusOK, form: usualForm(w.Restaurant, p.Rehearsals.Now())})
}

// answer is what became of a form.
type answer struct {
	status int
	fault  string
	errors views.FieldErrors
	form   views.RehearsalForm
}

func (p *Pages) show(c *fiber.Ctx, w workplace.Workplace, a answer) error {
	known, err := p.Rehearsals.Latest(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	a.form.MinGuests, a.form.MaxGuests = rehearsal.MinGuests, rehearsal.MaxGuests
	a.form.MinAtOnce, a.form.MaxAtOnce = rehearsal.MinAtOnce, rehearsal.MaxAtOnce
	today := w.Today(p.Rehearsals.Now())
	page := views.Rehearsal{StaffShell: p.Places.Shell(c, w, views.SectionSetup), Fault: a.fault, Errors: a.errors,
		Form: a.form, Times: times(w.Restaurant, today), First: w.Midnight(today),
		Last: w.Midnight(today.AddDays(w.Restaurant.HorizonDays))}
	page.Path, page.Live = views.RehearsalURL(w.Restaurant.ID), live(latest{w, known}, page.Lang)
	return respond.Render(c, a.status, pages.Rehearsal(page))
}

// run answers POST …/rehearsal.
func (p *Pages) run(c *fiber.Ctx, w workplace.Workplace) error {
	text := func(name string) string { return strings.TrimSpace(strings.Clone(c.FormValue(name))) }
	a := answer{form: views.RehearsalForm{Date: text(views.FieldDate), Time: text(views.FieldTime),
		Guests: text(views.FieldGuests), AtOnce: text(views.FieldAtOnce)}}
	_, err := p.Rehearsals.Run(c.UserContext(), w.By, w.Restaurant, rehearsal.Asked{Date: a.form.Date, Time: a.form.Time,
		Guests: number(a.form.Guests), AtOnce: number(a.form.AtOnce)})
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		a.status, a.errors = fiber.StatusUnprocessableEntity, views.FieldErrors{}
		for _, f := range invalid.Fields {
			field := respond.Field{Name: f.Field, Reason: f.Reason, Min: f.Min, Max: f.Max}
			a.errors[f.Field] = respond.FieldSentence(respond.Lang(c), field)
		}
		return p.show(c, w, a)
	}
	if err == nil {
		return respond.Redirect(c, views.RehearsalURL(w.Restaurant.ID))
	}
	what := respond.ProblemOf(err)
	switch what.Code {
	case "rehearsal_running", "rehearsals_elsewhere", "too_many_rehearsals", "guests_waiting":
		a.status, a.fault = what.Status, respond.Sentence(respond.Lang(c), what)
		return p.show(c, w, a)
	}
	return err
}

// number is 0 for nothing, which is usual, and -1, which is out of range, for what is no number.
func number(typed string) int {
	if typed == "" {
		return 0
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n == 0 {
		return -1
	}
	return n
}

// events answers GET …/rehearsal/events: "rehearsal" with what is known of the latest one, for as long as the viewer
// works there, and "done" once it has ended.
func (p *Pages) events(c *fiber.Ctx, w workplace.Workplace) error {
	lang := respond.Lang(c)
	worksThere := func(ctx context.Context) error {
		by, err := p.Places.Bookings.Staff(ctx, w.By.UserID(), w.Restaurant.ID)
		if err != nil {
			return err
		}
		return by.Check(w.Restaurant.ID, team.RunRehearsal)
	}
	return p.Streams.While(worksThere).Serve(c, func(ctx context.Context, stream *respond.Stream) {
		watcher := p.feeds.Watch(w.Restaurant.ID, latest{place: w})
		defer watcher.Close()
		respond.Pump(ctx, stream, watcher.Next, func(now latest) (last bool, err error) {
			shown := live(now, lang)
			var html strings.Builder
			if err := pages.Live(shown).Render(ctx, &html); err != nil {
				return true, err
			}
			err = stream.Send("rehearsal", strconv.FormatInt(time.Now().UnixMicro(), 10), html.String())
			if err == nil && !shown.Running {
				return true, stream.Send("done", "", "")
			}
			return false, err
		})
	})
}
