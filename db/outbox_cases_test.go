package db_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/events"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
	"lunchgo/db/dbtest"
	dboutbox "lunchgo/db/outbox"
	"lunchgo/db/testkit"
)

// useCase is a path through the product and the events of one key that it writes, each with a part of what it says.
type useCase struct {
	name  string
	play  func(t testing.TB, h *harness, slot booking.SlotKey) (key string)
	shows []string // keys of the data
	want  []string // event and values
}

// happens plays events of a booking.
func happens(list ...event) func(testing.TB, *harness, booking.SlotKey) string {
	return func(t testing.TB, h *harness, slot booking.SlotKey) string {
		b := eventful{harness: h, slot: slot, diner: h.Diners(t, 1, 100_000)[0], host: h.Diners(t, 1, 0)[0]}
		b.id = h.Reserve(t, h.Ordering(b.diner, slot, 2, 1))
		for _, e := range list {
			if err := e.happen(t, b); !isRefusal(err) {
				t.Fatalf("%s: %v", e.name, err)
			}
		}
		return b.id
	}
}

// undone takes the last mark back.
func undone(mark booking.State) event {
	return event{"undo", func(t testing.TB, b eventful) error {
		_, err := b.AtStart().Undo(t.Context(), b.id, mark, b.host)
		return err
	}}
}

// taken has somebody else take the seats of an expired hold.
var taken = event{"seats are taken", func(t testing.TB, b eventful) error {
	b.Reserve(t, b.Request(b.Diners(t, 1, 0)[0], b.slot))
	return b.SetCapacity(t, b.slot, 2, b.host)
}}

func offered(t testing.TB, h *harness, slot booking.SlotKey) string {
	w := newWaitlist(t, h, slot.Time)
	entry := w.join(t, 2)
	w.cancel(t, 0)
	w.offer(t)
	id := w.offerOf(t, entry)
	h.MustPay(t, id, entry.UserID, booking.Deposit, "pay")
	return id
}

func comes(state booking.State) func(testing.TB, *harness, booking.SlotKey) string {
	return func(t testing.TB, h *harness, slot booking.SlotKey) string {
		req := testkit.WalkIn(h.Guest(h.Diners(t, 1, 0)[0], slot), state)
		return h.Reserve(t, req)
	}
}

var reservationCases = []useCase{
	{"deposit", happens(pays(booking.Deposit)), []string{"state", "paymentKind", "paidAmount"},
		[]string{`held "temporary" null 0`, `confirmed "confirmed" "deposit" 20000`}},
	{"prepay", happens(pays(booking.Prepay)), []string{"state", "menuAmount", "paidAmount"},
		[]string{`held "temporary" 69000 0`, `confirmed "prepaid_confirmed" 69000 69000`}},
	{"not paid", happens(expires), []string{"state"}, []string{`held "temporary"`, `changed "temporary"`, `expired "expired"`}},
	{"paid late", happens(expires, pays(booking.Deposit)), []string{"state"},
		[]string{`held "temporary"`, `changed "temporary"`, `expired "expired"`, `confirmed "confirmed"`}},
	{"paid too late", happens(expires, taken, pays(booking.Deposit)), []string{"state", "paidAmount", "refundAmount"},
		[]string{`held "temporary" 0 0`, `changed "temporary" 0 0`, `expired "expired" 0 0`,
			`changed "expired" 20000 20000`}},
	{"hold given up", happens(dinerCancels), []string{"state"}, []string{`held "temporary"`, `cancelled "cancelled"`}},
	{"cancelled by the diner", happens(pays(booking.Deposit), dinerCancels, settles), []string{"state", "refundAmount"},
		[]string{`held "temporary" 0`, `confirmed "confirmed" 0`, `cancelled "refund_pending" 20000`,
			`refunded "refunded" 20000`}},
	{"cancelled by staff", happens(pays(booking.Deposit), staffCancels, settles), []string{"state", "refundAmount"},
		[]string{`held "temporary" 0`, `confirmed "confirmed" 0`, `cancelled "refund_pending" 20000`,
			`refunded "refunded" 20000`}},
	{"changed", happens(pays(booking.Deposit), dinerChanges), []string{"partySize", "items", "changes", "paidAmount"}, []string{
		`held 2 [{"quantity": 2, "unitPrice": 32000, "menuItemId": 1}, {"quantity": 1, "unitPrice": 5000, "menuItemId": 2}] 0 0`,
		`confirmed 2 [{"quantity": 2, "unitPrice": 32000, "menuItemId": 1}, {"quantity": 1, "unitPrice": 5000, "menuItemId": 2}] 0 20000`,
		`changed 3 [{"quantity": 2, "unitPrice": 32000, "menuItemId": 1}] 1 30000`}},
	{"hold changed", happens(dinerChanges, expires), []string{"state", "partySize", "changes"},
		[]string{`held "temporary" 2 0`, `changed "temporary" 3 1`, `changed "temporary" 3 1`,
			`expired "expired" 3 1`}},
	{"here", happens(pays(booking.Deposit), marks(booking.Arrived, booking.Seated, booking.Completed)), []string{"state"},
		[]string{`held "temporary"`, `confirmed "confirmed"`, `arrived "arrived"`, `seated "seated"`,
			`completed "completed"`}},
	{"marks undone", happens(pays(booking.Deposit), marks(booking.Arrived, booking.Seated), undone(booking.Seated), undone(booking.Arrived)),
		[]string{"state"}, []string{`held "temporary"`, `confirmed "confirmed"`, `arrived "arrived"`, `seated "seated"`,
			`changed "arrived"`, `changed "confirmed"`}},
	{"no-show undone", happens(pays(booking.Deposit), staffErr), []string{"state"},
		[]string{`held "temporary"`, `confirmed "confirmed"`, `no_show "no_show"`, `changed "confirmed"`}},
	{"offer taken", offered, []string{"state"}, []string{`held "temporary"`, `confirmed "confirmed"`}},
	{"walk-in arrives", comes(booking.Arrived), []string{"state", "source", "userId"}, []string{`arrived "arrived" "walk_in" null`}},
	{"walk-in sits down", comes(booking.Seated), []string{"state", "source", "userId"}, []string{`seated "seated" "walk_in" null`}},
	{"by phone", func(t testing.TB, h *harness, slot booking.SlotKey) string {
		return h.Reserve(t, h.Guest(h.Diners(t, 1, 0)[0], slot))
	}, []string{"state", "source"}, []string{`confirmed "confirmed" "phone"`}},
	{"seen", func(t testing.TB, h *harness, slot booking.SlotKey) string {
		id, _ := h.away(t, slot, time.Minute)
		h.mustSee(t, id)
		return id
	}, []string{"state"}, []string{`held "temporary"`, `changed "temporary"`}},
	{"stays longer", func(t testing.TB, h *harness, slot booking.SlotKey) string {
		return h.Reserve(t, h.staying(h.Diners(t, 1, 0)[0], slot.Time, 2, 2))
	}, []string{"state", "stay", "slotMinutes"}, []string{`held "temporary" ["23:00"] 60`}},
	{"nothing to pay", func(t testing.TB, h *harness, slot booking.SlotKey) string {
		return h.Reserve(t, h.Free(h.Diners(t, 1, 0)[0], slot))
	}, []string{"state", "source", "paymentKind", "paidAmount"}, []string{`confirmed "confirmed" "web" null 0`}},
}

// saying are the events of a key with what they say of some keys.
func saying(t testing.TB, list []events.Event, keys []string) (said []string) {
	for _, e := range list {
		said = append(said, e.Type[strings.LastIndexByte(e.Type, '.')+1:]+" "+testkit.EventState(t, e, keys...))
	}
	return said
}

// check plays use cases, each in a slot of its own on a day of theirs, and compares the events.
func (h *harness) check(t *testing.T, day int, cases []useCase) {
	t.Helper()
	for i, c := range cases {
		slot := h.Slot(booking.TimeOfDay(fmt.Sprintf("%02d:00", i+4)))
		slot.Date = slot.Date.AddDays(day)
		list := h.Written(t, c.play(t, h, slot))
		if got := saying(t, list, c.shows); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nnot\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// rebuilt is what the last event of a reservation says, and present what the product says of it.
func (h *harness) rebuilt(t testing.TB, id string) (rebuilt, present map[string]any) {
	t.Helper()
	list := h.Written(t, id)
	dbtest.Must(t, json.Unmarshal(list[len(list)-1].Data, &rebuilt))
	r, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	moment := func(at time.Time) any {
		if at.IsZero() {
			return nil
		}
		return at.UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	items, seats, stay := []any{}, []any{}, []any{}
	for _, item := range r.Items {
		items = append(items, map[string]any{"menuItemId": float64(item.MenuItemID), "quantity": float64(item.Quantity),
			"unitPrice": float64(item.UnitPrice)})
	}
	for _, seat := range r.Seats {
		seats = append(seats, float64(seat.ID))
	}
	for _, at := range r.Stay {
		stay = append(stay, string(at))
	}
	present = map[string]any{"id": r.ID, "state": string(r.State), "source": string(r.Source),
		"restaurantId": float64(r.RestaurantID), "userId": orNull(r.UserID), "date": string(r.Slot.Date),
		"time": string(r.Slot.Time), "slotMinutes": float64(r.SlotMinutes), "stay": stay,
		"partySize": float64(r.PartySize), "seatIds": seats, "items": items, "depositAmount": float64(r.DepositAmount),
		"menuAmount": float64(r.MenuAmount), "discountAmount": float64(r.Discount.Amount),
		"couponId": orNull(float64(r.Discount.CouponID)), "paymentKind": orNull(string(r.PaymentKind)),
		"paidAmount": float64(r.PaidAmount), "refundAmount": float64(r.RefundAmount),
		"arrivedAt": moment(r.Attendance.ArrivedAt), "seatedAt": moment(r.Attendance.SeatedAt),
		"endedAt": moment(r.Attendance.EndedAt), "changes": float64(r.Changes), "createdAt": moment(r.CreatedAt), "startsAt": rebuilt["startsAt"],
		"holdExpiresAt": nil}
	if r.State == booking.Temporary {
		present["holdExpiresAt"] = moment(r.HoldExpiresAt)
	}
	return rebuilt, present
}

func orNull[T int64 | float64 | string](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

func TestOutbox_TellsOfEveryUseCase(t *testing.T) {
	t.Parallel()
	h := setup(t)
	outbox := h.WantEvents(t)
	h.check(t, 0, reservationCases)
	h.check(t, 1, walletCases)
	h.check(t, 2, slotCases(outbox))
	h.check(t, 3, paymentCases)
	h.moveToAnotherTable(t)
	var ids []string
	dbtest.Must(t, h.List(t.Context(), &ids, `SELECT id FROM reservations`))
	for _, id := range ids {
		if rebuilt, present := h.rebuilt(t, id); !reflect.DeepEqual(rebuilt, present) {
			t.Errorf("the last event says\n%v\nnot\n%v", rebuilt, present)
		}
	}
	checkDescribed(t, h.Written(t, ""))
}

// moveToAnotherTable has staff give a party that is there another table.
func (h *harness) moveToAnotherTable(t *testing.T) {
	t.Helper()
	seats := h.OpenRoom(t)
	id := h.Reserve(t, h.at(h.Diners(t, 1, 0)[0], h.Slot("23:00"), seats["T1"]))
	if _, err := h.Change(t, id, func(req *booking.Request) { req.SeatIDs = []int64{seats["T2"]} }); err != nil {
		t.Fatal(err)
	}
	want := []string{fmt.Sprintf("held [%d]", seats["T1"]), fmt.Sprintf("changed [%d]", seats["T2"])}
	if got := saying(t, h.Written(t, id), []string{"seatIds"}); !slices.Equal(got, want) {
		t.Errorf("of another table: %v, not %v", got, want)
	}
}

var walletCases = []useCase{
	{"wallet", func(t testing.TB, h *harness, slot booking.SlotKey) string {
		diner := h.Diners(t, 1, 0)[0]
		_, _, err := h.Wallets.Charge(t.Context(), wallet.Charge{UserID: diner, Amount: 50_000, IdempotencyKey: "c"})
		id := h.Reserve(t, h.Request(diner, slot))
		_, paying := h.Pay(t, id, diner, booking.Deposit, "p")
		_, cancelling := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
		h.settle(t)
		_, _, withdrawing := h.Wallets.Withdraw(t.Context(),
			wallet.Withdrawal{UserID: diner, Amount: 1_000, IdempotencyKey: "w"})
		dbtest.Must(t, errors.Join(err, paying, cancelling, withdrawing))
		return diner
	}, []string{"kind", "amount", "balance", "version"}, []string{`charged "charge" 50000 50000 1`,
		`paid "deposit" -20000 30000 2`,
		`refunded "refund" 20000 50000 3`, `withdrawn "withdrawal" -1000 49000 4`}},
}

// byCardOf plays a result in the window of a payment, and a cancellation of what is paid then.
func byCardOf(result practice.Result, policy string) func(testing.TB, *harness, booking.SlotKey) string {
	return func(t testing.TB, h *harness, slot booking.SlotKey) string {
		c, diner := h.cashier(t, h.Pool), h.Diners(t, 1, 0)[0]
		p := c.begin(t, h.Reserve(t, h.Request(diner, slot)), diner, "pay")
		c.press(t, p.ID, result)
		c.mustSettle(t, p.ID)
		c.work(t)
		if policy == "" {
			return p.ID
		}
		h.MustExec(t, `UPDATE reservations SET policy = $2 WHERE id = $1`, p.ReservationID, policy)
		h.MustCancel(t, p.ReservationID, diner)
		h.settle(t)
		c.work(t)
		return p.ID
	}
}

var paymentCases = []useCase{
	{"card, and half of it back", byCardOf(practice.Pay, `{"tiers": [{"hoursBefore": 0, "percent": 50}]}`), ofPayments,
		[]string{`capturing "capturing" 20000 0 ""`, `paid "paid" 20000 0 ""`, `refunding "refunding" 20000 10000 ""`,
			`partly_refunded "partly_refunded" 20000 10000 ""`}},
	{"card, and all of it back", byCardOf(practice.Pay, `{"tiers": [{"hoursBefore": 0, "percent": 100}]}`), ofPayments,
		[]string{`capturing "capturing" 20000 0 ""`, `paid "paid" 20000 0 ""`, `refunding "refunding" 20000 20000 ""`,
			`refunded "refunded" 20000 20000 ""`}},
	{"card for a change", func(t testing.TB, h *harness, slot booking.SlotKey) string {
		c := h.cashier(t, h.Pool)
		id, _ := c.paid(t, slot, 0)
		p := c.beginChange(t, c.toChange(t, id, "change", 4, slot.Time))
		c.press(t, p.ID, practice.Pay)
		c.mustSettle(t, p.ID)
		c.work(t)
		return p.ID
	}, ofPayments, []string{`authorised "authorised" 20000 0 ""`, `capturing "capturing" 20000 0 ""`,
		`paid "paid" 20000 0 ""`}},
	{"card refused", byCardOf(practice.Refuse, ""), ofPayments, []string{`refused "refused" 20000 0 "refused"`}},
	{"card left", byCardOf(practice.Leave, ""), ofPayments, []string{`cancelled "cancelled" 20000 0 "left"`}},
	{"card refused after all", byCardOf(practice.Overdrawn, ""), ofPayments,
		[]string{`capturing "capturing" 20000 0 ""`, `refused "refused" 20000 0 "not_captured_refused"`}},
}

var ofPayments = []string{"state", "amount", "refunded", "code"}

// slotCases are what staff and diners do to slots.
func slotCases(outbox *dboutbox.Store) []useCase {
	said := []string{"capacity", "closed", "paused", "soldOut"}
	key := func(slot booking.SlotKey) string {
		return fmt.Sprintf("%d/%s/%s", slot.RestaurantID, slot.Date, slot.Time)
	}
	steered := func(changes ...reserve.SlotChange) func(testing.TB, *harness, booking.SlotKey) string {
		return func(t testing.TB, h *harness, slot booking.SlotKey) string {
			host := h.Diners(t, 1, 0)[0]
			for _, change := range changes {
				if _, err := h.Steer(t, slot, change, host); err != nil {
					t.Fatal(err)
				}
			}
			return key(slot)
		}
	}
	announce := func(t testing.TB) {
		if _, err := outbox.AnnounceSlots(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return []useCase{
		{"closed", steered(reserve.SlotChange{Closed: ptr(true)}, reserve.SlotChange{Closed: ptr(false)}), said,
			[]string{`closed 10 true false false`, `reopened 10 false false false`}},
		{"paused", steered(reserve.SlotChange{Paused: ptr(true)}, reserve.SlotChange{Paused: ptr(false)}), said,
			[]string{`paused 10 false true false`, `reopened 10 false false false`}},
		{"capacity", steered(reserve.SlotChange{Capacity: ptr(12)}), said, []string{`capacity_changed 12 false false false`}},
		{"sold out", func(t testing.TB, h *harness, slot booking.SlotKey) string {
			announce(t)
			diner := h.Diners(t, 1, 0)[0]
			dbtest.Must(t, h.SetCapacity(t, slot, 2, diner))
			id := h.Reserve(t, h.Request(diner, slot))
			announce(t)
			announce(t)
			h.MustCancel(t, id, diner)
			announce(t)
			return key(slot)
		}, said, []string{`capacity_changed 2 false false false`, `sold_out 2 false false true`,
			`reopened 2 false false false`}},
		{"restaurant stops", func(t testing.TB, h *harness, slot booking.SlotKey) string {
			host := h.Diners(t, 1, 0)[0]
			dbtest.Must(t, h.SetCapacity(t, slot, 12, host))
			for _, stopped := range []bool{true, false} {
				if _, _, err := h.Slots.SetStopped(t.Context(), stopping(slot, stopped, host)); err != nil {
					t.Fatal(err)
				}
			}
			return key(slot)
		}, said, []string{`capacity_changed 12 false false false`, `closed 12 true false false`,
			`reopened 12 false false false`}},
	}
}
