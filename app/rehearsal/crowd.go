package rehearsal

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"lunchgo/app/booking"
)

// crowd are the guests of one rehearsal.
type crowd struct {
	service *Service
	plan    Plan
	stage   Stage
	began   time.Time // when the first guests pressed

	mu      sync.Mutex
	answers []answered
	lines   []sighting
	dishes  []SoldOutDish
	known   map[int64]bool // dishes that have run out
	slowed  bool
}

// sighting is how long the line was at a moment.
type sighting struct {
	at    time.Duration
	count int
}

// SlugPrefix begins the slug of every copy.
const SlugPrefix = "rehearsal-"

// slowly is how many guests press in a second while real guests wait for a table elsewhere.
const slowly = 5

// perform makes the copy, lets the guests press, and cleans up, whatever happens. It ends with ctx.
func (s *Service) perform(ctx context.Context, id string, copied Copy) {
	report := emptyReport(copied.Plan)
	stage, err := s.Store.Open(ctx, id, copied)
	if err == nil {
		c := &crowd{service: s, plan: copied.Plan, stage: stage, dishes: []SoldOutDish{}, known: map[int64]bool{}}
		report = c.rush(ctx)
	} else {
		report.Failed = copied.Plan.Guests
		s.Log.WarnContext(ctx, "begin rehearsal failed", "rehearsal", id, "error", err)
	}
	cleaning, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if err := s.Store.End(cleaning, id, report); err != nil { // the lease expires, and Sweep ends it
		s.Log.WarnContext(ctx, "clean up rehearsal failed; will retry", "rehearsal", id, "error", err)
	}
}

// rush lets the guests press, some each second, and follows them until the last has an answer or the time is over.
func (c *crowd) rush(ctx context.Context) Report {
	ctx, cancel := context.WithTimeout(ctx, Longest)
	defer cancel()
	c.began = time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.pressAll(ctx)
	}()
	ticker := time.NewTicker(saveRate)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			_ = c.service.Store.Save(ctx, c.stage.ID, c.report()) // the next one is saved again
		case <-done:
			return c.final(ctx)
		}
	}
}

// pressAll lets the guests press in waves, a second apart, and returns when all of them have an answer, or ctx ends.
func (c *crowd) pressAll(ctx context.Context) {
	var guests sync.WaitGroup
	defer guests.Wait()
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for next := 0; next < len(c.stage.Guests); {
		wave := min(c.pace(ctx), len(c.stage.Guests)-next)
		for number := next; number < next+wave; number++ {
			guests.Go(func() { c.add(c.live(ctx, newGuest(c.stage, number))) })
		}
		if next += wave; next == len(c.stage.Guests) {
			return
		}
		select {
		case <-second.C:
		case <-ctx.Done():
			return
		}
	}
}

// pace is how many guests press now: few while real ones wait for a table somewhere, or that is not known. A rehearsal
// must not slow them.
func (c *crowd) pace(ctx context.Context) int {
	waiting, err := c.service.Lines.CountByRestaurant(ctx)
	for id := range waiting {
		if r, err := c.service.Bookings.FindRestaurant(ctx, id); err == nil && strings.HasPrefix(r.Slug, SlugPrefix) {
			delete(waiting, id)
		}
	}
	if err == nil && len(waiting) == 0 {
		return c.plan.AtOnce
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slowed = true
	return slowly
}

// since is the time since the first press.
func (c *crowd) since() time.Duration { return time.Since(c.began) }

func (c *crowd) add(a answered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers = append(c.answers, a)
}

func (c *crowd) see(count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, sighting{c.since(), count})
}

// noteSoldOut notes a dish of which too few portions are left, once none is.
func (c *crowd) noteSoldOut(dish booking.Shortage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.stage.Menu, func(item booking.MenuItem) bool { return item.ID == dish.MenuItemID })
	if c.known[dish.MenuItemID] || dish.Remaining > 0 || at < 0 {
		return
	}
	c.known[dish.MenuItemID] = true
	c.dishes = append(c.dishes, SoldOutDish{Name: c.stage.Menu[at].Name, AfterMs: max(1, c.since().Milliseconds())})
}

// final is the report with what the database says. Guests whom the end of the time kept from pressing have no answer.
func (c *crowd) final(ctx context.Context) Report {
	report := c.report()
	report.Failed += report.Guests - report.Answered
	seats, taken, inversions, err := c.service.Store.Outcome(context.WithoutCancel(ctx), c.stage.Slot)
	if err == nil {
		report.Seats, report.Taken, report.OrderInversions = seats, taken, inversions
		report.Oversold = max(0, taken-seats)
	}
	return report
}
