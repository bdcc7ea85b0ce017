package e2e_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"lunchgo/app/seed"
	"lunchgo/views"
)

// drag presses the mouse in the middle of an element, and lets it go as high as the middle of another one.
func (b counter) drag(from, to string) {
	b.t.Helper()
	*b.presses++
	b.until("nothing is in the way of "+from, fmt.Sprintf(reachable, from))
	at := evaluate[[]float64](b.tab, fmt.Sprintf(middle, from))
	end := evaluate[[]float64](b.tab, fmt.Sprintf(middle, to))
	mouse := func(kind input.DispatchMouseEventType, y float64, buttons int64) {
		b.t.Helper()
		b.do(send(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: y,
			Button: input.MouseButtonLeft, Buttons: buttons, ClickCount: 1}))
	}
	mouse(input.DispatchMouseEventTypeMousePressed, at[1], 1)
	mouse(input.DispatchMouseEventTypeMouseMoved, end[1], 1)
	mouse(input.DispatchMouseEventTypeMouseReleased, end[1], 0)
}

// sees waits in the page until a condition holds there, which is looked at whenever the page changes, and returns how
// long that took.
func (b *tab) sees(condition string) time.Duration {
	b.t.Helper()
	begun := time.Now()
	evaluate[bool](b, fmt.Sprintf(`new Promise((seen) => {
		const look = () => (%s) && (watch.disconnect(), seen(true));
		const watch = new MutationObserver(look);
		watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
		look();
	})`, condition))
	return time.Since(begun)
}

// asksNothing fails the test if the page was loaded again, or asked the server for anything but its stream, since mark.
func (b *tab) asksNothing() {
	b.t.Helper()
	b.mustBeMarked()
	asked := evaluate[[]string](b, `performance.getEntriesByType("resource")
		.filter((entry) => ["fetch", "xmlhttprequest", "iframe"].includes(entry.initiatorType))
		.map((entry) => entry.name)`)
	if len(asked) > 0 {
		b.t.Errorf("the page asked for %v", asked)
	}
}

// How many presses a host needs at most for what is usual of an evening.
const (
	tapsToSeat   = 1 // a party, from the list
	tapsToWalkIn = 3 // from the list: the room, the table, the party
	dragsToMove  = 1 // a party to another table, on the timeline
)

// tapThroughAnEvening takes the usual steps of an evening in one window, and counts its presses. A second window shows
// each by its stream, without asking for it.
func tapThroughAnEvening(p *product) {
	h := newTaps(p)
	h.does("seat a party", tapsToSeat, views.TabGuests, fmt.Sprintf("#g-%s.party-seated", h.party), func() {
		h.host.click("#step-seated-" + h.party)
	})
	table := fmt.Sprintf("#table-%d", h.tables[1])
	h.does("seat a walk-in", tapsToWalkIn, views.TabRoom, table+" .table-party", func() {
		h.host.click(fmt.Sprintf(".tabs a[href^=%q]", roomPath(h.restaurantID)))
		h.host.click(table + " .table-label a")
		h.host.click(fmt.Sprintf(`.table-buttons form:has([name=%s][value="2"]) button`, views.FieldParty))
	})
	h.host.tab.open(h.tab(views.TabTimeline))
	bar, row := fmt.Sprintf("#span-%s-0", h.party), fmt.Sprintf(`#timeline tr[data-seat="%d"]`, h.tables[2])
	h.does("move a party", dragsToMove, views.TabTimeline, row+" "+bar, func() { h.host.drag(bar, row) })
}

// taps is an evening with three tables for two, of which a party has the first.
type taps struct {
	*product
	restaurantID int64
	day          time.Time
	tables       []int64
	party        string // id of the reservation
	host         counter
	second       *tab
}

// newTaps has a restaurant of the demo open all day long, with more tables, which nobody has.
func newTaps(p *product) *taps {
	p.t.Helper()
	h := &taps{product: p, restaurantID: p.number(`SELECT id FROM restaurants WHERE slug = 'trattoria-sore'`),
		day: time.Now().In(seoul), second: p.staffTab(phoneKo), host: counter{p.staffTab(desktopKo), new(int)}}
	p.exec(`INSERT INTO staff_members (restaurant_id, user_id, role) SELECT $1, id, 'host' FROM users WHERE email = $2`,
		h.restaurantID, seed.StaffEmail)
	for i := range 3 {
		h.tables = append(h.tables, p.number(`
			INSERT INTO seats (restaurant_id, position, label, kind, places, map_x, map_y, map_width, map_height)
			SELECT $1, 100 + $2, 'E' || $2, 'table', 2, 20 + 90 * $2, 620, 60, 60
			RETURNING id`, h.restaurantID, i))
	}
	p.exec(`
		INSERT INTO special_hours (restaurant_id, opens_on, spans)
		VALUES ($1, $2, '[{"from": "00:00", "last": "23:30"}]')
		ON CONFLICT (restaurant_id, opens_on) DO UPDATE SET spans = excluded.spans`,
		h.restaurantID, h.day.Format(time.DateOnly))
	now := h.day.Truncate(30 * time.Minute).Format("15:04")
	h.host.tab.open(h.tab(views.TabSlots))
	h.host.untilAfterReloads("the day has all its times", exists("#slot-"+strings.ReplaceAll(now, ":", "")))
	h.party = h.book(body{"time": now, "source": "walk_in"})
	h.host.tab.open(h.tab(views.TabGuests))
	return h
}

// book books a table for two by the API, and returns the id.
func (h *taps) book(of body) string {
	h.t.Helper()
	of["date"], of["partySize"], of["seatIds"] = h.day.Format(time.DateOnly), 2, []int64{h.tables[0]}
	var made struct{ ID string }
	h.account(seed.StaffEmail).call("POST", fmt.Sprintf("/api/staff/restaurants/%d/reservations", h.restaurantID), 201,
		of, &made)
	return made.ID
}

func (h *taps) tab(tab views.EveningTab) string {
	return views.EveningAddress{RestaurantID: h.restaurantID, Day: h.day, Tab: tab}.URL()
}

func roomPath(restaurantID int64) string {
	path, _, _ := strings.Cut(views.EveningAddress{RestaurantID: restaurantID, Tab: views.TabRoom}.URL(), "?")
	return path
}

// does takes a step in the first window by so many presses, and waits until the second one, on a tab of the evening,
// shows an element that it does not show before.
func (h *taps) does(what string, most int, tab views.EveningTab, shown string, step func()) {
	h.t.Helper()
	h.second.open(h.tab(tab))
	h.second.until("the stream is open", exists("[data-stream]")+` && "htmx" in window`)
	h.second.mark()
	evaluate[chromedp.Void](h.second, "performance.clearResourceTimings()")
	if evaluate[bool](h.second, exists(shown)) {
		h.t.Fatalf("%s: %s is there before", what, shown)
	}
	*h.host.presses = 0
	step()
	took := h.second.sees(exists(shown))
	h.second.asksNothing()
	if *h.host.presses > most {
		h.t.Errorf("%s: %d presses, want %d at most", what, *h.host.presses, most)
	}
	h.t.Logf("%s: %d presses; the second window shows it %s after the last", what, *h.host.presses,
		took.Round(time.Millisecond))
}
