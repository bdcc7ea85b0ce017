package show

import (
	"context"
	"math/rand/v2"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
	"lunchgo/app/reserve"
)

// crowd are the simulated diners of one rush.
type crowd struct {
	service *Service
	show    Show
	people  []string // user ids, those who have not pressed yet
	waiting []place
}

// place is one in line.
type place struct{ ticket, userID string }

// patient is how many come for one who leaves.
const patient = 8

// partySizes are those in which they come.
var partySizes = [...]int{2, 2, 4, 2, 3, 1, 2, 4}

// What the crowd is called.
var (
	surnames = [...]string{"김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오", "서"}
	given    = [...]string{"서연", "민준", "지우", "도윤", "은서", "시우", "하은", "준서", "지민", "예준", "윤아"}
)

func names(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = surnames[i%len(surnames)] + given[i%len(given)]
	}
	return all
}

func newCrowd(s *Service, is Show, people []string) *crowd {
	rand.Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
	return &crowd{service: s, show: is, people: people}
}

// come lets the others press one after another, evenly, and some leave. It returns when all are there, or ctx ends. The
// server waits for them.
func (c *crowd) come(ctx context.Context) {
	pause := coming / time.Duration(max(len(c.people), 1))
	for ctx.Err() == nil && len(c.people) > 0 {
		if c.press(ctx, 1); len(c.people)%patient == 0 {
			c.leave(ctx)
		}
		jobs.Rest(ctx, nil, pause)
	}
}

// press lets the next n press. Who is refused stays away, like anybody.
func (c *crowd) press(ctx context.Context, n int) {
	slot := c.show.Slot
	for range min(n, len(c.people)) {
		userID := c.people[0]
		c.people = c.people[1:]
		draft := booking.Draft{RestaurantID: slot.RestaurantID, Date: string(slot.Date), Time: string(slot.Time),
			PartySize: partySizes[len(c.people)%len(partySizes)]}
		by := reserve.Submitter{UserID: userID, IdempotencyKey: "show " + c.show.OpensAt.UTC().Format(time.RFC3339)}
		watch, _, err := c.service.Bookings.Submit(ctx, by, draft)
		if err != nil {
			c.service.Log.DebugContext(ctx, "press of a simulated diner failed", "slot", slot, "error", err)
			continue
		}
		c.waiting = append(c.waiting, place{watch.Token(), userID})
		watch.Close()
	}
}

// leave takes one of those who wait out of the line.
func (c *crowd) leave(ctx context.Context) {
	if len(c.waiting) == 0 {
		return
	}
	at := rand.IntN(len(c.waiting))
	gone := c.waiting[at]
	c.waiting[at] = c.waiting[len(c.waiting)-1]
	c.waiting = c.waiting[:len(c.waiting)-1]
	if err := c.service.Bookings.Room.Leave(ctx, gone.ticket, gone.userID); err != nil { // served already
		c.service.Log.DebugContext(ctx, "leaving of a simulated diner failed", "slot", c.show.Slot, "error", err)
	}
}
