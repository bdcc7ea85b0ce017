package against

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/rush"
	"lunchgo/db/dbtest"
)

// harness is a scratch database with tools on it.
type harness struct {
	tools
	scratch *Scratch
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	client := redisOf(t)
	scratch, err := OpenScratch(t.Context(), dbtest.PostgresURL(t), client)
	dbtest.Must(t, err)
	t.Cleanup(func() {
		if err := scratch.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := openSeats(t.Context(), scratch.URL)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = s.db.Close() })
	return &harness{tools{seats: s, redis: client, tries: redisOf(t), keys: keys(scratch.Prefix),
		wakeups: newWakeups()}, scratch}
}

func redisOf(t *testing.T) redis.UniversalClient {
	t.Helper()
	options, err := redis.ParseURL(dbtest.RedisURL(t))
	dbtest.Must(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// rush lets diners rush to a design, and returns what the comparison says of it.
func (h *harness) rush(t *testing.T, d design, o rush.Options, again rush.Retry) rush.Row {
	t.Helper()
	dbtest.Must(t, h.wakeups.listen(t.Context(), h.redis, h.keys))
	target := rush.Target{Installation: h.scratch, Retry: again}
	var listeners []net.Listener
	for _, addresses := range []*[]string{&target.URLs, &target.Ops} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		dbtest.Must(t, err)
		listeners, *addresses = append(listeners, listener), []string{"http://" + listener.Addr().String()}
	}
	ended := make(chan error, 1)
	go func() {
		ended <- serve(t.Context(), handler{d, h.seats, newThreads(o.Threads)}, listeners[0], listeners[1])
	}()
	t.Cleanup(func() {
		if err := <-ended; err != nil { // the test's context has ended
			t.Error(err)
		}
	})
	report, err := rush.Run(t.Context(), o, target, io.Discard)
	dbtest.Must(t, err)
	if report.HTTPErrors > 0 {
		t.Errorf("%d answers outside the contract: %v", report.HTTPErrors, report.Notes)
	}
	return rush.NewRow("", report)
}

func options(diners, seats int) rush.Options {
	return rush.Options{Diners: diners, Restaurants: 1, Slots: 1, Seats: seats, Party: 2, Instances: 1,
		Timeout: time.Minute, Against: rush.Designs}
}

func TestDesigns_AreThoseOfTheRush(t *testing.T) {
	t.Parallel()
	if names := slices.Sorted(maps.Keys(designs)); !slices.Equal(names, slices.Sorted(slices.Values(rush.Designs))) {
		t.Errorf("the designs are %v, the rush names %v", names, rush.Designs)
	}
}

// Everybody is answered or gives up, and no design sells a seat twice, at one slot and at several.
func TestDesigns_AnswerACrowd(t *testing.T) {
	t.Parallel()
	for _, name := range rush.Designs {
		for _, slots := range []int{1, 4} {
			t.Run(fmt.Sprint(name, " ", slots), func(t *testing.T) {
				t.Parallel()
				h := newHarness(t)
				o := options(80, 20)
				o.Slots = slots
				r := h.rush(t, designs[name](h.tools), o, RetryOf(name))
				if r.Oversold != 0 || r.Answered+r.GaveUp != 80 || r.Reserved > 10*slots {
					t.Errorf("%+v", r)
				}
				if r.Answered == 0 || r.AnswerP50Ms <= 0 || r.MaxDBConnections == nil || *r.MaxDBConnections < 1 ||
					*r.MaxDBConnections > poolSize {
					t.Errorf("%+v", r)
				}
				if r.PageP50Ms <= 0 || r.PageMaxMs < r.PageP50Ms || r.PageRefused > 0 {
					t.Errorf("the other page: %+v", r)
				}
			})
		}
	}
}

// designFunc is a design of a test.
type designFunc func(p press) (string, error)

func (f designFunc) reserve(p press) (string, error) { return f(p) }

// The control: a seat check without any lock sells seats twice, and the comparison says so. The row of the slot is
// there before, because who makes it holds up the others.
func TestRow_CountsWhatIsOversold(t *testing.T) {
	t.Parallel()
	const atOnce = poolSize / 2
	h := newHarness(t)
	var first sync.Once
	var counted atomic.Int64
	all := make(chan struct{}) // have counted before any of them commits
	unlocked := designFunc(func(p press) (id string, err error) {
		first.Do(func() { id, err = h.seats.book(p, h.seats.find, nil) })
		if id != "" {
			return id, err
		}
		return h.seats.book(p, h.seats.find, func(int) {
			if counted.Add(1) == atOnce {
				close(all)
			}
			<-all
		})
	})
	const seats = 2 * atOnce // one more party than fits
	if r := h.rush(t, unlocked, options(40, seats), rush.Retry{}); r.Oversold < 2 || r.Reserved <= seats/2 {
		t.Errorf("nothing is oversold: %+v", r)
	}
}

// The control: a design that serves those first who came last overtakes all others, those with seats and those without.
func TestRow_CountsWhoIsOvertaken(t *testing.T) {
	t.Parallel()
	const diners = 8
	h := newHarness(t)
	var mu sync.Mutex
	turns := make([]chan struct{}, 0, diners+1)
	turns = append(turns, make(chan struct{})) // of nobody
	backwards := designFunc(func(p press) (string, error) {
		mine := make(chan struct{})
		mu.Lock()
		before := turns[len(turns)-1]
		turns = append(turns, mine)
		if len(turns) == diners+1 {
			close(mine)
		}
		mu.Unlock()
		<-mine
		defer close(before)
		return h.seats.book(p, h.seats.find, nil)
	})
	o := options(diners, 10)
	o.Over = 4 * time.Second
	if r := h.rush(t, backwards, o, rush.Retry{}); r.Overtaken != diners-1 || r.Reserved != 5 || r.Answered != diners {
		t.Errorf("%d of %d are overtaken: %+v", r.Overtaken, diners, r)
	}
}

// The control: while a crowd has all connections, the other page waits for one.
func TestRow_ShowsThatThePoolIsDry(t *testing.T) {
	t.Parallel()
	const held = 500 * time.Millisecond
	h := newHarness(t)
	slow := designFunc(func(p press) (string, error) {
		return h.seats.book(p, h.seats.find, func(int) { <-time.After(held) })
	})
	if r := h.rush(t, slow, options(2*poolSize, 1000), rush.Retry{}); r.PageMaxMs < milliseconds(held)/2 {
		t.Errorf("%+v", r)
	}
}

// No more presses are worked on at once than there are threads.
func TestThreads_BoundTheWork(t *testing.T) {
	t.Parallel()
	for threads, within := range map[int]func(most int64) bool{
		3: func(most int64) bool { return most == 3 },
		0: func(most int64) bool { return most > 3 }, // the control
	} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			var now, most atomic.Int64
			d := designFunc(func(p press) (string, error) {
				defer now.Add(-1)
				for n := now.Add(1); ; {
					before := most.Load()
					if n <= before || most.CompareAndSwap(before, n) {
						break
					}
				}
				<-time.After(50 * time.Millisecond)
				return h.seats.book(p, h.seats.lock, nil)
			})
			o := options(30, 100)
			o.Threads = threads
			if r := h.rush(t, d, o, rush.Retry{}); r.Answered != 30 || !within(most.Load()) {
				t.Errorf("%d at once with %d threads: %+v", most.Load(), threads, r)
			}
		})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Who is refused as busy presses again, and gives up after so many times. A design that is free again serves them.
func TestRetry_PressesAgain(t *testing.T) {
	t.Parallel()
	again := rush.Retry{Times: 2, Least: time.Millisecond, Most: 5 * time.Millisecond}
	for refusals, want := range map[int]int{2: 10, 3: 0} {
		t.Run(fmt.Sprint(refusals), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			var mu sync.Mutex
			presses := map[string]int{}
			d := designFunc(func(p press) (string, error) {
				mu.Lock()
				presses[p.UserID]++
				refused := presses[p.UserID] <= refusals
				mu.Unlock()
				if refused {
					return "", busyError{1}
				}
				return h.seats.book(p, h.seats.lock, nil)
			})
			if r := h.rush(t, d, options(10, 20), again); r.Answered != want || r.GaveUp != 10-want {
				t.Errorf("%+v", r)
			}
			if presses["diner-0"] != 3 {
				t.Errorf("pressed %d times, want 3", presses["diner-0"])
			}
		})
	}
}

func TestScratch_LeavesNothing(t *testing.T) {
	t.Parallel()
	client := redisOf(t)
	address := dbtest.PostgresURL(t)
	s, err := OpenScratch(t.Context(), address, client)
	dbtest.Must(t, err)
	key := s.Prefix + "key"
	dbtest.Must(t, client.Set(t.Context(), key, 1, 0).Err())
	if _, err := openSeats(t.Context(), s.URL); err != nil { // and it stays open
		t.Fatal(err)
	}
	dbtest.Must(t, s.Close())
	if n := client.Exists(t.Context(), key).Val(); n != 0 {
		t.Error("a key is left")
	}
	if _, err := openSeats(t.Context(), s.URL); err == nil {
		t.Error("the database is left")
	}
}

// A diner who has the seats already, and one for whom there are none, change nothing.
func TestBook_Refuses(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	stage, err := h.scratch.Prepare(t.Context(), options(2, 4))
	dbtest.Must(t, err)
	slot := stage.Restaurants[0].Slots[0]
	p := press{UserID: "a", RestaurantID: slot.RestaurantID, Date: slot.Date, Time: slot.Time, PartySize: 2}
	for _, step := range []struct {
		user string
		want error
	}{{"a", nil}, {"a", errDuplicate}, {"b", nil}, {"c", errSoldOut}} {
		p.UserID = step.user
		if _, err := h.seats.book(p, h.seats.lock, nil); !errors.Is(err, step.want) {
			t.Errorf("%s: %v, want %v", step.user, err, step.want)
		}
	}
	seats, err := h.scratch.Seats(t.Context(), stage)
	if err != nil || len(seats) != 1 || seats[0] != (rush.Seats{Capacity: 4, Held: 4}) {
		t.Errorf("%+v, %v", seats, err)
	}
}
