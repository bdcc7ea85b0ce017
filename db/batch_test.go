package db_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// A run of n requests, new reservations and changes in any mixture, leaves the rows that n turns of one request leave,
// and has their outcomes.
func TestServe_RunEqualsSingleTurns(t *testing.T) {
	t.Parallel()
	const seeds = uint64(16)
	for _, named := range []bool{false, true} {
		t.Run(fmt.Sprintf("named=%v", named), func(t *testing.T) {
			t.Parallel()
			together, single := newTwin(t, named), newTwin(t, named)
			for seed := range seeds {
				day := newBatchDay(seed, named)
				day.prepare(t, together)
				day.prepare(t, single)
				batch, ones := day.requests(t, together), day.requests(t, single)
				got := together.serve(t, day.turn(together), batch)
				var want []string
				for _, req := range ones {
					want = append(want, single.serve(t, day.turn(single), []booking.Request{req})...)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: the outcomes are\n%s\nwant\n%s", seed, strings.Join(got, "\n"),
						strings.Join(want, "\n"))
				}
				if got, want := together.rows(t), single.rows(t); got != want {
					t.Fatalf("seed %d: the rows are\n%s\nwant\n%s", seed, got, want)
				}
			}
			checkBalances(t, together.harness)
			together.saw(t)
		})
	}
}

// twin is one of two databases to which the same happens.
type twin struct {
	*harness
	coupon int64
	seen   map[string]int // kinds of outcomes
}

func newTwin(t *testing.T, named bool) *twin {
	t.Helper()
	w := &twin{harness: setup(t), seen: map[string]int{}}
	w.coupon = w.Campaign(t, "batch", 10_000)
	if named {
		w.OpenRoom(t)
	}
	w.Limit(t, w.Menu[0], 7)
	return w
}

// saw fails the test when the seeds are too tame: what it claims must have happened.
func (w *twin) saw(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"reserves", "changes", "sold out", "out of stock", "duplicate", "too little money",
		"changed meanwhile"} {
		if w.seen[kind] == 0 {
			t.Errorf("no request of any seed was answered %q: %v", kind, w.seen)
		}
	}
}

func kindOf(out booking.Outcome) string {
	var full *booking.SoldOutError
	var short *booking.OutOfStockError
	switch {
	case out.Reserves():
		return "reserves"
	case out.Changed != nil:
		return "changes"
	case errors.As(out.Err, &full):
		return "sold out"
	case errors.As(out.Err, &short):
		return "out of stock"
	case errors.Is(out.Err, booking.ErrDuplicate):
		return "duplicate"
	case errors.Is(out.Err, booking.ErrChangedMeanwhile):
		return "changed meanwhile"
	case out.Err != nil && strings.Contains(out.Err.Error(), "balance"):
		return "too little money"
	}
	return "other"
}

// serve serves a run and returns what its outcomes say, without the ids, which are random.
func (w *twin) serve(t *testing.T, turn booking.Turn, run []booking.Request) (said []string) {
	t.Helper()
	outcomes, _, err := w.Slots.Serve(t.Context(), turn, run)
	dbtest.Must(t, err)
	var labels []struct{ ID, Label string }
	dbtest.Must(t, w.SQL().SelectContext(t.Context(), &labels,
		`SELECT id, user_id || ' ' || idempotency_key AS label FROM reservations`))
	for _, out := range outcomes {
		w.seen[kindOf(out)]++
		text := fmt.Sprintf("%s by %s: %s %v, seats %v, coupon %+v, passed %d, %v", out.Request.IdempotencyKey,
			out.Request.UserID, kindOf(out), out.ReservationID, out.SeatIDs, out.Discount, len(out.Passed), out.Err)
		for _, label := range labels {
			text = strings.ReplaceAll(text, label.ID, label.Label)
		}
		said = append(said, text)
	}
	return said
}

// rows are all rows that a turn writes, without ids and times.
func (w *twin) rows(t *testing.T) string {
	t.Helper()
	var all []string
	for _, query := range []string{
		`SELECT r.user_id, r.idempotency_key, s.service_date, s.service_time, r.party_size, r.state, r.deposit_amount, r.menu_amount,
			r.coupon_id, r.discount_use, r.discount_amount, r.paid_amount, r.policy, r.note, r.changes, r.ticket, r.arrival, r.fence
		FROM reservations r JOIN slots s ON s.id = r.slot_id ORDER BY r.ordinal`,
		`SELECT r.user_id, r.idempotency_key, i.menu_item_id, i.name_ko, i.quantity, i.unit_price, i.from_stock
		FROM reservation_items i JOIN reservations r ON r.id = i.reservation_id ORDER BY 1, 2, 3`,
		`SELECT r.user_id, r.idempotency_key, s.service_time, n.seat_id, n.chosen, n.held
		FROM reservation_seats n JOIN reservations r ON r.id = n.reservation_id JOIN slots s ON s.id = n.slot_id ORDER BY 1, 2, 3, 4`,
		`SELECT r.user_id, r.idempotency_key, s.service_time
		FROM reservation_stays y JOIN reservations r ON r.id = y.reservation_id JOIN slots s ON s.id = y.slot_id ORDER BY 1, 2, 3`,
		`SELECT c.user_id, c.idempotency_key, c.number, c.state, f.service_time AS f, s.service_time AS s, c.from_slots, c.to_slots, c.from_party,
			c.to_party, c.from_items, c.to_items, c.from_paid, c.to_paid, c.from_coupon_id, c.to_coupon_id, c.charged, c.refunded, c.kept,
			c.ticket, c.arrival, c.fence
		FROM reservation_changes c JOIN slots f ON f.id = c.from_slot_id JOIN slots s ON s.id = c.to_slot_id ORDER BY 1, 2`,
		`SELECT menu_item_id, service_date, offered, remaining FROM menu_stock ORDER BY 1, 2`,
		`SELECT user_id, balance, version FROM accounts ORDER BY 1`,
		`SELECT user_id, version, amount, kind, balance_after FROM ledger_entries ORDER BY 1, 2`,
		`SELECT service_date, service_time, capacity, closed, fence FROM slots ORDER BY 1, 2`,
		`SELECT user_id, state, passes FROM waitlist_entries ORDER BY 1`,
		`SELECT c.user_id, r.idempotency_key FROM coupon_claims c LEFT JOIN reservations r ON r.id = c.reservation_id ORDER BY 1, 2`,
		`SELECT m.kind, m.user_id, r.idempotency_key FROM mails m LEFT JOIN reservations r ON r.id = m.reservation_id ORDER BY 2, 3, 1, m.id`,
	} {
		var text string
		if err := w.SQL().GetContext(t.Context(), &text, `SELECT COALESCE(string_agg(row::text, E'\n'), '') FROM (`+
			query+`) row`); err != nil {
			t.Fatal(query, err)
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n\n")
}

// batchDay is a day on which a batch is served: who has what, and what is asked for, by the numbers of the diners.
type batchDay struct {
	*rand.Rand
	seed   uint64
	named  bool
	date   booking.Date
	turnOf []booking.TimeOfDay
	had    []plannedRequest
	waits  []int // party sizes
	batch  []plannedRequest
}

// plannedRequest is a request of a diner for a new reservation, or to change the one that is planned at an index.
type plannedRequest struct {
	diner, of, number int // of is -1 for a new one
	times             []booking.TimeOfDay
	party, dishes     int
	seats             []int64
	paid, coupon      bool
	note              string
}

const (
	batchDiners   = 22
	batchCapacity = 13
)

func newBatchDay(seed uint64, named bool) *batchDay {
	d := &batchDay{Rand: rand.New(rand.NewPCG(seed, 7)), seed: seed, named: named,
		date: booking.Date("2040-05-07").AddDays(7 * int(seed))}
	first := 1 + d.IntN(2)
	times := []booking.TimeOfDay{"17:00", "18:00", "19:00", "20:00"}
	d.turnOf = times[first : first+1+d.IntN(4-first)]
	for i := range 10 {
		at := d.IntN(4)
		d.had = append(d.had, plannedRequest{diner: i, of: -1, times: times[at : at+1+d.IntN(min(2, 4-at))],
			party: 1 + d.IntN(2), dishes: d.IntN(2), paid: d.IntN(3) > 0, coupon: d.IntN(3) == 0})
	}
	for range d.IntN(3) {
		d.waits = append(d.waits, 2+d.IntN(5))
	}
	for range 3 + d.IntN(14) {
		d.batch = append(d.batch, d.plan())
	}
	return d
}

func (d *batchDay) plan() plannedRequest {
	p := plannedRequest{diner: 10 + d.IntN(12), of: -1, times: d.turnOf, party: 1 + d.IntN(3), dishes: d.IntN(4),
		coupon: d.IntN(4) == 0}
	if d.IntN(6) == 0 {
		p.diner = d.IntN(10) // who has something already
	}
	if d.IntN(2) == 0 {
		p.of = d.IntN(len(d.had))
		p.diner, p.number, p.note = p.of, d.IntN(4)/3, "changed"
	}
	if d.named && d.IntN(3) == 0 {
		p.party, p.seats = 2, []int64{int64(5 + d.IntN(2))} // a table for two
	}
	return p
}

func (d *batchDay) diner(n int) string { return fmt.Sprintf("diner-%d-%d", d.seed, n) }

func (d *batchDay) slot(w *twin, at booking.TimeOfDay) booking.SlotKey {
	return booking.SlotKey{RestaurantID: w.Restaurant.ID, Date: d.date, Time: at}
}

func (d *batchDay) turn(w *twin) booking.Turn {
	turn := w.Turn(d.slot(w, d.turnOf[0]), batchCapacity, 7)
	turn.Stay = d.turnOf[1:]
	return turn
}

// prepare makes what is there before the batch.
func (d *batchDay) prepare(t *testing.T, w *twin) {
	t.Helper()
	var users []identity.User
	for n := range batchDiners + len(d.waits) {
		users = append(users, identity.User{ID: d.diner(n), Email: d.diner(n) + "@example.org", Name: "Diner",
			Phone: "010", PasswordHash: "!"})
	}
	dbtest.Must(t, w.Seeds.CreateDiners(t.Context(), users, 25_000))
	for n := range batchDiners {
		w.GiveCoupons(t, w.coupon, d.diner(n))
	}
	for i, p := range d.had {
		req := d.request(w, p, fmt.Sprintf("had-%d", i))
		outcomes, _, err := w.Slots.Serve(t.Context(), w.TurnOf(req, batchCapacity, 0), []booking.Request{req})
		dbtest.Must(t, err)
		if p.paid && outcomes[0].Reserves() {
			w.MustPay(t, outcomes[0].ReservationID, req.UserID, booking.Deposit, "pay")
		}
	}
	for i, party := range d.waits {
		_, err := db.NewWaitlistStore(w.Pool).Join(t.Context(),
			reserve.WaitRequest{UserID: d.diner(batchDiners + i), IdempotencyKey: "wait",
				Slot: d.slot(w, d.turnOf[0]), Times: d.turnOf, PartySize: party, Capacity: batchCapacity,
				KeepBefore: time.Now().Add(2 * time.Hour)})
		var invalid *booking.InvalidError
		if err != nil && !errors.Is(err, booking.ErrSeatsAvailable) && !errors.As(err, &invalid) {
			t.Fatal(err)
		}
	}
}

func (d *batchDay) request(w *twin, p plannedRequest, key string) booking.Request {
	req := w.Request(d.diner(p.diner), d.slot(w, p.times[0]))
	req.IdempotencyKey, req.Ticket, req.Stay, req.Items = key, d.diner(p.diner)+key, p.times[1:], nil
	req.PartySize, req.DepositAmount, req.Note, req.SeatIDs = p.party, int64(p.party)*10_000, p.note, p.seats
	if p.dishes > 0 {
		req.Items = []booking.Item{{MenuItemID: w.Menu[0].ID, Name: w.Menu[0].Name, Quantity: p.dishes,
			UnitPrice: w.Menu[0].Price}}
	}
	if p.coupon {
		req.CouponID = w.coupon
	}
	return req
}

// requests are those of the batch, in order, about what is there.
func (d *batchDay) requests(t *testing.T, w *twin) (run []booking.Request) {
	t.Helper()
	for i, p := range d.batch {
		req := d.request(w, p, fmt.Sprintf("batch-%d", i))
		req.Arrival = int64(100 + i)
		if p.of >= 0 {
			req.CouponID, req.Change = 0, &booking.Change{ReservationID: "none", Quoted: 1_000_000}
			r, err := w.Reservations.FindByTicket(t.Context(), d.diner(p.of)+fmt.Sprintf("had-%d", p.of))
			if err == nil {
				req.Change = &booking.Change{ReservationID: r.ID, Number: p.number, From: r.Slots(),
					FromParty: r.PartySize, Quoted: 1_000_000}
			}
			if p.number > 0 {
				req.Change.From = req.Slots() // as an earlier change of the batch leaves it
			}
		}
		run = append(run, req)
	}
	return run
}
