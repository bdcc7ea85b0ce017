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

	"lunchgo/locks"
)

func TestASecondPressFindsTheFirst(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	room := p.room(Config{UserLock: 300 * time.Millisecond})
	first := press(t, room, wish("ann", "k1"))

	if again := press(t, room, wish("ann", "k1")); again.Token() != first.Token() {
		t.Error("the same key got another ticket")
	}
	if _, err := room.Enter(t.Context(), wish("ann", "k2")); !errors.Is(err, ErrInProgress) {
		t.Errorf("another key within the user lock: %v, want ErrInProgress", err)
	}
	eventually(t, 2*time.Second, "another key after the user lock finds the same place", func() bool {
		w, err := room.Enter(t.Context(), wish("ann", "k2"))
		if err != nil {
			return false
		}
		defer w.Close()
		return w.Token() == first.Token()
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
			w, err := rooms[i%2].Enter(t.Context(), wish("ann", "k"))
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			if pass, err := rooms[0].signer.Read(w.Token(), "ann"); err == nil {
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

func TestAnAbsentDinerLosesThePlaceAfterTheGrace(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.rival()
	room := p.room(Config{Present: 100 * time.Millisecond, Grace: 200 * time.Millisecond})
	away, err := room.Enter(t.Context(), wish("ann", "k"))
	if err != nil {
		t.Fatal(err)
	}
	pass := away.Token()
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
		if err := room.Leave(t.Context(), w.Token(), "ann"); err != nil {
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

func TestTheLongestLineRefusesAndForgets(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	room := p.room(Config{MaxLine: 2})
	press(t, room, wish("ann", "k"))
	press(t, room, wish("bob", "k"))
	if _, err := room.Enter(t.Context(), wish("cem", "k")); !errors.Is(err, ErrLineFull) {
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
		watch, err := room.Enter(t.Context(), w)
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
	if s := refused.Status(); s.Result.Code != CodeSoldOut || refused.Token() != "" {
		t.Errorf("the refused press got %+v and the pass %q", s, refused.Token())
	}
}

func TestEveryKeyExpires(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 1)
	turn := p.rival()
	room := p.room(Config{})
	waits, leaves := press(t, room, wish("ann", "k")), press(t, room, wish("bob", "k"))
	if err := room.Leave(t.Context(), leaves.Token(), "bob"); err != nil {
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
	pass := press(t, room, wish("ann", "k")).Token()
	forged := []byte(pass)
	forged[3] ^= 1
	for name, c := range map[string]struct{ pass, user string }{
		"another person's": {pass, "bob"},
		"tampered":         {string(forged), "ann"},
		"made up":          {"no-ticket", "ann"},
		"empty":            {"", "ann"},
		"other secret":     {NewSigner([]byte("another")).Sign(Token{Line: evening, Ticket: "T", UserID: "ann"}), "ann"},
	} {
		if _, err := room.Watch(t.Context(), c.pass, c.user); !errors.Is(err, ErrUnknownTicket) {
			t.Errorf("%s: %v, want ErrUnknownTicket", name, err)
		}
	}
}
