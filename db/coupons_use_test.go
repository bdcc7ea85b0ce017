package db_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/coupons"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
)

// with returns a request for two seats and 64,000 won of dishes, with a coupon.
func (h *harness) with(id int64, diner string, slot booking.SlotKey) booking.Request {
	req := h.Request(diner, slot)
	req.CouponID = id
	return req
}

// menuCampaign makes one of coupons that take more off a menu than most cost.
func (h *harness) menuCampaign(t testing.TB, slug string, total int) int64 {
	t.Helper()
	return h.PutCampaign(t, coupon.Campaign{Slug: slug, Use: coupon.ForMenu, Amount: 50_000, Total: total})
}

// usedFor is the reservation that a person's coupon is used for; empty while it is free.
func (h *harness) usedFor(t testing.TB, id int64, diner string) string {
	t.Helper()
	held, err := coupons.NewStore(h.Pool).ListHeld(t.Context(), diner)
	dbtest.Must(t, err)
	for _, has := range held {
		if has.CouponID == id {
			return has.ReservationID
		}
	}
	t.Fatalf("%s has no coupon of %d", diner, id)
	return ""
}

// A coupon is used with its reservation and returned when that ends.
func TestCouponUse_ReturnsWithReservation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := h.Campaign(t, "deposit", 50)
	for i, c := range []struct {
		name string
		end  func(b eventful) error
		back bool
	}{
		{"expire", func(b eventful) error { return expires.happen(t, b) }, true},
		{"cancel while it is held", func(b eventful) error { return dinerCancels.happen(t, b) }, true},
		{"cancel when it is paid", func(b eventful) error {
			return errors.Join(pays(booking.Deposit).happen(t, b), dinerCancels.happen(t, b))
		}, true},
		{"cancel by staff", func(b eventful) error {
			return errors.Join(pays(booking.Prepay).happen(t, b), staffCancels.happen(t, b), settles.happen(t, b))
		}, true},
		{"visit", func(b eventful) error {
			return errors.Join(pays(booking.Deposit).happen(t, b),
				marks(booking.Arrived, booking.Completed).happen(t, b))
		}, false},
		{"no-show", func(b eventful) error {
			return errors.Join(pays(booking.Deposit).happen(t, b), marks(booking.NoShow).happen(t, b))
		}, false},
	} {
		diners := h.Diners(t, 2, 100_000)
		h.GiveCoupons(t, id, diners[0])
		b := eventful{harness: h, slot: h.Slot(booking.TimeOfDay(twoDigits(i) + ":00")), diner: diners[0],
			host: diners[1]}
		b.id = h.Reserve(t, h.with(id, b.diner, b.slot))
		made, err := h.Reservations.Find(t.Context(), b.id)
		if err != nil || made.Discount != (booking.Discount{CouponID: id, Use: booking.OffDeposit, Amount: 5_000}) ||
			h.usedFor(t, id, b.diner) != b.id {
			t.Errorf("%s: %+v, %v, used for %q", c.name, made.Discount, err, h.usedFor(t, id, b.diner))
		}
		if err := c.end(b); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if free := h.usedFor(t, id, b.diner) == ""; free != c.back {
			t.Errorf("after %s it is free: %v, want %v", c.name, free, c.back)
		}
		ended, err := h.Reservations.Find(t.Context(), b.id)
		if err != nil || ended.Discount != made.Discount || ended.PaidAmount != 0 && ended.PaidAmount != 15_000 &&
			ended.PaidAmount != 59_000 {
			t.Errorf("after %s: %+v, %v", c.name, ended, err)
		}
	}
	checkBalances(t, h)
}

func TestCouponUse_RefusalChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 2, 100_000)
	fine := h.Campaign(t, "fine", 9)
	other := h.PutCampaign(t, coupon.Campaign{Slug: "elsewhere", Use: coupon.ForDeposit, Amount: 1, Total: 9,
		RestaurantID: h.AnotherRestaurant(t)})
	late := h.Campaign(t, "late", 9)
	menu := h.menuCampaign(t, "menu", 9)
	foreign := h.Campaign(t, "foreign", 9)
	for _, id := range []int64{fine, other, late, menu} {
		h.GiveCoupons(t, id, diners[0])
	}
	h.GiveCoupons(t, foreign, diners[1])
	h.MustExec(t, `UPDATE coupons SET closes_at = now(), valid_until = now() WHERE id = $1`, late)
	h.Reserve(t, h.with(fine, diners[0], h.Slot("12:00")))
	before := h.Count(t, `SELECT count(*) FROM reservations`)
	hungry := h.with(menu, diners[0], h.Slot("13:00"))
	hungry.Items = nil
	run := []booking.Request{h.with(fine, diners[0], h.Slot("13:00")), h.with(other, diners[0], h.Slot("13:00")),
		h.with(late, diners[0], h.Slot("13:00")), hungry, h.with(foreign, diners[0], h.Slot("13:00")),
		h.with(foreign+1, diners[0], h.Slot("13:00")), h.with(-1, diners[0], h.Slot("13:00"))}
	outcomes, after, err := h.Slots.Serve(t.Context(), h.Turn(h.Slot("13:00"), 10, 1), run)
	if err != nil || after[0].Held != 0 {
		t.Fatalf("%+v, %v", after, err)
	}
	for i, want := range []error{booking.ErrCouponUsed, booking.ErrCouponElsewhere, booking.ErrCouponExpired,
		booking.ErrCouponUseless, booking.ErrCouponUnknown, booking.ErrCouponUnknown, booking.ErrCouponUnknown} {
		if !errors.Is(outcomes[i].Err, want) {
			t.Errorf("%d: %v, want %v", i, outcomes[i].Err, want)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations`); n != before {
		t.Errorf("%d reservations were made", n-before)
	}
	checkBalances(t, h)
}

// A deposit that a coupon covers is confirmed for nothing.
func TestPay_CouponCoversDeposit(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := h.PutCampaign(t, coupon.Campaign{Slug: "all", Use: coupon.ForDeposit, Amount: 90_000, Total: 9})
	diner := h.Diners(t, 1, 0)[0]
	h.GiveCoupons(t, id, diner)
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL`) // else it is confirmed already
	made := h.Reserve(t, h.with(id, diner, h.Slot("19:00")))
	for range 2 {
		paid, err := h.Pay(t, made, diner, booking.Deposit, "pay")
		if err != nil || paid.State != booking.Confirmed || paid.PaidAmount != 0 || paid.Discount.Amount != 20_000 {
			t.Errorf("%+v, %v", paid, err)
		}
	}
	if _, err := h.Reservations.Cancel(t.Context(), made, reserve.Canceller{UserID: diner}); err != nil {
		t.Error(err)
	}
	h.settle(t)
	checkBalances(t, h)
	if h.usedFor(t, id, diner) != "" {
		t.Error("it was not given back")
	}
}

// A late payment uses the coupon again, if that is free.
func TestPayLate_Coupon(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	id, slot := h.Campaign(t, "deposit", 9), h.Slot("19:00")
	for _, elsewhere := range []bool{false, true} {
		diner := h.Diners(t, 1, 100_000)[0]
		h.GiveCoupons(t, id, diner)
		req := h.with(id, diner, slot)
		req.HoldTime = 0
		late := h.Reserve(t, req)
		h.sweepHolds(t)
		used := late
		if elsewhere {
			without := h.Ordering(diner, h.Slot("12:00"))
			without.CouponID = id
			used = h.Reserve(t, without)
		}
		left := h.Left(t, slot)[h.Menu[0].ID]
		paid, err := h.Pay(t, late, diner, booking.Deposit, "pay")
		switch {
		case !elsewhere && (err != nil || paid.PaidAmount != 15_000 || h.Left(t, slot)[h.Menu[0].ID] != left-2):
			t.Errorf("with the coupon free: %+v, %v", paid, err)
		case elsewhere && (!errors.Is(err, booking.ErrReturned) || paid.RefundAmount != 15_000 ||
			h.Left(t, slot)[h.Menu[0].ID] != left):
			t.Errorf("with the coupon used: %+v, %v", paid, err)
		}
		if h.usedFor(t, id, diner) != used {
			t.Errorf("it is used for %s, want %s", h.usedFor(t, id, diner), used)
		}
	}
	checkBalances(t, h)
}

// contendWithACoupon lets a person use one coupon in many slots at the same moment, at two instances, and returns how
// many reservations have it. All others must be refused for it.
func contendWithACoupon(t *testing.T, h *harness, guard func(string) string, slots int) (used int) {
	t.Helper()
	h.Weaken(coupons.LockClaims, guard)
	second := h.Instance(t)
	stores := []*db.SlotStore{db.NewSlotStore(h.Pool), db.NewSlotStore(second)}
	for _, store := range stores {
		store.Limits.Holds = slots // so that the coupon alone is too few
	}
	id, diner := h.Campaign(t, fmt.Sprint("campaign-", time.Now().UnixNano()), 1), h.Diners(t, 1, 0)[0]
	h.GiveCoupons(t, id, diner)
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range slots {
		slot := h.Slot("12:00")
		slot.Date = slot.Date.AddDays(i)
		req := h.with(id, diner, slot)
		wg.Go(func() {
			<-start
			outcomes, _, err := stores[i%2].Serve(t.Context(), h.Turn(req.Slot, 10, 1), []booking.Request{req})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case outcomes[0].Reserves():
				used++
			case !errors.Is(outcomes[0].Err, booking.ErrCouponUsed):
				t.Errorf("got %v, want %v", outcomes[0].Err, booking.ErrCouponUsed)
			}
		})
	}
	close(start)
	wg.Wait()
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE coupon_id = $1`, id); n != used {
		t.Errorf("%d got the answer that they have it, %d have it", used, n)
	}
	return used
}

func TestCouponUse_OneOfManySlots(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for range 2 {
		if used := contendWithACoupon(t, h, dbtest.Intact, 60); used != 1 {
			t.Errorf("one coupon serves %d reservations", used)
		}
	}
	checkBalances(t, h)
}

var lockClaimsUnguarded = dbtest.Replacing("FOR UPDATE", "")

// Control: without its lock a coupon serves several slots.
func TestCouponUse_WithoutLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.MustExec(t, `DROP INDEX reservations_one_a_coupon`)
	h.Weaken(rowlock.LockUsers, unlockedUsers)
	h.Weaken(db.InsertReservations, dbtest.Meeting(2))
	if used := contendWithACoupon(t, h, lockClaimsUnguarded, 8); used < 2 {
		t.Errorf("it serves %d without the lock: the test above proves nothing", used)
	}
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() == 0 {
		t.Errorf("the auditor sees nothing of it: %+v, %v", report, err)
	}
}

// The database alone refuses what is too much.
func TestCouponUse_WithoutLockDatabaseRefuses(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(rowlock.LockUsers, unlockedUsers)
	h.Weaken(db.InsertReservations, dbtest.Meeting(6))
	if used := contendWithACoupon(t, h, lockClaimsUnguarded, 20); used != 1 {
		t.Errorf("one coupon serves %d reservations", used)
	}
}
