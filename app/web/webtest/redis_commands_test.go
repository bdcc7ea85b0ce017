package webtest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
)

// servedCommands is how many commands Redis may execute for a diner in a rush, from the press to the result, with a
// stream, those inside scripts included. It is generous: a busy machine makes small groups.
const servedCommands = 14.0

// How many it may execute for who learns at once that the slot is sold out: for each, and for each of the groups in
// which they happen to be asked about together.
const (
	refusedCommands      = 1.1
	refusedGroupCommands = 4.1
)

// A rush is cheap for Redis: what people have in common is done once for all of them.
func TestRedisCommands_OfADinerInARush(t *testing.T) {
	t.Parallel()
	const people = 500
	r := newHarnessWith(t, programtest.Setup{Redis: dbtest.PrivateRedisURL(t)})
	slot := r.bigSlot(t, 2*people)
	crowd := r.crowd(t, 2*people)

	served := r.countCommands(t, func() { r.rush(t, crowd[:people], slot) })
	if n := served.report(t, "redis-commands/served", people); n > servedCommands {
		t.Errorf("%.1f commands a person who is served, want %.1f at most", n, servedCommands)
	}
	if n := r.seats(t, slot); n != 2*people {
		t.Fatalf("%d seats are taken", n)
	}
	dbtest.Eventually(t, "the cache knows that the slot is sold out", func() bool {
		day, err := r.Availability.List(t.Context(), slot.RestaurantID, slot.Date)
		return err == nil && day[slot.Time].Remaining() == 0
	})
	refused := r.countCommands(t, func() { r.refusals(t, crowd[people:], slot) })
	all := refused.report(t, "redis-commands/refused", people)
	if n := refused.ofEach(people); n > refusedCommands {
		t.Errorf("%.1f commands for each who is refused, want %.1f at most", n, refusedCommands)
	}
	// how a line gets on is asked again and again meanwhile, the oftener the slower the machine is
	progress := float64(refused["zcard"]+refused["hmget"]) / people
	groups := float64(refused["evalsha"]) / people
	if most := refusedCommands + refusedGroupCommands*groups; all-progress > most {
		t.Errorf("%.1f commands a person who is refused, want %.1f at most", all-progress, most)
	}
}

// bigSlot is a slot with so many seats, of a restaurant of its own.
func (r *harness) bigSlot(t *testing.T, seats int) booking.SlotKey {
	t.Helper()
	place := r.restaurant
	place.Slug, place.Capacity = "hall", seats
	id, err := r.Stores.Seeds.PutRestaurant(t.Context(), place, r.menu)
	dbtest.Must(t, err)
	slot := r.slot("19:00")
	slot.RestaurantID = id
	return slot
}

// rush lets everybody press while another process has the turn, and follow their ticket's stream to the result.
func (r *harness) rush(t *testing.T, crowd []person, slot booking.SlotKey) {
	t.Helper()
	release := r.rival(t, slot)
	ends := make([]<-chan event, len(crowd))
	var all sync.WaitGroup
	for i, who := range crowd {
		all.Go(func() {
			a := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "")
			ends[i], _ = r.stream(t, who, "/api/tickets/"+a.text(t, "ticket")+"/events")
		})
	}
	all.Wait()
	release()
	for _, events := range ends {
		var last event
		for e := range events {
			last = e
		}
		if !strings.Contains(last.data, `"state":"reserved"`) {
			t.Fatalf("a stream ended with %+v", last)
		}
	}
}

// commands is how often Redis has executed each command.
type commands map[string]int

// countCommands counts the commands that Redis executes while something is done, those inside scripts included.
func (r *harness) countCommands(t *testing.T, do func()) commands {
	t.Helper()
	before := r.commands(t)
	do()
	after := r.commands(t)
	for name, n := range before {
		after[name] -= n
	}
	return after
}

func (r *harness) commands(t *testing.T) commands {
	t.Helper()
	info, err := r.Redis.Info(context.WithoutCancel(t.Context()), "commandstats").Result()
	dbtest.Must(t, err)
	counted := commands{}
	for _, found := range regexp.MustCompile(`cmdstat_([^:]+):calls=(\d+)`).FindAllStringSubmatch(info, -1) {
		counted[found[1]], _ = strconv.Atoi(found[2])
	}
	return counted
}

// ofEach is how many there are for each person, without those that are far fewer than people: groups share them, or
// they run by themselves meanwhile.
func (c commands) ofEach(people int) (each float64) {
	for _, n := range c {
		if 2*n > people {
			each += float64(n) / float64(people)
		}
	}
	return each
}

// report logs how many of each command there are a person, and returns how many all are.
func (c commands) report(t *testing.T, whose string, people int) float64 {
	t.Helper()
	each := func(n int) float64 { return float64(n) / float64(people) }
	byNumber := func(a, b string) int { return cmp.Or(c[b]-c[a], strings.Compare(a, b)) }
	total, list := 0, ""
	for _, name := range slices.SortedFunc(maps.Keys(c), byNumber) {
		total += c[name]
		if c[name] > 0 {
			list += fmt.Sprintf(" %s %.3f", name, each(c[name]))
		}
	}
	t.Logf("%s: %.1f commands a person:%s", whose, each(total), list)
	measured.Log(t, whose, map[string]int{"diners": people}, map[string]float64{"Redis commands": each(total)})
	return each(total)
}
