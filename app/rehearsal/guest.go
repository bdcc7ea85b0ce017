package rehearsal

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/estimate"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
)

// guest is one of a crowd. The same guest of two rehearsals wants the same.
type guest struct {
	userID   string
	party    int
	patience time.Duration // for which they stay in line
	order    []booking.DraftItem
	chance   *rand.Rand
}

// answered is what one guest lived through.
type answered struct {
	pressed  time.Duration // since the first press
	at       time.Duration // of the answer, since the first press
	state    waiting.State
	code     string
	expected estimate.Range // that was shown first, since their press
	isKnown  bool
	rechosen bool
}

func (a answered) waited() time.Duration { return a.at - a.pressed }

// How long guests stay in line: most until they have an answer, some a while.
const (
	someWait  = 10 * time.Second
	othersToo = 30 * time.Second
)

// partySizes are those in which guests come: twos and the sizes around.
var partySizes = [...]int{2, 2, 4, 2, 3, 1, 2, 5, 2, 6}

// newGuest is the guest of a number: of a party within what the restaurant takes, two of three of which choose dishes.
func newGuest(stage Stage, number int) *guest {
	r := stage.Restaurant
	party := partySizes[number%len(partySizes)]
	g := &guest{userID: stage.Guests[number], party: min(max(party, r.PartyMin), r.PartyMax), patience: Longest,
		chance: rand.New(rand.NewPCG(1, uint64(number)))}
	switch number % 10 {
	case 4:
		g.patience = othersToo
	case 9:
		g.patience = someWait
	}
	if number%3 > 0 {
		g.choose(booking.ServedAt(stage.Menu, stage.Slot.Time))
	}
	return g
}

// choose orders a dish for each of the party. The dishes at the head of the menu are the most popular.
func (g *guest) choose(menu []booking.MenuItem) {
	g.order = nil
	if len(menu) == 0 {
		return
	}
	for range g.party {
		dish := menu[min(g.chance.IntN(len(menu)), g.chance.IntN(len(menu)))]
		at := slices.IndexFunc(g.order, func(it booking.DraftItem) bool { return it.MenuItemID == dish.ID })
		if at < 0 {
			at, g.order = len(g.order), append(g.order, booking.DraftItem{MenuItemID: dish.ID})
		}
		g.order[at].Quantity++
	}
}

// rechoices is how often a guest chooses again when a dish has run out; then they order nothing in advance.
const rechoices = 2

// live lets a guest press, again with other dishes where some have run out, until they have a table or give up.
func (c *crowd) live(ctx context.Context, g *guest) answered {
	a := answered{pressed: c.since()}
	patience, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	menu := booking.ServedAt(c.stage.Menu, c.stage.Slot.Time)
	for try := 0; ; try++ {
		var short *booking.OutOfStockError
		if result := c.press(patience, g, &a, try); !errors.As(result.Err(), &short) {
			a.at, a.state, a.code = c.since(), result.State, result.Code
			return a
		}
		a.rechosen = true
		for _, dish := range short.Items {
			c.noteSoldOut(dish)
			menu = slices.DeleteFunc(menu, func(item booking.MenuItem) bool { return item.ID == dish.MenuItemID })
		}
		if g.choose(menu); try >= rechoices {
			g.order = nil
		}
	}
}

// press submits a guest's request and waits for its result, at most until the guest's patience ends: then they leave
// the line.
func (c *crowd) press(patience context.Context, g *guest, a *answered, try int) waiting.Result {
	slot := c.stage.Slot
	draft := booking.Draft{RestaurantID: slot.RestaurantID, Date: string(slot.Date), Time: string(slot.Time),
		PartySize: g.party, Items: g.order}
	by := reserve.Submitter{UserID: g.userID, IdempotencyKey: c.stage.ID + strconv.Itoa(try)}
	watch, _, err := c.service.Bookings.Submit(patience, by, draft)
	if err != nil {
		return waiting.Refused(err)
	}
	defer watch.Close()
	for {
		status, err := watch.Next(patience)
		switch {
		case patience.Err() != nil:
			return c.leave(patience, watch, g)
		case err != nil || status.Reconnect:
			return waiting.Refused(waiting.ErrUnavailable)
		case status.State != waiting.Waiting:
			return status.Result
		}
		if status.RangeKnown && !a.isKnown {
			shift := c.since() - a.pressed
			a.expected, a.isKnown = estimate.Range{Low: status.Range.Low + shift, High: status.Range.High + shift}, true
		}
		c.see(status.Count)
	}
}

// leave takes a guest out of the line. Whose time ended with the rehearsal's has no answer.
func (c *crowd) leave(patience context.Context, watch *waiting.Watch, g *guest) waiting.Result {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(patience), leaving)
	defer cancel()
	if err := c.service.Bookings.Room.Leave(ctx, watch.Token(), g.userID); err != nil || g.patience == Longest {
		return waiting.Refused(waiting.ErrUnavailable)
	}
	return waiting.Result{State: waiting.Left, Code: waiting.ErrLeft.Code}
}

// leaving bounds the leaving of one guest.
const leaving = 5 * time.Second
