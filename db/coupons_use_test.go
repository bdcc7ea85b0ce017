package db

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/reserve"
)

// with is a wish for two seats and 64,000 won of dishes, with a coupon.
func (f *fixture) with(id int64, diner string, slot booking.SlotKey) booking.Request {
	req := f.request(diner, slot)
	req.CouponID = id
	return req
}

// usedFor is the reservation that a person's coupon is used for; empty while it is free.
func (f *fixture) usedFor(t testing.TB, id int64, diner string) string {
	t.Helper()
	held, err := NewCouponStore(f.DB).ListHeld(t.Context(), diner)
	if err != nil {
		t.Fatal(err)
	}
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
	f := setup(t)
	id := f.campaign(t, "deposit", 50)
	for i, c := range []struct {
		name string
		end  func(b booked) error
		back bool
	}{
		{"expire", func(b booked) error { return expires.happen(t, b) }, true},
		{"cancel while it is held", func(b booked) error { return dinerCancels.happen(t, b) }, true},
		{"cancel when it is paid", func(b booked) error {
			return errors.Join(pays(booking.Deposit).happen(t, b), dinerCancels.happen(t, b))
		}, true},
		{"cancel by staff", func(b booked) error {
			return errors.Join(pays(booking.Prepay).happen(t, b), staffCancels.happen(t, b), settles.happen(t, b))
		}, true},
		{"visit", func(b booked) error {
			return errors.Join(pays(booking.Deposit).happen(t, b), marks(booking.Arrived, booking.Completed).happen(t, b))
		}, false},
		{"no-show", func(b booked) error {
			return errors.Join(pays(booking.Deposit).happen(t, b), marks(booking.NoShow).happen(t, b))
		}, false},
	} {
		diners := f.diners(t, 2, 100_000)
		f.give(t, id, diners[0])
		b := booked{fixture: f, slot: f.slot(booking.TimeOfDay(twoDigits(i) + ":00")), diner: diners[0], host: diners[1]}
		b.id = f.reserve(t, f.with(id, b.diner, b.slot))
		made, err := f.reservations.Find(t.Context(), b.id)
		if err != nil || made.Discount != (booking.Discount{CouponID: id, Use: booking.OffDeposit, Amount: 5_000}) || f.usedFor(t, id, b.diner) != b.id {
			t.Errorf("%s: %+v, %v, used for %q", c.name, made.Discount, err, f.usedFor(t, id, b.diner))
		}
		if err := c.end(b); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if free := f.usedFor(t, id, b.diner) == ""; free != c.back {
			t.Errorf("after %s it is free: %v, want %v", c.name, free, c.back)
		}
		ended, err := f.reservations.Find(t.Context(), b.id)
		if err != nil || ended.Discount != made.Discount || ended.PaidAmount != 0 && ended.PaidAmount != 15_000 && ended.PaidAmount != 59_000 {
			t.Errorf("after %s: %+v, %v", c.name, ended, err)
		}
	}
	checkReservations(t, f)
}

// A coupon that cannot be used changes nothing.
func TestCouponUse_RefusalChangesNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	diners := f.diners(t, 2, 100_000)
	fine := f.campaign(t, "fine", 9)
	other := f.put(t, coupon.Campaign{Slug: "elsewhere", Use: coupon.ForDeposit, Amount: 1, Total: 9, RestaurantID: f.anotherRestaurant(t)})
	late := f.campaign(t, "late", 9)
	menu := f.menuCampaign(t, "menu", 9)
	foreign := f.campaign(t, "foreign", 9)
	for _, id := range []int64{fine, other, late, menu} {
		f.give(t, id, diners[0])
	}
	f.give(t, foreign, diners[1])
	f.mustExec(t, `UPDATE coupons SET closes_at = now(), valid_until = now() WHERE id = $1`, late)
	f.reserve(t, f.with(fine, diners[0], f.slot("12:00")))
	before := f.count(t, `SELECT count(*) FROM reservations`)
	hungry := f.with(menu, diners[0], f.slot("13:00"))
	hungry.Items = nil
	run := []booking.Request{f.with(fine, diners[0], f.slot("13:00")), f.with(other, diners[0], f.slot("13:00")),
		f.with(late, diners[0], f.slot("13:00")), hungry, f.with(foreign, diners[0], f.slot("13:00")),
		f.with(foreign+1, diners[0], f.slot("13:00")), f.with(-1, diners[0], f.slot("13:00"))}
	outcomes, after, err := f.slots.Serve(t.Context(), f.turn(f.slot("13:00"), 10, 1), run)
	if err != nil || after[0].Held != 0 {
		t.Fatalf("%+v, %v", after, err)
	}
	for i, want := range []error{booking.ErrCouponUsed, booking.ErrCouponElsewhere, booking.ErrCouponExpired, booking.ErrCouponUseless,
		booking.ErrCouponUnknown, booking.ErrCouponUnknown, booking.ErrCouponUnknown} {
		if !errors.Is(outcomes[i].Err, want) {
			t.Errorf("%d: %v, want %v", i, outcomes[i].Err, want)
		}
	}
	if n := f.count(t, `SELECT count(*) FROM reservations`); n != before {
		t.Errorf("%d reservations were made", n-before)
	}
	checkReservations(t, f)
}

func (f *fixture) anotherRestaurant(t testing.TB) int64 {
	t.Helper()
	place := testRestaurant()
	place.Slug = "another"
	id, err := f.seeds.PutRestaurant(t.Context(), place, testMenu())
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A deposit that a coupon covers is confirmed for nothing.
func TestPay_CouponCoversDeposit(t *testing.T) {
	t.Parallel()
	f := setup(t)
	id := f.put(t, coupon.Campaign{Slug: "all", Use: coupon.ForDeposit, Amount: 90_000, Total: 9})
	diner := f.diners(t, 1, 0)[0]
	f.give(t, id, diner)
	made := f.reserve(t, f.with(id, diner, f.slot("19:00")))
	for range 2 {
		paid, err := f.pay(t, made, diner, booking.Deposit, "pay")
		if err != nil || paid.State != booking.Confirmed || paid.PaidAmount != 0 || paid.Discount.Amount != 20_000 {
			t.Errorf("%+v, %v", paid, err)
		}
	}
	if _, err := f.reservations.Cancel(t.Context(), made, reserve.Canceller{UserID: diner}); err != nil {
		t.Error(err)
	}
	f.settle(t)
	checkReservations(t, f)
	if f.usedFor(t, id, diner) != "" {
		t.Error("it was not given back")
	}
}

// A late payment uses the coupon again, if that is free.
func TestPayLate_Coupon(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.limit(t, f.menu[0], 5)
	id, slot := f.campaign(t, "deposit", 9), f.slot("19:00")
	for _, elsewhere := range []bool{false, true} {
		diner := f.diners(t, 1, 100_000)[0]
		f.give(t, id, diner)
		wish := f.with(id, diner, slot)
		wish.HoldTime = 0
		late := f.reserve(t, wish)
		f.sweepHolds(t)
		used := late
		if elsewhere {
			without := f.ordering(diner, f.slot("12:00"))
			without.CouponID = id
			used = f.reserve(t, without)
		}
		left := f.left(t, slot)[f.menu[0].ID]
		paid, err := f.pay(t, late, diner, booking.Deposit, "pay")
		switch {
		case !elsewhere && (err != nil || paid.PaidAmount != 15_000 || f.left(t, slot)[f.menu[0].ID] != left-2):
			t.Errorf("with the coupon free: %+v, %v", paid, err)
		case elsewhere && (!errors.Is(err, booking.ErrReturned) || paid.RefundAmount != 15_000 || f.left(t, slot)[f.menu[0].ID] != left):
			t.Errorf("with the coupon used: %+v, %v", paid, err)
		}
		if f.usedFor(t, id, diner) != used {
			t.Errorf("it is used for %s, want %s", f.usedFor(t, id, diner), used)
		}
	}
	checkReservations(t, f)
}

// contendWithACoupon lets a person use one coupon in many slots at the same moment, at two instances, and returns how many
// reservations have it. All others must be refused for it.
func contendWithACoupon(t *testing.T, f *fixture, guard rewrite, slots int) (used int) {
	t.Helper()
	second := openTest(t, Config{URL: f.url, QueryTimeout: time.Minute, LockTimeout: 30 * time.Second})
	f.weakenGuard(lockClaims, guard)
	second.weaken = f.weaken
	stores := []*SlotStore{f.slots, NewSlotStore(second)}
	id, diner := f.campaign(t, fmt.Sprint("campaign-", time.Now().UnixNano()), 1), f.diners(t, 1, 0)[0]
	f.give(t, id, diner)
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range slots {
		req := f.with(id, diner, f.slot(booking.TimeOfDay(fmt.Sprintf("%02d:%02d", i/60, i%60))))
		wg.Go(func() {
			<-start
			outcomes, _, err := stores[i%2].Serve(t.Context(), f.turn(req.Slot, 10, 1), []booking.Request{req})
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
	if n := f.count(t, `SELECT count(*) FROM reservations WHERE coupon_id = $1`, id); n != used {
		t.Errorf("%d were told that they have it, %d have it", used, n)
	}
	return used
}

// A coupon serves one of many slots in which it is asked for at once.
func TestCouponUse_OneOfManySlots(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd takes seconds")
	}
	f := setup(t)
	for range 2 {
		if used := contendWithACoupon(t, f, asItIs, 60); used != 1 {
			t.Errorf("one coupon serves %d reservations", used)
		}
	}
	checkReservations(t, f)
}

var lockClaimsUnguarded = replacing("FOR UPDATE", "")

// Control: without its lock a coupon serves several slots.
func TestCouponUse_WithoutLock(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.mustExec(t, `DROP INDEX reservations_one_a_coupon`)
	f.weakenGuard(insertReservations, meeting(2))
	if used := contendWithACoupon(t, f, lockClaimsUnguarded, 8); used < 2 {
		t.Errorf("it serves %d without the lock: the test above proves nothing", used)
	}
	if report, err := NewAuditStore(f.DB).Audit(t.Context()); err != nil || report.Found() == 0 {
		t.Errorf("the auditor sees nothing of it: %+v, %v", report, err)
	}
}

// The database alone refuses what is too much.
func TestCouponUse_WithoutLockDatabaseRefuses(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.weakenGuard(insertReservations, meeting(6))
	if used := contendWithACoupon(t, f, lockClaimsUnguarded, 20); used != 1 {
		t.Errorf("one coupon serves %d reservations", used)
	}
}
