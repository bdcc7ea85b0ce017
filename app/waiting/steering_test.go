package waiting

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// turnCounter counts the turns that processes get.
type turnCounter struct{ turns atomic.Int64 }

func (c *turnCounter) Granted(locks.Name, locks.Path, time.Duration, time.Duration) { c.turns.Add(1) }
func (c *turnCounter) Released(locks.Name, time.Duration, int)                      {}
func (c *turnCounter) Happened(locks.Name, locks.Event, int)                        {}

// steeredRooms are two processes whose turns are counted.
func (h *harness) steeredRooms(server Handler, cfg Config) ([]*Room, *turnCounter) {
	counter := &turnCounter{}
	cfg.Lines = quickLines
	cfg.Lines.Observer = counter
	return []*Room{h.roomOf(server, cfg), h.roomOf(server, cfg)}, counter
}

// saidAgain waits until the processes have said so often that the line stands still.
func (h *harness) saidAgain(times int) {
	h.t.Helper()
	var record string
	dbtest.Eventually(h.t, "a process has said so", func() bool {
		keys, err := h.rdb.Keys(h.t.Context(), h.prefix+"*19:00*").Result()
		if err != nil {
			h.t.Fatal(err)
		}
		at := slices.IndexFunc(keys, func(key string) bool {
			return h.rdb.Type(h.t.Context(), key).Val() == "hash" && h.rdb.HExists(h.t.Context(), key, "suspended").Val()
		})
		if at >= 0 {
			record = keys[at]
		}
		return at >= 0
	})
	seen := map[string]bool{}
	dbtest.Eventually(h.t, "the line is kept still", func() bool {
		seen[h.rdb.HGet(h.t.Context(), record, "suspended").Val()] = true
		return len(seen) > times
	})
}

// forgetful is a Handler whose room does not learn how its lines are steered.
type forgetful struct{ *seatsHandler }

func (forgetful) Steering(context.Context, locks.Name) Steering { return Steering{} }

// enterMany lets n people press one after the other, each at the next process.
func enterMany(t *testing.T, rooms []*Room, who string, n int) []*Watch {
	t.Helper()
	var watches []*Watch
	for i := range n {
		watches = append(watches, enter(t, rooms[i%len(rooms)], request(fmt.Sprintf("%s-%d", who, i), "k")))
	}
	return watches
}

// A paused line takes people in, keeps their places, serves nobody and does not spin; who wants may leave. After it
// goes on, both processes serve in order.
func TestPaused_KeepsPlacesAndServesNobody(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	rooms, counter := h.steeredRooms(h.handler, Config{})
	h.handler.steer(Steering{Paused: true, Reason: "the kitchen is full", Notice: "ten minutes"})
	watches := enterMany(t, rooms, "diner", 30)
	h.saidAgain(4)
	for i, w := range watches {
		s := w.Status()
		if s.State != Waiting || s.Position != i+1 || s.Steering.Reason != "the kitchen is full" ||
			s.Steering.Notice == "" {
			t.Fatalf("diner %d: %+v", i, s)
		}
	}
	if still := rooms[0].SuspendedTickets() + rooms[1].SuspendedTickets(); still != 30 {
		t.Errorf("the figures say that %d of 30 wait in lines that stand still", still)
	}
	if served, turns := len(h.handler.arrivals()), counter.turns.Load(); served > 0 || turns > 4 {
		t.Errorf("while it was paused %d were served, and %d turns began", served, turns)
	}
	if err := rooms[1].Leave(t.Context(), watches[0].Token(), "diner-0"); err != nil {
		t.Errorf("the first of a paused line leaves: %v", err)
	}
	h.handler.steer(Steering{})
	for i, w := range watches[1:] {
		if s := awaitResult(t, w); s.Result.ReservationID != fmt.Sprintf("for-diner-%d", i+1) {
			t.Fatalf("diner %d: %+v", i+1, s)
		}
	}
	dbtest.Eventually(t, "the figures say that nobody waits in a line that stands still",
		func() bool { return rooms[0].SuspendedTickets()+rooms[1].SuspendedTickets() == 0 })
	if order := h.handler.arrivals(); len(order) != 29 || !slices.IsSorted(order) {
		t.Errorf("%d were served, in order %v", len(order), order)
	}
}

// The control: a room that does not learn of the pause serves.
func TestPaused_ControlWithoutSteering(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	rooms, _ := h.steeredRooms(forgetful{h.handler}, Config{})
	h.handler.steer(Steering{Paused: true})
	if s := awaitResult(t, enterMany(t, rooms, "diner", 1)[0]); s.State != Reserved {
		t.Errorf("got %+v", s)
	}
}

// refusing is a Handler whose database knows of a pause before its cache does.
type refusing struct {
	forgetful
	paused *atomic.Bool
	asked  *atomic.Int64
}

func (r refusing) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	r.asked.Add(1)
	if r.paused.Load() {
		return slices.Repeat([]Result{{State: Waiting}}, len(batch)), nil, nil
	}
	return r.seatsHandler.Serve(ctx, turn, batch)
}

// A pause that only the database knows of, under its lock, sends those whose turn it is back to their places.
func TestPaused_UnderTheLockOfATurn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	paused, asked := &atomic.Bool{}, &atomic.Int64{}
	paused.Store(true)
	rooms, _ := h.steeredRooms(refusing{forgetful{h.handler}, paused, asked}, Config{})
	begun := time.Now()
	watches := enterMany(t, rooms, "diner", 20)
	dbtest.Eventually(t, "the database was asked four times", func() bool { return asked.Load() >= 4 })
	if took := time.Since(begun); took < lookAgain/2 {
		t.Errorf("it was asked %d times in %v", asked.Load(), took)
	}
	paused.Store(false)
	for _, w := range watches {
		if s := awaitResult(t, w); s.State != Reserved {
			t.Fatalf("got %+v", s)
		}
	}
	if order := h.handler.arrivals(); !slices.IsSorted(order) || len(order) != 20 {
		t.Errorf("served in order %v", order)
	}
}

// The time that a line stands still does not count as time in it.
func TestPaused_TimeDoesNotRunOut(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	rooms, _ := h.steeredRooms(h.handler, Config{MaxWait: time.Second})
	h.handler.steer(Steering{Paused: true})
	watches := enterMany(t, rooms, "diner", 4)
	since := time.Now()
	h.saidAgain(3)
	dbtest.Eventually(t, "longer than anybody may wait",
		func() bool { return time.Since(since) > 2*time.Second })
	h.handler.steer(Steering{})
	for _, w := range watches {
		if s := awaitResult(t, w); s.State != Reserved {
			t.Errorf("got %+v", s)
		}
	}
}

// rankCorrelation is Spearman's, between the order of pressing and that of being served, of tickets in the order in
// which they were pressed.
func rankCorrelation(served []int) float64 {
	n, sum := float64(len(served)), 0.0
	for pressed, place := range served {
		d := float64(pressed - place)
		sum += d * d
	}
	return 1 - 6*sum/(n*(n*n-1))
}

// asking is a Handler that says when it is asked to serve.
type asking struct {
	closedHandler
	asked chan struct{}
}

func (a asking) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	a.asked <- struct{}{}
	return a.closedHandler.Serve(ctx, turn, batch)
}

// An opening serves nobody before its moment, and after it all goes by itself, in both processes and although Redis has
// lost its data meanwhile. By draw the order does not depend on who pressed first; the control, by arrival, is the
// order of pressing. Whoever comes after the opening stands behind all those.
func TestOpening_ServesAllWhoCameBeforeItFirst(t *testing.T) {
	t.Parallel()
	for order, draw := range map[string]bool{"by arrival": false, "by draw": true} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			h := newHarnessAt(t, dbtest.PrivateRedisURL(t), 1000)
			closed, asked := closedHandler{h.handler, make(chan struct{})}, make(chan struct{}, 100)
			h.handler.given = map[string]Result{} // a stall of the machine has some come again
			rooms, _ := h.steeredRooms(asking{closed, asked}, Config{BatchSize: 16})
			opens := time.Now().Add(6 * time.Second)
			h.handler.steer(Steering{OpensAt: opens.UTC(), Draw: draw})
			diners := enterMany(t, rooms, "early", 200)
			h.saidAgain(1)
			dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err())
			if time.Now().After(opens) {
				t.Skip("the machine is too slow to press in time")
			}
			<-asked
			if early := time.Until(opens); early > 0 || early < -3*time.Second {
				t.Errorf("the first turn is served %v before the opening", early)
			}
			late := enterMany(t, rooms, "late", 10)
			close(closed.open)
			for _, w := range append(diners, late...) {
				if s := awaitResult(t, w); s.State != Reserved {
					t.Fatalf("got %+v", s)
				}
			}
			h.checkOpening(draw)
		})
	}
}

// checkOpening looks at the order in which an opening has served.
func (h *harness) checkOpening(draw bool) {
	h.t.Helper()
	served := make([]int, 200)
	order := h.handler.users()
	if len(order) != 210 || !slices.IsSorted(h.handler.arrivals()) {
		h.t.Fatalf("%d were served, numbers in order %v", len(order), slices.IsSorted(h.handler.arrivals()))
	}
	for place, user := range order {
		var pressed int
		if _, err := fmt.Sscanf(user, "early-%d", &pressed); err == nil {
			served[pressed] = place
		}
		if late := strings.HasPrefix(user, "late"); late != (place >= 200) {
			h.t.Fatalf("%s was served at place %d", user, place)
		}
	}
	if rho := rankCorrelation(served); draw && (rho > 0.3 || rho < -0.3) || !draw && rho != 1 {
		h.t.Errorf("by draw %v: the correlation of pressing and being served is %.2f", draw, rho)
	}
}

// Receipts given from an opening by draw on prove that the drawn places were kept. Who asks before has theirs then.
func TestOpening_ReceiptsProveTheDrawnOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	signer, err := receipt.NewSigner(token.Secrets{"a secret of the test installation"})
	dbtest.Must(t, err)
	rooms, _ := h.steeredRooms(h.handler, Config{Receipts: signer})
	h.handler.steer(Steering{OpensAt: time.Now().Add(time.Hour).UTC(), Draw: true})
	watches := enterMany(t, rooms, "diner", 20)
	for _, w := range watches {
		w.RequestReceipt()
		if s := w.Status(); s.Receipt != nil {
			t.Fatalf("before the opening there is a receipt of %d", s.Receipt.Arrival)
		}
	}
	h.handler.steer(Steering{Paused: true}) // it has opened, and nobody is served yet
	var given []receipt.Receipt
	for _, w := range watches {
		dbtest.Eventually(t, "a receipt", func() bool {
			_, _ = w.look()
			return w.Status().Receipt != nil
		})
		given = append(given, *w.Status().Receipt)
	}
	h.handler.steer(Steering{Draw: true, OpensAt: time.Now().Add(-time.Second).UTC()})
	for _, w := range watches {
		awaitResult(t, w)
	}
	texts, err := rooms[0].lines.Line(evening).Log(t.Context(), 0)
	dbtest.Must(t, err)
	log := receipt.Log{Line: h.handler.LineID(evening), LogID: given[0].LogID, State: receipt.Ended,
		PublicKey: signer.PublicKeys()[0], Entries: texts}
	for _, r := range given {
		got := receipt.Verify(r, log, receipt.Check{Keys: signer.PublicKeys()})
		if got.Outcome != receipt.Proven || r.Arrival >= locks.LotsBelow {
			t.Errorf("the receipt of %d: %+v", r.Arrival, got)
		}
	}
}

// Until a line opens that draws places, nobody learns the order: not who runs it, who can remove nobody either, nor who
// waits, from their token or a receipt. Then it is there to see.
func TestDraw_IsHiddenUntilItHappens(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	signer, err := receipt.NewSigner(token.Secrets{"a secret of the test installation"})
	dbtest.Must(t, err)
	rooms, _ := h.steeredRooms(h.handler, Config{Receipts: signer})
	h.handler.steer(Steering{OpensAt: time.Now().Add(time.Hour), Draw: true})
	watches := enterMany(t, rooms, "diner", 5)
	list, err := rooms[0].lines.Line(evening).List(t.Context(), 0, 10)
	if err != nil || len(list) != 5 || list[0].Arrival >= locks.LotsBelow {
		t.Fatalf("%+v, %v", list, err)
	}
	arrivals := func() (named, hidden int) {
		t.Helper()
		for i, w := range watches {
			user := fmt.Sprint("diner-", i)
			token, err := rooms[i%2].signer.Read(w.Token(), user)
			dbtest.Must(t, err)
			waits, err := rooms[i%2].Waits(t.Context(), user)
			if err != nil || len(waits) != 1 {
				t.Fatalf("%+v, %v", waits, err)
			}
			of, err := rooms[i%2].signer.Read(waits[0].Token, user)
			_, noReceipt := rooms[i%2].Receipt(t.Context(), w.Token(), user)
			if token.Arrival > 0 && of.Arrival > 0 && waits[0].Position > 0 && err == nil && noReceipt == nil {
				named++
			} else if token.Arrival+of.Arrival == 0 && waits[0].Position == 0 && noReceipt == ErrNoReceipt {
				hidden++
			}
		}
		return named, hidden
	}
	shown := func() int {
		t.Helper()
		listed, err := rooms[0].ListTickets(t.Context(), evening, 0, 10)
		dbtest.Must(t, err)
		for _, one := range listed { // a drawn number says nothing of when somebody came
			if waits := time.Since(one.Since); waits < 0 || waits > dbtest.Patience {
				t.Errorf("somebody waits for %v", waits)
			}
		}
		return len(listed)
	}
	for _, one := range list {
		if _, err := rooms[0].FindListed(t.Context(), evening, listedID(one.Arrival, one.Ticket)); err !=
			ErrUnknownTicket {
			t.Errorf("somebody is found before the opening: %v", err)
		}
	}
	if named, hidden := arrivals(); shown() != 0 || named != 0 || hidden != 5 {
		t.Errorf("before the opening %d are shown, %d know their place, and from %d it is hidden", shown(), named, hidden)
	}
	h.handler.steer(Steering{OpensAt: time.Now().Add(time.Hour)}) // staff choose the order of arrival, to look at the draw
	if n := shown(); n != 0 {
		t.Errorf("without a draw to come %d are shown their drawn places", n)
	}
	h.handler.steer(Steering{OpensAt: time.Now().Add(time.Hour), Draw: true})
	before := watches[0].Token()
	h.handler.steer(Steering{Paused: true}) // it has opened
	dbtest.Eventually(t, "the places are there to see", func() bool {
		named, _ := arrivals()
		return named == 5 && shown() == 5
	})
	if r, err := rooms[0].Receipt(t.Context(), before, "diner-0"); err != nil || r.Arrival == 0 {
		t.Errorf("a receipt by the token of before: %+v, %v", r, err)
	}
}
