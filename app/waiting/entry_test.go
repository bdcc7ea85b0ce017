package waiting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

func TestEnter_ASecondRequestFindsTheFirst(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	room := h.room(Config{UserLock: 300 * time.Millisecond})
	first := enter(t, room, request("ann", "k1"))

	if again := enter(t, room, request("ann", "k1")); again.Token() != first.Token() {
		t.Error("the same key got another ticket")
	}
	if _, err := room.Enter(t.Context(), request("ann", "k2")); !errors.Is(err, ErrInProgress) {
		t.Errorf("another key within the user lock: %v, want ErrInProgress", err)
	}
	dbtest.Eventually(t, "another key after the user lock finds the same place", func() bool {
		w, err := room.Enter(t.Context(), request("ann", "k2"))
		if err != nil {
			return false
		}
		defer w.Close()
		return w.Token() == first.Token()
	})
	dbtest.Must(t, turn.Release(t.Context(), 1))
	awaitResult(t, first)
	if after := enter(t, room, request("ann", "k1")).Status(); after.State != Reserved {
		t.Errorf("a repeat after the answer got %+v", after)
	}
	if len(h.handler.arrivals()) != 1 {
		t.Errorf("served %d times", len(h.handler.arrivals()))
	}
}

func TestEnter_AHundredRequestsOfOnePersonAreOneTicket(t *testing.T) {
	t.Parallel()
	if tickets, line := enterAHundredTimes(t, admitScript); tickets != 1 || line != 2 { // one person and the rival
		t.Errorf("%d tickets, %d in line", tickets, line)
	}
}

// The control: without the look for an earlier request, every request gets a ticket.
func TestEnter_WithoutTheUserLockTicketsMultiply(t *testing.T) {
	t.Parallel()
	blind := strings.Replace(admitLua, "if of_line == line then", "if false then", 1)
	if blind == admitLua {
		t.Fatal("the script has no such look")
	}
	if tickets, _ := enterAHundredTimes(t, redis.NewScript(blind)); tickets < 2 {
		t.Errorf("%d tickets: the control shows no race", tickets)
	}
}

// enterAHundredTimes lets one person enter at two processes at once, and says how many tickets came of it and how many
// addTicket in line then.
func enterAHundredTimes(t *testing.T, admission *redis.Script) (tickets, line int) {
	t.Helper()
	h := newHarness(t, 1000)
	h.takeTurn()
	rooms := []*Room{h.room(Config{MaxLines: 1000}), h.room(Config{MaxLines: 1000})}
	ids := make([]string, 100)
	var all sync.WaitGroup
	for _, r := range rooms {
		r.store.admission = admission
	}
	for i := range ids {
		all.Go(func() {
			w, err := rooms[i%2].Enter(t.Context(), request("ann", "k"))
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			if signed, err := rooms[0].signer.Read(w.Token(), "ann"); err == nil {
				ids[i] = signed.Ticket
			}
		})
	}
	all.Wait()
	lengths, err := rooms[0].Lengths(t.Context(), []locks.Name{evening})
	dbtest.Must(t, err)
	slices.Sort(ids)
	return len(slices.Compact(ids)), lengths[0]
}

// Whoever waits for longer than the longest wait gets that for an answer, whether or not somebody watches. The age is
// that of the place: a process that adopts a ticket does not begin to count anew.
func TestMaxWait_CountsFromTheArrival(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	h.takeTurn()
	room := h.room(Config{MaxWait: time.Minute})
	young, old := adopt(t, room, "bob", 50*time.Second), adopt(t, room, "ann", 61*time.Second)
	if s := awaitResult(t, old); s.Result.Code != ErrWaitTimeout.Code {
		t.Errorf("after 61 seconds: %+v", s)
	}
	if s := young.Status(); s.State != Waiting {
		t.Errorf("after 50 seconds: %+v", s)
	}
}

// A turn may come to tickets that no process has looked after for long.
func TestMaxWait_NobodyIsServedAfterIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{MaxWait: time.Minute})
	if s := awaitResult(t, adopt(t, room, "ann", 61*time.Second)); s.Result.Code != ErrWaitTimeout.Code {
		t.Errorf("got %+v", s)
	}
	if order := h.handler.arrivals(); len(order) != 0 {
		t.Errorf("served %v", order)
	}
}

// adopt has a room adopt a ticket that has waited elsewhere for a while.
func adopt(t *testing.T, room *Room, user string, age time.Duration) *Watch {
	t.Helper()
	req, ticket := request(user, "k"), newTicketID(2)
	if _, err := room.store.admit(t.Context(), req, ticket); err != nil {
		t.Fatal(err)
	}
	token := Token{Line: evening, Ticket: ticket, UserID: user, Arrival: time.Now().Add(-age).UnixMicro()}
	watch, err := room.Watch(t.Context(), room.signer.Sign(token), user)
	dbtest.Must(t, err)
	t.Cleanup(watch.Close)
	return watch
}

func TestLeave_IsFinalAndFreesThePerson(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	room := h.room(Config{})
	w := enter(t, room, request("ann", "k1"))
	for range 2 {
		dbtest.Must(t, room.Leave(t.Context(), w.Token(), "ann"))
	}
	if s := awaitResult(t, w); s.State != Left {
		t.Fatalf("got %+v", s)
	}
	again := enter(t, room, request("ann", "k2"))
	dbtest.Must(t, turn.Release(t.Context(), 1))
	if s := awaitResult(t, again); s.State != Reserved {
		t.Fatalf("got %+v", s)
	}
}

func TestEnter_TheLongestLineRefusesAndForgets(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	room := h.room(Config{MaxLine: 2})
	enter(t, room, request("ann", "k"))
	enter(t, room, request("bob", "k"))
	if _, err := room.Enter(t.Context(), request("cem", "k")); !errors.Is(err, ErrLineFull) {
		t.Fatalf("got %v, want ErrLineFull", err)
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	if s := awaitResult(t, enter(t, room, request("cem", "k"))); s.State != Reserved {
		t.Fatalf("the same request later got %+v", s)
	}
}

func TestEnter_APersonWaitsInAFewLinesOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{MaxLines: 2})
	for i, want := range []error{nil, nil, ErrTooMany} {
		req := request("ann", "k")
		req.Line.Key = fmt.Sprintf("2%d:00", i)
		client := locks.NewClient(h.rdb, locks.Config{Prefix: h.prefix, Node: fmt.Sprint("rival", i)})
		t.Cleanup(func() { _ = client.Close(context.WithoutCancel(t.Context())) })
		if _, err := client.Line(req.Line).Lock(t.Context(), "the-rival"); err != nil {
			t.Fatal(err)
		}
		watch, err := room.Enter(t.Context(), req)
		if !errors.Is(err, want) {
			t.Fatalf("line %d: %v, want %v", i, err, want)
		}
		if watch != nil {
			watch.Close()
		}
	}
}

func TestEnter_ARefusedRequestTakesNoPlaceButARepeatFindsItsResult(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	awaitResult(t, enter(t, room, request("ann", "k")))
	h.handler.mu.Lock()
	h.handler.refuses = map[string]Result{evening.Key: {State: Rejected, Code: booking.ErrSoldOut.Code}}
	h.handler.mu.Unlock()
	if s := enter(t, room, request("ann", "k")).Status(); s.State != Reserved {
		t.Errorf("the repeat got %+v", s)
	}
	refused := enter(t, room, request("bob", "k"))
	if s := refused.Status(); s.Result.Code != booking.ErrSoldOut.Code || refused.Token() != "" {
		t.Errorf("the refused request got %+v and the token %q", s, refused.Token())
	}
}

func TestKeys_AllExpire(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1)
	turn := h.takeTurn()
	room := h.room(Config{})
	waits, leaves := enter(t, room, request("ann", "k")), enter(t, room, request("bob", "k"))
	dbtest.Must(t, room.Leave(t.Context(), leaves.Token(), "bob"))
	check := func() {
		t.Helper()
		keys, err := h.rdb.Keys(t.Context(), h.prefix+"*").Result()
		if err != nil || len(keys) == 0 {
			t.Fatalf("keys: %v, %v", keys, err)
		}
		for _, key := range keys {
			if ttl := h.rdb.PTTL(t.Context(), key).Val(); ttl == -1 {
				t.Errorf("%s never expires", key)
			}
		}
	}
	check()
	dbtest.Must(t, turn.Release(t.Context(), 1))
	awaitResult(t, waits)
	check()
}

func TestWatch_ATokenIsItsOwnersOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	h.takeTurn()
	room := h.room(Config{})
	signed := enter(t, room, request("ann", "k")).Token()
	forged := []byte(signed)
	forged[3] ^= 1
	for name, c := range map[string]struct{ signed, user string }{
		"another person's": {signed, "bob"},
		"tampered":         {string(forged), "ann"},
		"made up":          {"no-ticket", "ann"},
		"empty":            {"", "ann"},
		"other secret":     {NewSigner(token.Secrets{"another"}).Sign(Token{Line: evening, Ticket: "T", UserID: "ann"}), "ann"},
	} {
		if _, err := room.Watch(t.Context(), c.signed, c.user); !errors.Is(err, ErrUnknownTicket) {
			t.Errorf("%s: %v, want ErrUnknownTicket", name, err)
		}
	}
}

// fullHands is a Handler for whom everybody who was served lately has as much as a limit allows.
type fullHands struct{ *seatsHandler }

func (fullHands) CheckLimits(context.Context, Request) (Result, bool) {
	return Refused(&booking.TooManyHoldsError{Limit: 1, Reason: booking.TooManyHolds}), true
}

// Who has as much as a limit allows hears so at the press, and takes no place; who has nothing yet waits.
func TestEnter_LimitsAreToldAtThePress(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.roomOf(fullHands{h.handler}, Config{})
	if s := awaitResult(t, enter(t, room, request("ann", "k"))); s.State != Reserved {
		t.Fatalf("got %+v", s)
	}
	later := request("ann", "k2")
	later.Line.Key = "21:00"
	for range 2 { // nothing is left of the first press
		if s := enter(t, room, later).Status(); s.State != Rejected || s.Result.Code != booking.ErrTooManyHolds.Code {
			t.Errorf("got %+v", s)
		}
	}
	if n, err := room.Lengths(t.Context(), []locks.Name{later.Line}); err != nil || n[0] != 0 {
		t.Errorf("%d wait, %v", n, err)
	}
}

// unsure is a Handler whose looks at a request come to nothing: what they ask does not answer.
type unsure struct{ *seatsHandler }

func (unsure) Precheck(ctx context.Context, _ Request) (Result, bool) {
	<-ctx.Done()
	return Result{}, false
}

func (unsure) CheckLimits(ctx context.Context, _ Request) (Result, bool) {
	<-ctx.Done()
	return Result{}, false
}

// What the looks before the place ask may hang: a press gets its place all the same, its first and the next.
func TestEnter_WaitsForNoLook(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.roomOf(unsure{h.handler}, Config{})
	ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
	defer cancel()
	for _, at := range []string{"19:00", "21:00"} { // at the second it is somebody served lately
		req := request("ann", "key at "+at)
		req.Line.Key = at
		watch, err := room.Enter(ctx, req)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		defer watch.Close()
		if s := awaitResult(t, watch); s.State != Reserved {
			t.Errorf("%s: %+v", at, s)
		}
	}
}
