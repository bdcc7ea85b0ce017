package staff

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/lineup"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/locks"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// lineView is a line's page, and what became of a form of it that was refused.
type lineView struct {
	place
	key     booking.SlotKey
	start   time.Time
	asked   keyset.Request
	reason  string // as typed
	notice  *string
	remove  string // whom the reader asks to remove
	refused []respond.Field
}

// linePicture is a line at one moment.
type linePicture struct {
	lineView
	status views.StaffLineStatus // without a language
}

// lineView finds the slot whose line a request is about. Returns the errors of place.
func (p *Pages) lineView(c *fiber.Ctx) (lineView, error) {
	w, err := p.place(c)
	if err != nil {
		return lineView{}, err
	}
	v := lineView{place: w}
	v.key, v.start, err = w.SlotKey(c)
	return v, err
}

// newLines are the lines that somebody looks at.
func newLines(bookings *reserve.Service) *respond.Feeds[booking.SlotKey, linePicture] {
	return &respond.Feeds[booking.SlotKey, linePicture]{
		Every: readEvery,
		Same: func(a, b linePicture) bool {
			return slices.Equal(a.status.Waiters, b.status.Waiters) && a.status.Count == b.status.Count &&
				shown(a.status.Steering) == shown(b.status.Steering)
		},
		Read: func(ctx context.Context, _ booking.SlotKey, last linePicture) (linePicture, error) {
			status, _, err := readLine(ctx, bookings, last.lineView)
			return linePicture{last.lineView, status}, err
		},
	}
}

// shown is what of a steering changes how a page looks.
func shown(s views.Steering) views.Steering {
	s.Now = time.Time{}
	return s
}

// readLine reads who waits in a line, and how it is steered. It returns the cursor of the next page.
func readLine(ctx context.Context, bookings *reserve.Service, v lineView) (views.StaffLineStatus, string, error) {
	status := views.StaffLineStatus{RestaurantID: v.Restaurant.ID, At: v.start}
	known, err := bookings.Occupancies(ctx, v.By, v.Restaurant, v.key.Date)
	if err != nil {
		return status, "", err
	}
	o, ok := known[v.key.Time]
	if !ok {
		return status, "", booking.ErrNotFound
	}
	status.Steering = respond.Steering(lineup.SteeringOf(o).At(bookings.Now()), v.Restaurant.Location, bookings.Now())
	page, err := bookings.WhoWaits(ctx, v.By, v.key, v.asked)
	if err != nil {
		return status, "", err
	}
	for _, w := range page.Items {
		w.Since = w.Since.In(v.start.Location())
		status.Waiters = append(status.Waiters, w)
	}
	status.Count = countWaiting(ctx, bookings, []booking.SlotKey{v.key})[0]
	return status, page.Next, nil
}

// line answers GET …/line.
func (p *Pages) line(c *fiber.Ctx) error {
	v, err := p.lineView(c)
	if err == nil {
		v.asked, err = respond.ReadPageAfter(c, views.FieldAfter)
	}
	if err != nil {
		return err
	}
	v.remove = strings.Clone(c.Query(views.FieldRemove))
	return p.showLine(c, v)
}

func (p *Pages) showLine(c *fiber.Ctx, v lineView) error {
	status, next, err := readLine(c.UserContext(), p.Bookings, v)
	if err != nil {
		return err
	}
	page := views.StaffLine{StaffShell: p.shell(c, v.place), At: v.start, Status: status, Reason: v.reason,
		Notice: status.Steering.Notice, MayPause: v.By.May(team.OpenCloseSlot), MaxReason: booking.MaxReasonRunes,
		MaxNotice: booking.MaxNoticeRunes,
		Pager:     respond.Pager(c, views.StaffLineURL(v.Restaurant.ID, v.start), views.FieldAfter, next)}
	page.Status.Lang = page.Lang
	if v.notice != nil {
		page.Notice = *v.notice
	}
	if at := slices.IndexFunc(status.Waiters, func(w reserve.Waiter) bool { return w.ID == v.remove }); at >= 0 {
		page.Removing = &status.Waiters[at]
	}
	code := fiber.StatusOK
	if len(v.refused) > 0 {
		code, page.Errors = fiber.StatusUnprocessableEntity, views.FieldErrors{}
		for _, f := range v.refused {
			page.Errors[f.Name] = respond.FieldSentence(page.Lang, f)
		}
	}
	return respond.Render(c, code, pages.Line(page))
}

// lineEvents answers GET …/line/events: "line" whenever it looks different, for as long as the viewer works there.
func (p *Pages) lineEvents(c *fiber.Ctx, v lineView) error {
	if err := v.By.Check(v.Restaurant.ID, team.SteerLine); err != nil {
		return err
	}
	lang, userID := respond.Lang(c), v.By.UserID()
	worksThere := func(ctx context.Context) error {
		_, err := p.Bookings.Staff(ctx, userID, v.Restaurant.ID)
		return err
	}
	return p.Streams.While(worksThere).Serve(c, func(ctx context.Context, stream *respond.Stream) {
		watcher := p.lines.Watch(v.key, linePicture{lineView: v})
		defer watcher.Close()
		respond.Pump(ctx, stream, watcher.Next, func(now linePicture) (last bool, err error) {
			now.status.Lang = lang
			var html strings.Builder
			if err := pages.LineStatus(now.status).Render(ctx, &html); err != nil {
				return true, err
			}
			return false, stream.Send("line", strconv.FormatInt(time.Now().UnixMicro(), 10), html.String())
		})
	})
}

// steerLine answers the forms of a line that change its slot.
func (p *Pages) steerLine(change func(c *fiber.Ctx, v *lineView) reserve.SlotChange, message string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v, err := p.lineView(c)
		if err != nil {
			return err
		}
		_, err = p.Bookings.ChangeSlot(c.UserContext(), v.By, v.key, change(c, &v), false)
		return p.afterLineAct(c, v, err, message)
	}
}

// pauseLine pauses with the reason of the form.
func pauseLine(c *fiber.Ctx, v *lineView) reserve.SlotChange {
	paused := true
	v.reason = strings.Clone(c.FormValue(views.FieldReason))
	return reserve.SlotChange{Paused: &paused, Reason: &v.reason}
}

func resumeLine(*fiber.Ctx, *lineView) reserve.SlotChange {
	paused := false
	return reserve.SlotChange{Paused: &paused}
}

// sayInLine says to all who wait what the form has.
func sayInLine(c *fiber.Ctx, v *lineView) reserve.SlotChange {
	notice := strings.Clone(c.FormValue(views.FieldNotice))
	v.notice = &notice
	return reserve.SlotChange{Notice: &notice}
}

// removeFromLine answers POST …/line/remove.
func (p *Pages) removeFromLine(c *fiber.Ctx, v lineView) error {
	v.remove, v.reason = strings.Clone(c.FormValue(views.FieldTicket)), strings.Clone(c.FormValue(views.FieldReason))
	err := p.Bookings.RemoveWaiter(c.UserContext(), v.By, v.key, v.remove, v.reason)
	if errors.Is(err, waiting.ErrUnknownTicket) || errors.Is(err, locks.ErrServing) {
		return respond.RedirectSaying(c, views.StaffLineURL(v.Restaurant.ID, v.start), views.FlashError,
			"flash.line_gone")
	}
	return p.afterLineAct(c, v, err, "flash.line_removed")
}

// endTurn answers POST …/line/turn.
func (p *Pages) endTurn(c *fiber.Ctx, v lineView) error {
	return p.afterLineAct(c, v, p.Bookings.EndTurn(c.UserContext(), v.By, v.key), "flash.line_turn")
}

// afterLineAct leads back to the line, or shows it again with what is wrong with the form.
func (p *Pages) afterLineAct(c *fiber.Ctx, v lineView, err error, message string) error {
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		for _, f := range invalid.Fields {
			name := f.Field
			if name == "message" {
				name = views.FieldNotice
			}
			v.refused = append(v.refused, respond.Field{Name: name, Reason: f.Reason, Min: f.Min, Max: f.Max})
		}
		return p.showLine(c, v)
	}
	return respond.Done(c, err, views.StaffLineURL(v.Restaurant.ID, v.start), views.FlashSuccess, message)
}
