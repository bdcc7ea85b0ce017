package rehearsal

import (
	"context"
	"slices"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/estimate"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
)

// answered is what one guest lived through.
type answered struct {
	after    time.Duration // from the press
	state    waiting.State
	code     string
	expected estimate.Range // that was shown first
	isKnown  bool
}

// crowd are the guests of one rehearsal.
type crowd struct {
	service *Service
	stage   Stage
	pressed time.Time

	mu      sync.Mutex
	answers []answered
	lines   []sighting
}

// sighting is how long the line was at a moment.
type sighting struct {
	after time.Duration
	count int
}

// perform makes the copy, lets the guests press, and cleans up, whatever happens. It ends with ctx.
func (s *Service) perform(ctx context.Context, id string, r booking.Restaurant) {
	n := s.Guests
	if n == 0 {
		n = Guests
	}
	report := Report{Guests: n, EstimatePercent: -1}
	stage, err := s.Store.Open(ctx, id, shadowOf(r), n)
	if err == nil {
		c := &crowd{service: s, stage: stage}
		report = c.rush(ctx)
	} else {
		report.Failed = n
	}
	cleaning, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	_ = s.Store.End(cleaning, id, report) // the lease expires, and the copy is never listed
}

// shadowOf is a copy of a restaurant that is never listed and takes bookings around the clock. It keeps what decides over a rush:
// capacity, seats, party sizes, hold and deposit.
func shadowOf(r booking.Restaurant) booking.Restaurant {
	copied := r
	copied.ID, copied.Shadow, copied.Draft = 0, true, false
	copied.SlotMinutes, copied.LeadMinutes, copied.HorizonDays = 60, 0, 3
	copied.Hours, copied.Closures = nil, nil
	for day := range 7 {
		copied.Hours = append(copied.Hours, booking.Opening{Weekday: time.Weekday(day), From: "00:00", Last: "23:00"})
	}
	return copied
}

// rush lets all guests press at one moment, and follows them until the last has an answer or the time is over.
func (c *crowd) rush(ctx context.Context) Report {
	ctx, cancel := context.WithTimeout(ctx, Longest)
	defer cancel()
	start, done := make(chan struct{}), make(chan struct{})
	var guests sync.WaitGroup
	for i, guest := range c.stage.Guests {
		guests.Go(func() {
			<-start
			c.add(c.press(ctx, guest, c.party(i)))
		})
	}
	c.pressed = time.Now()
	close(start)
	go func() {
		guests.Wait()
		close(done)
	}()
	ticker := time.NewTicker(saveRate)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			_ = c.service.Store.Save(ctx, c.stage.ID, c.report())
		case <-done:
			return c.final(ctx)
		}
	}
}

// party is how many a guest comes with: twos and the sizes around, within what the restaurant takes.
func (c *crowd) party(i int) int {
	sizes := []int{2, 2, 4, 2, 3, 1}
	r := c.stage.Restaurant
	return min(max(sizes[i%len(sizes)], r.PartyMin), r.PartyMax)
}

// press submits one guest's request and waits for its result.
func (c *crowd) press(ctx context.Context, guest string, party int) (a answered) {
	slot := c.stage.Slot
	watch, _, err := c.service.Bookings.Submit(ctx, reserve.Submitter{UserID: guest, IdempotencyKey: c.stage.ID},
		booking.Draft{RestaurantID: slot.RestaurantID, Date: string(slot.Date), Time: string(slot.Time), PartySize: party})
	if err != nil {
		return answered{after: time.Since(c.pressed), code: waiting.CodeOf(err)}
	}
	defer watch.Close()
	for {
		status, err := watch.Next(ctx)
		if err != nil || status.Reconnect {
			a.after, a.code = time.Since(c.pressed), waiting.CodeUnavailable
			return a
		}
		if status.State != waiting.Waiting {
			a.after, a.state, a.code = time.Since(c.pressed), status.State, status.Result.Code
			return a
		}
		if status.RangeKnown && !a.isKnown {
			shift := time.Since(c.pressed)
			a.expected, a.isKnown = estimate.Range{Low: status.Range.Low + shift, High: status.Range.High + shift}, true
		}
		c.see(status.Count)
	}
}

func (c *crowd) add(a answered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers = append(c.answers, a)
}

func (c *crowd) see(count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, sighting{time.Since(c.pressed), count})
}

// final is the report with what the database says.
func (c *crowd) final(ctx context.Context) Report {
	report := c.report()
	seats, taken, inversions, err := c.service.Store.Outcome(context.WithoutCancel(ctx), c.stage.Slot)
	if err == nil {
		report.Seats, report.Taken, report.OrderInversions = seats, taken, inversions
		report.Oversold = max(0, taken-seats)
	}
	return report
}

// report is what is known so far.
func (c *crowd) report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := Report{Guests: len(c.stage.Guests), Answered: len(c.answers), EstimatePercent: -1, Waits: make([]int, tenths), Line: make([]int, tenths)}
	sorted := slices.SortedFunc(slices.Values(c.answers), func(a, b answered) int { return int(a.after - b.after) })
	if len(sorted) == 0 {
		return r
	}
	last := sorted[len(sorted)-1].after
	r.FirstMs, r.MedianMs, r.LastMs = sorted[0].after.Milliseconds(), sorted[len(sorted)/2].after.Milliseconds(), last.Milliseconds()
	judged, right := 0, 0
	for _, a := range sorted {
		r.Waits[tenth(a.after, last)]++
		r.count(a)
		if a.isKnown {
			judged++
			if a.expected.Contains(a.after) {
				right++
			}
		}
	}
	if judged > 0 {
		r.EstimatePercent = 100 * right / judged
	}
	for _, s := range c.lines {
		at := tenth(s.after, last)
		r.Line[at], r.LongestLine = max(r.Line[at], s.count), max(r.LongestLine, s.count)
	}
	return r
}

func (r *Report) count(a answered) {
	switch {
	case a.state == waiting.Reserved:
		r.Seated++
	case a.code == waiting.CodeSoldOut || a.code == waiting.CodeSeatTaken:
		r.SoldOut++
		if r.SoldOutMs == 0 {
			r.SoldOutMs = max(1, a.after.Milliseconds())
		}
	default:
		r.Failed++
	}
}

// tenths is how many parts of the time the charts show.
const tenths = 10

func tenth(at, last time.Duration) int { return min(tenths-1, int(tenths*at/max(1, last))) }
