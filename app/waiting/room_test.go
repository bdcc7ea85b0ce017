package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// The servers of the tests live as long as the test process; nothing else may be left.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.startChild.func1"),
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.(*Server).supervise"))
}

// counter is a Server that gives out seats in the order it is asked, and remembers that order.
type counter struct {
	mu      sync.Mutex
	seats   int
	order   []int64 // arrival numbers
	runs    []int   // sizes
	fails   []error // given before anything is served
	poison  string  // user whose wish fails its whole run
	refuses map[string]Result
}

func (s *counter) Refuse(_ context.Context, w Wish) (Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.refuses[w.Line.Key]
	return r, ok
}

func (s *counter) Serve(_ context.Context, _ Turn, run []Served) ([]Result, *Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.fails) > 0 {
		err := s.fails[0]
		s.fails = s.fails[1:]
		return nil, nil, err
	}
	if slices.ContainsFunc(run, func(w Served) bool { return s.poison != "" && w.UserID == s.poison }) {
		return nil, nil, errors.New("poisoned")
	}
	s.runs = append(s.runs, len(run))
	var results []Result
	for _, w := range run {
		s.order = append(s.order, w.Arrival)
		if s.seats == 0 {
			results = append(results, Result{State: Rejected, Code: CodeSoldOut})
			continue
		}
		s.seats--
		results = append(results, Result{State: Reserved, ReservationID: "for-" + w.UserID})
	}
	if s.seats == 0 {
		return results, &Result{State: Rejected, Code: CodeSoldOut, OnHold: 7}, nil
	}
	return results, nil, nil
}

// Left says how many seats there are.
func (s *counter) Left(context.Context, locks.Name) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seats, true
}

func (s *counter) Recall(_ context.Context, _ locks.Name, ticket string) (Result, error) {
	return Result{}, ErrUnknownTicket
}

// place is a set of rooms on one Redis: the same installation seen from several processes.
type place struct {
	t      testing.TB
	rdb    redis.UniversalClient
	prefix string
	server *counter
}

func newPlace(t *testing.T, seats int) *place { return newPlaceAt(t, dbtest.RedisURL(t), seats) }

func newPlaceAt(t testing.TB, redisURL string, seats int) *place {
	t.Helper()
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(options)
	t.Cleanup(func() { _ = rdb.Close() })
	return &place{t: t, rdb: rdb, prefix: dbtest.KeyPrefix(t), server: &counter{seats: seats}}
}

func (p *place) room(cfg Config) *Room {
	p.t.Helper()
	return p.roomOf(p.server, cfg)
}

// roomOf is a room whose turns are served by another Server than the place's.
func (p *place) roomOf(server Server, cfg Config) *Room {
	p.t.Helper()
	cfg.Prefix, cfg.Log = p.prefix, slog.New(slog.DiscardHandler)
	r := Open(p.rdb, server, NewSigner([]byte("a secret of the test installation")), cfg)
	p.t.Cleanup(func() {
		if err := r.Close(context.WithoutCancel(p.t.Context())); err != nil {
			p.t.Error(err)
		}
	})
	return r
}

var evening = locks.Name{Partition: "r1:2026-12-24", Key: "19:00"}

func wish(user, key string) Wish {
	return Wish{Line: evening, UserID: user, IdempotencyKey: key, Payload: json.RawMessage(`{}`)}
}

// rival takes the line's turn from another process, so that everyone else has to wait.
func (p *place) rival() *locks.Turn {
	p.t.Helper()
	client := locks.NewClient(p.rdb, locks.Config{Prefix: p.prefix, Node: "rival"})
	turn, err := client.Line(evening).Lock(p.t.Context(), "the-rival")
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = client.Close(context.WithoutCancel(p.t.Context())) })
	return turn
}

func press(t *testing.T, r *Room, w Wish) *Watch {
	t.Helper()
	watch, err := r.Press(t.Context(), w)
	if err != nil {
		t.Fatalf("press of %s: %v", w.UserID, err)
	}
	t.Cleanup(watch.Close)
	return watch
}

// settledWithin waits for a ticket's answer.
func settledWithin(t *testing.T, w *Watch, d time.Duration) Status {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	status := w.Settled(ctx)
	if status.State == Waiting {
		t.Fatalf("no answer within %v: %+v", d, status)
	}
	return status
}

// eventually polls until ok holds.
func eventually(t *testing.T, within time.Duration, what string, ok func() bool) {
	t.Helper()
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline.C:
			t.Fatalf("not within %v: %s", within, what)
		case <-tick.C:
		}
	}
}

func TestPressIsServedAtOnceWhenTheTurnIsFree(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	status := settledWithin(t, press(t, p.room(Config{}), wish("ann", "k1")), 2*time.Second)
	if status.State != Reserved || status.Result.ReservationID != "for-ann" {
		t.Fatalf("got %+v", status)
	}
}

func TestThoseWhoWaitAreServedInOrderOfArrival(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 1000)
	turn := p.rival()
	rooms := []*Room{p.room(Config{}), p.room(Config{})}
	var watches []*Watch
	for i := range 150 {
		watches = append(watches, press(t, rooms[i%2], wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	eventually(t, 3*time.Second, "the last one stands at 150", func() bool { return watches[149].Status().Position == 150 })
	eventually(t, 3*time.Second, "the first one stands at 1 of 150", func() bool {
		first := watches[0].Status()
		return first.Position == 1 && first.Count == 150
	})
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range watches {
		if s := settledWithin(t, w, 10*time.Second); s.State != Reserved {
			t.Fatalf("got %+v", s)
		}
	}
	if !slices.IsSorted(p.server.order) || len(p.server.order) != 150 {
		t.Fatalf("served %d, not in order of arrival: %v", len(p.server.order), p.server.order)
	}
}

func TestOneTurnServesARunOfThoseBehindIt(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 1000)
	turn := p.rival()
	room := p.room(Config{})
	var watches []*Watch
	for i := range 100 {
		watches = append(watches, press(t, room, wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range watches {
		settledWithin(t, w, 5*time.Second)
	}
	if want := []int{64, 36}; !slices.Equal(p.server.runs, want) {
		t.Fatalf("runs of %v, want %v", p.server.runs, want)
	}
}

func TestASecondPressFindsTheFirst(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	room := p.room(Config{UserLock: 300 * time.Millisecond})
	first := press(t, room, wish("ann", "k1"))

	if again := press(t, room, wish("ann", "k1")); again.Pass() != first.Pass() {
		t.Error("the same key got another ticket")
	}
	if _, err := room.Press(t.Context(), wish("ann", "k2")); !errors.Is(err, ErrInProgress) {
		t.Errorf("another key within the user lock: %v, want ErrInProgress", err)
	}
	eventually(t, 2*time.Second, "another key after the user lock finds the same place", func() bool {
		w, err := room.Press(t.Context(), wish("ann", "k2"))
		if err != nil {
			return false
		}
		defer w.Close()
		return w.Pass() == first.Pass()
	})
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	settledWithin(t, first, 2*time.Second)
	if after := press(t, room, wish("ann", "k1")).Status(); after.State != Reserved {
		t.Errorf("a repeat after the answer got %+v", after)
	}
	if len(p.server.order) != 1 {
		t.Errorf("served %d times", len(p.server.order))
	}
}

func TestAHundredPressesOfOnePersonAreOneTicket(t *testing.T) {
	t.Parallel()
	if tickets, line := pressAHundredTimes(t, admitScript); tickets != 1 || line != 2 { // one person and the rival
		t.Errorf("%d tickets, %d in line", tickets, line)
	}
}

// The control: without the look for an earlier press, every press is a ticket.
func TestWithoutTheUserLockPressesMultiply(t *testing.T) {
	t.Parallel()
	blind := strings.Replace(admitLua, "if raw then", "if false then", 1)
	if tickets, _ := pressAHundredTimes(t, redis.NewScript(blind)); tickets < 2 {
		t.Errorf("%d tickets: the control shows no race", tickets)
	}
}

// pressAHundredTimes lets one person press at two processes at once, and says how many tickets came of it and how many
// stand in line then.
func pressAHundredTimes(t *testing.T, admission *redis.Script) (tickets, line int) {
	t.Helper()
	p := newPlace(t, 1000)
	p.rival()
	rooms := []*Room{p.room(Config{MaxLines: 1000}), p.room(Config{MaxLines: 1000})}
	ids := make([]string, 100)
	var all sync.WaitGroup
	for _, r := range rooms {
		r.tickets.admission = admission
	}
	for i := range ids {
		all.Go(func() {
			w, err := rooms[i%2].Press(t.Context(), wish("ann", "k"))
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			if pass, err := rooms[0].signer.Read(w.Pass(), "ann"); err == nil {
				ids[i] = pass.Ticket
			}
		})
	}
	all.Wait()
	lengths, err := rooms[0].Lengths(t.Context(), []locks.Name{evening})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	return len(slices.Compact(ids)), lengths[0]
}

func TestAClosedRoomsTicketsKeepTheirPlacesElsewhere(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.rival()
	first, second := p.room(Config{}), p.room(Config{})
	ahead := press(t, second, wish("bob", "k"))
	mine := press(t, first, wish("ann", "k"))
	behind := press(t, second, wish("cem", "k"))
	pass := mine.Pass()
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, err := mine.Next(t.Context()); err != nil || !s.Reconnect {
		if s, err = mine.Next(t.Context()); err != nil || !s.Reconnect {
			t.Fatalf("the watcher of a closing room got %+v, %v", s, err)
		}
	}
	adopted, err := second.Watch(t.Context(), pass, "ann")
	if err != nil {
		t.Fatal(err)
	}
	defer adopted.Close()
	for want, w := range []*Watch{ahead, adopted, behind} {
		eventually(t, 2*time.Second, "the places are as they were", func() bool { return w.Status().Position == want+1 })
	}
}

func TestAClosedLineAnswersEveryoneAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 2)
	turn := p.rival()
	rooms := []*Room{p.room(Config{Run: 2}), p.room(Config{Run: 2})}
	var watches []*Watch
	for i := range 60 {
		watches = append(watches, press(t, rooms[i%2], wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	reserved, told := 0, 0
	for _, w := range watches {
		switch s := settledWithin(t, w, 3*time.Second); {
		case s.State == Reserved:
			reserved++
		case s.Result.Code == CodeSoldOut && s.Result.OnHold == 7:
			told++
		}
	}
	if reserved != 2 || told < 50 {
		t.Fatalf("%d reserved, %d told by the closing of the line", reserved, told)
	}
	if len(p.server.runs) > 6 {
		t.Errorf("%d runs were served after the line was closed", len(p.server.runs))
	}
}

func TestAnAbsentDinerLosesThePlaceAfterTheGrace(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.rival()
	room := p.room(Config{Present: 100 * time.Millisecond, Grace: 200 * time.Millisecond})
	away, err := room.Press(t.Context(), wish("ann", "k"))
	if err != nil {
		t.Fatal(err)
	}
	pass := away.Pass()
	stays := press(t, room, wish("bob", "k"))
	away.Close()
	eventually(t, 5*time.Second, "bob moves up", func() bool { return stays.Status().Position == 1 })
	back, err := room.Watch(t.Context(), pass, "ann")
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	if s := back.Status(); s.State != Left || s.Result.Code != CodeLeft {
		t.Fatalf("got %+v", s)
	}
}

func TestLeavingIsFinalAndFreesThePerson(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	room := p.room(Config{})
	w := press(t, room, wish("ann", "k1"))
	for range 2 {
		if err := room.Leave(t.Context(), w.Pass(), "ann"); err != nil {
			t.Fatal(err)
		}
	}
	if s := settledWithin(t, w, time.Second); s.State != Left {
		t.Fatalf("got %+v", s)
	}
	again := press(t, room, wish("ann", "k2"))
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if s := settledWithin(t, again, 2*time.Second); s.State != Reserved {
		t.Fatalf("got %+v", s)
	}
}

func TestWhatCannotBeServedNowIsServedLaterInOrder(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.server.fails = []error{ErrUnavailable, ErrOvertaken, ErrUnavailable}
	room := p.room(Config{})
	a, b := press(t, room, wish("ann", "k")), press(t, room, wish("bob", "k"))
	for _, w := range []*Watch{a, b} {
		if s := settledWithin(t, w, 10*time.Second); s.State != Reserved {
			t.Fatalf("got %+v", s)
		}
	}
	if !slices.IsSorted(p.server.order) {
		t.Fatalf("served out of order: %v", p.server.order)
	}
}

func TestOneBadWishDoesNotFailItsRun(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.server.poison = "eve"
	turn := p.rival()
	room := p.room(Config{})
	good, bad, last := press(t, room, wish("ann", "k")), press(t, room, wish("eve", "k")), press(t, room, wish("bob", "k"))
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if s := settledWithin(t, bad, 5*time.Second); s.Result.Code != CodeUnavailable {
		t.Errorf("the bad wish got %+v", s)
	}
	for _, w := range []*Watch{good, last} {
		if s := settledWithin(t, w, 5*time.Second); s.State != Reserved {
			t.Errorf("a good wish got %+v", s)
		}
	}
}

func TestTheLongestLineRefusesAndForgets(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	room := p.room(Config{MaxLine: 2})
	press(t, room, wish("ann", "k"))
	press(t, room, wish("bob", "k"))
	if _, err := room.Press(t.Context(), wish("cem", "k")); !errors.Is(err, ErrLineFull) {
		t.Fatalf("got %v, want ErrLineFull", err)
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if s := settledWithin(t, press(t, room, wish("cem", "k")), 3*time.Second); s.State != Reserved {
		t.Fatalf("the same press later got %+v", s)
	}
}

func TestAPersonStandsInAFewLinesOnly(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	room := p.room(Config{MaxLines: 2})
	for i, want := range []error{nil, nil, ErrTooMany} {
		w := wish("ann", "k")
		w.Line.Key = fmt.Sprintf("2%d:00", i)
		client := locks.NewClient(p.rdb, locks.Config{Prefix: p.prefix, Node: fmt.Sprint("rival", i)})
		t.Cleanup(func() { _ = client.Close(context.WithoutCancel(t.Context())) })
		if _, err := client.Line(w.Line).Lock(t.Context(), "the-rival"); err != nil {
			t.Fatal(err)
		}
		watch, err := room.Press(t.Context(), w)
		if !errors.Is(err, want) {
			t.Fatalf("line %d: %v, want %v", i, err, want)
		}
		if watch != nil {
			watch.Close()
		}
	}
}

func TestARefusedPressTakesNoPlaceButARepeatFindsItsResult(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	room := p.room(Config{})
	settledWithin(t, press(t, room, wish("ann", "k")), 2*time.Second)
	p.server.mu.Lock()
	p.server.refuses = map[string]Result{evening.Key: {State: Rejected, Code: CodeSoldOut}}
	p.server.mu.Unlock()
	if s := press(t, room, wish("ann", "k")).Status(); s.State != Reserved {
		t.Errorf("the repeat got %+v", s)
	}
	refused := press(t, room, wish("bob", "k"))
	if s := refused.Status(); s.Result.Code != CodeSoldOut || refused.Pass() != "" {
		t.Errorf("the refused press got %+v and the pass %q", s, refused.Pass())
	}
}

func TestEveryKeyExpires(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 1)
	turn := p.rival()
	room := p.room(Config{})
	waits, leaves := press(t, room, wish("ann", "k")), press(t, room, wish("bob", "k"))
	if err := room.Leave(t.Context(), leaves.Pass(), "bob"); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		keys, err := p.rdb.Keys(t.Context(), p.prefix+"*").Result()
		if err != nil || len(keys) == 0 {
			t.Fatalf("keys: %v, %v", keys, err)
		}
		for _, key := range keys {
			if ttl := p.rdb.PTTL(t.Context(), key).Val(); ttl == -1 {
				t.Errorf("%s never expires", key)
			}
		}
	}
	check()
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	settledWithin(t, waits, 2*time.Second)
	check()
}

func TestAPassIsItsOwnersOnly(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.rival()
	room := p.room(Config{})
	pass := press(t, room, wish("ann", "k")).Pass()
	forged := []byte(pass)
	forged[3] ^= 1
	for name, c := range map[string]struct{ pass, user string }{
		"another person's": {pass, "bob"},
		"tampered":         {string(forged), "ann"},
		"made up":          {"no-ticket", "ann"},
		"empty":            {"", "ann"},
		"other secret":     {NewSigner([]byte("another")).Sign(Pass{Line: evening, Ticket: "T", UserID: "ann"}), "ann"},
	} {
		if _, err := room.Watch(t.Context(), c.pass, c.user); !errors.Is(err, ErrUnknownTicket) {
			t.Errorf("%s: %v, want ErrUnknownTicket", name, err)
		}
	}
}
