package audits_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/audit"
	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/practicebank"
	"lunchgo/db/testkit"
)

// evening leaves a database with reservations in every state, dishes of a limited number, moved wallets and coupons.
func evening(t testing.TB) *testkit.Harness {
	t.Helper()
	h := testkit.Setup(t)
	h.Limit(t, h.Menu[0], 100)
	early := h.Campaign(t, "early", 5)
	hold := h.Request(h.Diners(t, 1, 0)[0], h.Slot("17:00"))
	changed := []string{h.Reserve(t, hold)}
	ended := h.Request(h.Diners(t, 1, 0)[0], h.Slot("17:00"))
	ended.HoldTime = 0
	h.Reserve(t, ended)
	cancel := func(id, diner string) { h.MustCancel(t, id, diner) }
	dropped := h.Diners(t, 1, 0)[0]
	cancel(h.Reserve(t, h.Request(dropped, h.Slot("17:00"))), dropped)
	prepaid := h.Diners(t, 1, 100_000)[0]
	h.GiveCoupons(t, early, prepaid)
	cheaper := h.Request(prepaid, h.Slot("18:00"))
	cheaper.CouponID = early
	_, prepayErr := h.Pay(t, h.Reserve(t, cheaper), prepaid, booking.Prepay, "pay")
	visit := func(marks ...booking.State) {
		id, _ := h.Confirmed(t, h.Slot("18:00"))
		h.Mark(t, id, marks...)
	}
	visit(booking.Arrived, booking.Seated, booking.Completed)
	visit(booking.NoShow)
	visit(booking.Arrived)
	visit(booking.Seated)
	cancel(h.Confirmed(t, h.Slot("18:00")))
	_, refundErr := h.Reservations.SettleRefunds(t.Context(), 10)
	cancel(h.Confirmed(t, h.Slot("18:00")))
	_, expiryErr := h.Reservations.ExpireHolds(t.Context(), 10)
	id, _ := h.Confirmed(t, h.Slot("18:00"))
	h.MustExec(t, `UPDATE reservations SET policy = '{"tiers": [{"hoursBefore": 1, "percent": 50}]}' WHERE id = $1`, id)
	for _, id := range append(changed, id) {
		_, more := h.Change(t, id, testkit.Party(3))
		_, less := h.Change(t, id, testkit.Party(1))
		if more != nil || less != nil {
			t.Fatal(more, less)
		}
	}
	table := h.OpenRoom(t)["T1"]
	seated := h.Request(h.Diners(t, 1, 0)[0], h.Slot("21:00"))
	seated.SeatIDs = []int64{table}
	h.Reserve(t, seated)
	h.Restaurant.Seats = nil
	stays := h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00"))
	stays.Stay = []booking.TimeOfDay{"20:00"}
	h.Reserve(t, stays)
	fillOverPlan(t, h, h.Slot("14:00"))
	_, _, chargeErr := h.Wallets.Charge(t.Context(), wallet.Charge{UserID: prepaid, Amount: 5_000, IdempotencyKey: "a"})
	_, _, withdrawErr := h.Wallets.Withdraw(t.Context(),
		wallet.Withdrawal{UserID: prepaid, Amount: 7_000, IdempotencyKey: "a"})
	dbtest.Must(t, errors.Join(prepayErr, refundErr, expiryErr, chargeErr, withdrawErr))
	free, freely := h.Confirmed(t, h.Slot("18:00"))
	h.MustExec(t, `UPDATE reservations
		SET policy = '{"tiers": [{"hoursBefore": 9999, "percent": 50}], "freeCancelMinutes": 15}'
		WHERE id = $1`, free)
	cancel(free, freely)
	served, _ := h.Confirmed(t, h.Slot("18:00"))
	if _, err := h.Reservations.GiveBack(t.Context(), booking.GiveBack{ReservationID: served, StaffID: prepaid,
		Key:    "a",
		Amount: 1_000, Reason: "Cold"}); err != nil {
		t.Fatal(err)
	}
	h.Mark(t, served, booking.Seated, booking.Completed)
	h.Review(t, served, 4)
	holder := h.Diners(t, 1, 0)[0]
	cancel(payByCard(t, h, h.Reserve(t, h.Request(holder, h.Slot("17:00"))), holder), holder)
	offer(t, h, h.Slot("16:00"))
	return h
}

// payByCard pays a hold through the practice bank, and returns its id.
func payByCard(t testing.TB, h *testkit.Harness, id, diner string) string {
	t.Helper()
	bank := practice.Bank{Store: practicebank.NewStore(h.Pool), BaseURL: "https://table.example"}
	cards := payments.New(payments.Service{Provider: bank, Store: db.NewPaymentStore(h.Pool),
		BaseURL: "https://table.example", Now: time.Now, Grace: time.Minute, Refresh: func([]booking.SlotKey) {},
		Log: slog.New(slog.DiscardHandler)})
	p, err := cards.Begin(t.Context(), booking.PaymentOrder{ReservationID: id, UserID: diner, Kind: booking.Deposit,
		IdempotencyKey: "card"}, payments.Diner{Title: "Damdam"})
	dbtest.Must(t, err)
	_, err = bank.Decide(t.Context(), p.ID, practice.Pay)
	dbtest.Must(t, err)
	_, err = cards.Settle(t.Context(), p.ID, "")
	dbtest.Must(t, err)
	return id
}

// offer fills a slot and has three parties wait for it, of whom the second is offered what a diner gives up.
func offer(t testing.TB, h *testkit.Harness, slot booking.SlotKey) {
	t.Helper()
	waitlist := db.NewWaitlistStore(h.Pool)
	var held []string
	diners := h.Diners(t, 5, 0)
	for _, diner := range diners {
		out := h.ServeAlone(t, h.Request(diner, slot))
		held = append(held, out.ReservationID)
	}
	for _, party := range []int{4, 2, 2} {
		_, err := waitlist.Join(t.Context(), reserve.WaitRequest{UserID: h.Diners(t, 1, 0)[0],
			IdempotencyKey: "wait-" + rand.Text(), Slot: slot, Times: []booking.TimeOfDay{slot.Time}, PartySize: party,
			Capacity: h.Restaurant.Capacity, KeepBefore: time.Now().Add(2 * time.Hour)})
		dbtest.Must(t, err)
	}
	h.MustCancel(t, held[0], diners[0])
	_, err := waitlist.MakeOffers(t.Context(), h.Restaurant, slot)
	dbtest.Must(t, err)
}

// fillOverPlan fills a slot, and seats two people more, where the house holds 14.
func fillOverPlan(t testing.TB, h *testkit.Harness, slot booking.SlotKey) {
	t.Helper()
	h.SetFireLimit(t, 14)
	full := testkit.WalkIn(h.Guest(h.Diners(t, 1, 0)[0], slot), booking.Seated)
	full.PartySize = 10
	over := testkit.OverPlan(testkit.WalkIn(h.Guest(full.UserID, slot), booking.Seated), 2)
	for _, req := range []booking.Request{full, over} {
		if out := h.ServeAlone(t, req); !out.Reserves() || out.Overridden != req.Overrides() {
			t.Fatalf("got %+v", out)
		}
	}
}

// tamperings are what each check has to find. They happen past all triggers and foreign keys, and without is dropped
// first.
var tamperings = []struct {
	check, query string
	without      string
}{
	{"seats_not_oversold", `UPDATE slots SET capacity = 3 WHERE service_time = '18:00'`, ""},
	{"seats_not_oversold", `UPDATE reservations SET party_size = 999 WHERE state = 'refund_pending'`, ""},
	{"seats_once_a_diner", `UPDATE reservations SET user_id = (SELECT user_id FROM reservations WHERE state = 'confirmed')
		WHERE state = 'prepaid_confirmed'`, `DROP INDEX reservations_one_live`},
	{"named_seats_once", `INSERT INTO reservation_seats (reservation_id, slot_id, restaurant_id, seat_id)
		SELECT 'another', slot_id, restaurant_id, seat_id FROM reservation_seats`, `DROP INDEX reservation_seats_one_holder`},
	{"named_seats_follow_states", `UPDATE reservation_seats SET held = false`, ""},
	{"named_seats_follow_states", `UPDATE reservations r SET state = 'cancelled' FROM reservation_seats n WHERE n.reservation_id = r.id`, ""},
	{"named_seats_suffice", `UPDATE reservations r SET party_size = 3 FROM reservation_seats n WHERE n.reservation_id = r.id`, ""},
	{"named_seats_suffice", `UPDATE reservation_seats SET slot_id = (SELECT id FROM slots WHERE service_time = '17:00')`, ""},
	{"named_seats_suffice", `UPDATE reservation_seats SET seat_id = 999`, ""},
	{"seats_not_oversold", `UPDATE slots SET capacity = 1 WHERE service_time = '20:00'`, ""},
	{"seats_not_oversold", `DELETE FROM reservation_overrides`, ""},
	{"seats_not_oversold", `UPDATE reservations SET party_size = 11 WHERE party_size = 10`, ""},
	{"seats_not_oversold", `UPDATE reservations SET party_size = 5 WHERE id IN (SELECT reservation_id FROM reservation_overrides)`, ""},
	{"seats_not_oversold", `UPDATE reservation_overrides SET fire_limit = 11`, ""},
	{"seats_once_a_diner", `INSERT INTO reservation_stays (reservation_id, slot_id)
		SELECT r.id, r.slot_id FROM reservations r JOIN reservation_stays stay ON stay.reservation_id = r.id`, ""},
	{"stays_go_on", `UPDATE reservation_stays SET slot_id = (SELECT id FROM slots WHERE service_time = '17:00')`, ""},
	{"stays_go_on", `DELETE FROM reservations WHERE id IN (SELECT reservation_id FROM reservation_stays)`, ""},
	{"holds_end_in_time", `UPDATE reservations SET hold_expires_at = now() - interval '16 seconds' WHERE state = 'temporary'`, ""},
	{"holds_end_in_time", `UPDATE reservations SET state = 'temporary', hold_expires_at = now() - interval '1 hour'
		WHERE state = 'expired'`, ""},
	{"stock_adds_up", `UPDATE menu_stock SET remaining = remaining + 1`, ""},
	{"stock_adds_up", `UPDATE menu_stock SET offered = offered - remaining - 1, remaining = -1`,
		`ALTER TABLE menu_stock DROP CONSTRAINT menu_stock_remaining`},
	{"stock_adds_up", `UPDATE reservations SET state = 'cancelled' WHERE state = 'temporary'`, ""},
	{"stock_adds_up", `DELETE FROM menu_stock`, ""},
	{"menus_add_up", `UPDATE reservations SET menu_amount = menu_amount + 1 WHERE state = 'confirmed'`, ""},
	{"menus_add_up", `DELETE FROM reservation_items`, ""},
	{"ratings_equal_reviews", `UPDATE ratings SET stars = stars + 1`, ""},
	{"ratings_equal_reviews", `DELETE FROM ratings`, ""},
	{"ratings_equal_reviews", `UPDATE reviews SET hidden_reason = 'spam'`, ""},
	{"reviews_of_visits", `UPDATE reservations SET state = 'no_show' WHERE id IN (SELECT reservation_id FROM reviews)`, ""},
	{"reviews_of_visits", `UPDATE reviews SET user_id = 'somebody'`, ""},
	{"given_back_matches_ledger", `UPDATE reservations SET given_back = given_back + 1 WHERE given_back > 0`, ""},
	{"given_back_matches_ledger", `DELETE FROM reservation_refunds`, ""},
	{"given_back_matches_ledger", `UPDATE ledger_entries SET amount = amount + 1 WHERE kind = 'given_back'`, ""},
	{"cards_match_ledger", `UPDATE payments SET returned = returned + 1 WHERE state = 'capturing'`, ""},
	{"cards_match_ledger", `UPDATE payments SET state = 'cancelled'`, ""},
	{"cards_match_ledger", `DELETE FROM ledger_entries WHERE kind = 'card'`, ""},
	{"refunds_are_due", `WITH asked AS (INSERT INTO payment_refunds (id, payment_id, amount) SELECT 'forgotten', max(id), 1 FROM payments
		RETURNING payment_id) UPDATE payments SET due_at = NULL FROM asked WHERE id = payment_id`, ""},
	{"wallets_equal_ledger", `UPDATE accounts SET balance = balance + 1`, ""},
	{"wallets_equal_ledger", `UPDATE accounts SET version = version + 1`, ""},
	{"wallets_equal_ledger", `UPDATE accounts SET balance = -1`, `ALTER TABLE accounts DROP CONSTRAINT accounts_balance_not_negative`},
	{"wallets_equal_ledger", `DELETE FROM accounts`, ""},
	{"wallets_equal_ledger", `INSERT INTO accounts SELECT id, 1, 0 FROM users ON CONFLICT DO NOTHING`, ""},
	{"wallets_equal_ledger", `DELETE FROM ledger_entries WHERE kind = 'withdrawal'`, ""},
	{"ledger_is_a_chain", `UPDATE ledger_entries SET balance_after = balance_after + 1 WHERE kind = 'deposit'`, ""},
	{"ledger_is_a_chain", `UPDATE ledger_entries SET version = version + 1`, `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_user_version`},
	{"ledger_is_a_chain", `UPDATE ledger_entries SET amount = amount + 1 WHERE kind = 'charge'`, ""},
	{"ledger_is_a_chain", `INSERT INTO ledger_entries (user_id, amount, kind, idempotency_key, balance_after, version)
		SELECT user_id, amount, kind, 'twin', balance_after, version FROM ledger_entries WHERE kind = 'withdrawal'`,
		`ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_user_version`},
	{"payments_match_reservations", `UPDATE reservations SET paid_amount = paid_amount + 1 WHERE state = 'confirmed'`, ""},
	{"payments_match_reservations", `UPDATE reservations SET state = 'expired' WHERE state = 'confirmed'`,
		`ALTER TABLE reservations DROP CONSTRAINT reservations_sound`},
	{"payments_match_reservations", `DELETE FROM ledger_entries WHERE kind = 'prepay'`, ""},
	{"payments_match_reservations", `DELETE FROM ledger_entries WHERE kind = 'change' AND amount < 0`, ""},
	{"payments_match_reservations", `UPDATE reservation_changes SET kept = kept + 1 WHERE kept > 0`,
		`ALTER TABLE reservation_changes DROP CONSTRAINT reservation_changes_amounts`},
	{"changes_are_a_chain", `DELETE FROM reservation_changes WHERE number = 1`, ""},
	{"changes_are_a_chain", `DELETE FROM reservation_changes WHERE number = 2`, ""},
	{"changes_are_a_chain", `UPDATE reservations SET changes = changes + 1 WHERE state = 'refunded'`, ""},
	{"changes_are_a_chain", `UPDATE reservations SET party_size = party_size + 1 WHERE state = 'temporary'`, ""},
	{"changes_are_a_chain", `UPDATE reservations SET slot_id = (SELECT id FROM slots WHERE service_time = '18:00') WHERE state = 'temporary'`, ""},
	{"changes_are_a_chain", `UPDATE reservation_items SET name_en = 'Another' WHERE quantity = 2`, ""},
	{"changes_are_a_chain", `UPDATE reservation_changes SET from_deposit = from_deposit + 1 WHERE number = 2`, ""},
	{"changes_are_a_chain", `UPDATE reservation_changes SET to_paid = to_paid + 1, from_paid = from_paid + 1 WHERE state = 'confirmed' AND number = 1`, ""},
	{"changes_are_a_chain", `UPDATE reservation_changes SET to_paid = to_paid + 1, from_paid = from_paid + 1 WHERE state = 'confirmed' AND number = 2`, ""},
	{"changes_are_a_chain", `UPDATE ledger_entries SET amount = -amount WHERE kind = 'change'`, ""},
	{"changes_are_a_chain", `DELETE FROM ledger_entries WHERE kind = 'change'`, ""},
	{"changes_are_a_chain", `UPDATE reservation_changes SET reservation_id = reservation_id || '-' WHERE number = 2`, ""},
	{"refunds_match_reservations", `UPDATE reservations SET refund_amount = 1, paid_amount = 1 WHERE state = 'expired'`, ""},
	{"refunds_match_reservations", `UPDATE reservations SET state = 'refunded' WHERE state = 'refund_pending'`, ""},
	{"refunds_match_reservations", `UPDATE reservations SET state = 'confirmed' WHERE state = 'refunded'`, ""},
	{"refunds_match_reservations", `DELETE FROM ledger_entries WHERE kind = 'refund'`, ""},
	{"refunds_match_reservations", `UPDATE reservations SET refund_amount = paid_amount + 1 WHERE state = 'refund_pending'`,
		`ALTER TABLE reservations DROP CONSTRAINT reservations_sound`},
	{"cancellations_follow_terms", `UPDATE reservations SET refund_amount = paid_amount - 1 WHERE state = 'refund_pending'`, ""},
	{"cancellations_follow_terms", `UPDATE reservations SET refund_amount = paid_amount / 2 WHERE state = 'refund_pending'
		AND policy ? 'freeCancelMinutes'`, ""},
	{"cancellations_follow_terms", `UPDATE reservations SET confirmed_at = diner_cancelled_at - interval '15 minutes 1 microsecond'
		WHERE state = 'refund_pending' AND policy ? 'freeCancelMinutes'`, ""},
	{"money_of_the_diner", `UPDATE reservations SET user_id = 'somebody' WHERE state = 'completed'`, ""},
	{"money_of_the_diner", `DELETE FROM reservations WHERE state = 'completed'`, ""},
	{"coupons_equal_claims", `UPDATE coupons SET issued = issued + 1`, ""},
	{"coupons_equal_claims", `UPDATE coupons SET total = 0`, `ALTER TABLE coupons DROP CONSTRAINT coupons_issued`},
	{"coupons_equal_claims", `DELETE FROM coupon_claims`, ""},
	{"coupons_one_a_person", `INSERT INTO coupon_claims (id, coupon_id, user_id, idempotency_key, fence)
		SELECT 'again', coupon_id, user_id, 'k', 1 FROM coupon_claims`, `ALTER TABLE coupon_claims DROP CONSTRAINT coupon_claims_one_a_person CASCADE`},
	{"coupons_used_once", `UPDATE coupon_claims SET reservation_id = NULL`, ""},
	{"coupons_used_once", `UPDATE coupon_claims SET reservation_id = (SELECT id FROM reservations WHERE state = 'expired')`, ""},
	{"coupons_used_once", `UPDATE reservations SET state = 'refund_pending' WHERE state = 'prepaid_confirmed'`, ""},
	{"coupons_used_once", `UPDATE reservations SET coupon_id = NULL, discount_use = '', discount_amount = 0`, ""},
	{"discounts_have_limits", `UPDATE reservations SET discount_amount = deposit_amount + 1 WHERE coupon_id IS NOT NULL`,
		`ALTER TABLE reservations DROP CONSTRAINT reservations_sound`},
	{"waitlist_in_order", `UPDATE waitlist_entries SET party_size = 2 WHERE party_size = 4`, ""},
	{"waitlist_in_order", `UPDATE waitlist_entries SET party_size = 4 WHERE state = 'offered'`, ""},
	{"waitlist_offers_are_held", `UPDATE reservations SET state = 'cancelled' WHERE id IN (SELECT reservation_id FROM waitlist_entries)`, ""},
	{"waitlist_offers_are_held", `UPDATE waitlist_entries SET state = 'lapsed' WHERE state = 'offered'`, ""},
	{"waitlist_offers_are_held", `UPDATE waitlist_entries SET user_id = 'somebody' WHERE state = 'offered'`, ""},
	{"waitlist_offers_are_held", `UPDATE waitlist_entries SET user_id = (SELECT min(user_id) FROM reservations r
		WHERE r.slot_id = waitlist_entries.slot_id AND state = 'temporary') WHERE party_size = 4`, `DROP INDEX waitlist_one_live`},
	{"waitlist_passes_bounded", `UPDATE waitlist_entries SET passes = 4 WHERE party_size = 4`,
		`ALTER TABLE waitlist_entries DROP CONSTRAINT waitlist_passes`},
	{"waitlist_passes_bounded", `UPDATE waitlist_entries SET passes = 0`, ""},
	{"waitlist_passes_bounded", `UPDATE waitlist_entries SET keeps = 1, kept_since = now() - interval '1 hour', kept_until = now()
		WHERE party_size = 4`, ""},
	{"waitlist_passes_bounded", `UPDATE waitlist_entries SET keeps = 1, kept_since = now() - interval '10 minutes',
		kept_until = now() + interval '1 minute' WHERE party_size = 4`, ""},
	{"waitlist_passes_bounded", `UPDATE waitlist_entries SET keeps = 1, kept_since = now(), kept_until = keep_before + interval '1 second'
		WHERE party_size = 4`, ""},
}

// Each check finds what breaks its sentence.
func TestAudit_FindsTampering(t *testing.T) {
	t.Parallel()
	h := evening(t)
	books := audits.NewStore(h.Pool)
	report, err := books.Audit(t.Context())
	if err != nil || report.Found() != 0 {
		t.Fatalf("before anybody tampered: %+v, %v", report.Wrong(), err)
	}
	checks, err := audits.ReadChecks()
	dbtest.Must(t, err)
	for _, check := range checks {
		if !slices.ContainsFunc(tamperings, func(c struct{ check, query, without string }) bool {
			return c.check == check.Name()
		}) {
			t.Errorf("nothing shows that %s finds anything", check.Name())
		}
	}
	foundSoon := map[string]bool{}
	err = books.InSnapshot(t.Context(), false, func(tx *sqlx.Tx) error {
		for _, c := range tamperings {
			t.Run(c.check, func(t *testing.T) {
				i := slices.IndexFunc(checks, func(check audits.Check) bool { return check.Name() == c.check })
				result, recent, slices := audits.Tampered(t, tx, checks[i], c.query, c.without)
				if result.Found == 0 || result.Examples[0].Problem == "" {
					t.Errorf("%s: it found %+v", c.query, result)
				}
				if recent > 0 {
					foundSoon[c.check] = true
				}
				if slices == 0 && checks[i].Kind() != "" {
					t.Errorf("%s: it finds nothing at night", c.query)
				}
				concerns, err := books.ListConcerns(t.Context(), audit.Report{Checks: []audit.Result{result}})
				named := len(concerns) == 1 && concerns[0].RestaurantID == h.Restaurant.ID &&
					concerns[0].Check == c.check
				if err != nil || named == noRestaurants.MatchString(c.check) {
					t.Errorf("%s: it concerns %+v, %v", c.query, concerns, err)
				}
			})
		}
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		t.Fatal(err)
	}
	for _, check := range checks {
		if foundSoon[check.Name()] == (check.Kind() == "days") {
			t.Errorf("%s finds what was touched: %v", check.Name(), foundSoon[check.Name()])
		}
	}
	if report, err = books.Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("after all was undone: %+v, %v", report.Wrong(), err)
	}
}

// noRestaurants are checks of what is no restaurant's.
var noRestaurants = regexp.MustCompile(`^(coupons_|wallets_|ledger_|money_)`)

var errUndo = errors.New("undo it")

func TestAudit_QuotesSomeCountsAll(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.Diners(t, 25, 1_000)
	h.MustExec(t, `ALTER TABLE accounts DISABLE TRIGGER accounts_equal_ledger`)
	h.MustExec(t, `UPDATE accounts SET balance = 2000`)
	report, err := audits.NewStore(h.Pool).Audit(t.Context())
	if err != nil || report.Found() != 25 || len(report.Wrong()) != 1 ||
		len(report.Wrong()[0].Examples) != audit.MaxExamples {
		t.Errorf("%+v, %v", report.Wrong(), err)
	}
}

func TestAuditIfDue_OneInstance(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	var stores []*audits.Store
	for range 4 {
		stores = append(stores, audits.NewStore(testkit.OpenAt(t, pg.Config{URL: h.URL})))
	}
	runs := func(age time.Duration) (n int) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, s := range stores {
			wg.Go(func() {
				report, ran, err := s.AuditIfDue(t.Context(), age)
				if err != nil || ran && len(report.Checks) == 0 {
					t.Errorf("%+v, %v", report, err)
				}
				mu.Lock()
				defer mu.Unlock()
				if ran {
					n++
				}
			})
		}
		wg.Wait()
		return n
	}
	if n := runs(time.Hour); n != 1 {
		t.Errorf("%d audited at once, want 1", n)
	}
	if n := runs(time.Hour); n != 0 {
		t.Errorf("%d audited again within the hour", n)
	}
	report, ran, err := stores[3].AuditIfDue(t.Context(), time.Hour)
	if err != nil || ran || report.At.IsZero() || len(report.Checks) == 0 {
		t.Errorf("what the others read: %+v, %v, %v", report, ran, err)
	}
	if n := runs(0); n == 0 {
		t.Error("nobody audited when it was due")
	}
}

// TestAudit_DuringRush audits again and again while everything moves: it sees one moment, never half a step.
func TestAudit_DuringRush(t *testing.T) {
	t.Parallel()
	h := evening(t)
	diners := h.Diners(t, 8, 1_000_000)
	var audited atomic.Int32
	var wg sync.WaitGroup
	for i, diner := range diners {
		wg.Go(func() {
			for round := 0; round < 10 || audited.Load() < 2; round++ {
				id := h.Reserve(t, h.Request(diner, h.Slot(booking.TimeOfDay(fmt.Sprintf("12:%02d", round%60)))))
				if _, err := h.Pay(t, id, diner, booking.Deposit, id); err != nil {
					t.Error(err)
				}
				if _, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner}); err != nil {
					t.Error(err)
				}
				if _, err := h.Reservations.SettleRefunds(t.Context(), 5); err != nil {
					t.Error(err)
				}
				other := wallet.Charge{UserID: diners[(i+1)%8], Amount: 1_000, IdempotencyKey: id}
				if _, _, err := h.Wallets.Charge(t.Context(), other); err != nil {
					t.Error(err)
				}
			}
		})
	}
	rushed := make(chan struct{})
	go func() { defer close(rushed); wg.Wait() }()
	books := audits.NewStore(h.Pool)
	for over := false; !over; audited.Add(1) {
		select {
		case <-rushed:
			over = true
		default:
		}
		if report, err := books.Audit(t.Context()); err != nil || report.Found() != 0 {
			t.Fatalf("%+v, %v", report.Wrong(), err)
		}
	}
}
