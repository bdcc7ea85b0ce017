package booking

import (
	"errors"
	"testing"
	"time"
)

var noon = time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)

// priced is a request with a deposit and a menu of these prices.
func priced(deposit, menu int64) Request {
	req := request("ann", 2)
	req.DepositAmount, req.CouponID = deposit, 7
	if menu > 0 {
		req.Items = []Item{{MenuItemID: 1, Quantity: 1, UnitPrice: menu}}
	}
	return req
}

func TestDiscountOn_AtMostThePrice(t *testing.T) {
	t.Parallel()
	terms := CouponTerms{ID: 7, Use: OffDeposit, Amount: 5_000, ValidUntil: noon.Add(1)}
	for _, c := range []struct {
		name          string
		use           DiscountUse
		restaurant    int64
		deposit, menu int64
		at            time.Time
		off           int64
		err           error
	}{
		{"the whole amount", OffDeposit, 0, 20_000, 0, noon, 5_000, nil},
		{"all there is", OffDeposit, 1, 3_000, 90_000, noon, 3_000, nil},
		{"off the menu", OffMenu, 1, 20_000, 4_000, noon, 4_000, nil},
		{"no deposit", OffDeposit, 0, 0, 90_000, noon, 0, ErrCouponUseless},
		{"no menu", OffMenu, 0, 20_000, 0, noon, 0, ErrCouponUseless},
		{"too late", OffDeposit, 0, 20_000, 0, noon.Add(1), 0, ErrCouponExpired},
		{"another restaurant", OffDeposit, 2, 20_000, 0, noon, 0, ErrCouponElsewhere},
	} {
		terms.Use, terms.RestaurantID = c.use, c.restaurant
		got, err := terms.DiscountOn(priced(c.deposit, c.menu), c.at)
		if !errors.Is(err, c.err) || got.Amount != c.off || err != nil && !errors.Is(err, ErrCoupon) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if err == nil && (got.CouponID != 7 || got.Use != c.use) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestDecide_UsesUnusedCouponOfUser(t *testing.T) {
	t.Parallel()
	free := Coupon{CouponTerms: CouponTerms{ID: 7, Use: OffDeposit, Amount: 5_000, ValidUntil: noon.Add(1)}}
	used := free
	used.ReservationID = "R0"
	for name, c := range map[string]struct {
		coupons map[Owner]Coupon
		err     error
	}{
		"their own":       {map[Owner]Coupon{{"ann", 7}: free}, nil},
		"somebody else's": {map[Owner]Coupon{{"bob", 7}: free}, ErrCouponUnknown},
		"another one":     {map[Owner]Coupon{{"ann", 8}: free}, ErrCouponUnknown},
		"none":            {nil, ErrCouponUnknown},
		"a used one":      {map[Owner]Coupon{{"ann", 7}: used}, ErrCouponUsed},
	} {
		state := SlotState{Slots: []Occupancy{{Capacity: 2}}, Coupons: c.coupons, Now: noon}
		outcomes, after := Decide(state, []Request{priced(20_000, 0), request("eve", 2)})
		if got := outcomes[0]; !errors.Is(got.Err, c.err) || got.Reserves() != (c.err == nil) {
			t.Errorf("%s: %+v", name, got)
		}
		if after[0].Held != 2 || outcomes[1].Reserves() != (c.err != nil) {
			t.Errorf("%s: the seats of who is refused are not for the next: %+v", name, outcomes[1])
		}
		if off := outcomes[0].Discount.Amount; c.err == nil && off != 5_000 || c.err != nil && off != 0 {
			t.Errorf("%s: %d won off", name, off)
		}
	}
}

func TestAmountsToPay_WithCoupon(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		deposit, menu   int64
		discount        Discount
		toPay, toPrepay int64
	}{
		{"without", 20_000, 48_000, Discount{}, 20_000, 48_000},
		{"off the deposit", 20_000, 48_000, Discount{7, OffDeposit, 5_000}, 15_000, 43_000},
		{"the whole deposit", 20_000, 48_000, Discount{7, OffDeposit, 20_000}, 0, 28_000},
		{"the deposit of a small menu", 20_000, 8_000, Discount{7, OffDeposit, 5_000}, 15_000, 15_000},
		{"off the menu", 20_000, 48_000, Discount{7, OffMenu, 12_000}, 20_000, 36_000},
		{"the menu never below the deposit", 20_000, 24_000, Discount{7, OffMenu, 24_000}, 20_000, 20_000},
		{"the whole menu where there is no deposit", 0, 24_000, Discount{7, OffMenu, 24_000}, 0, 0},
	} {
		r := Reservation{State: Temporary, DepositAmount: c.deposit, MenuAmount: c.menu, Discount: c.discount,
			HoldExpiresAt: noon}
		deposit, err := r.PaymentFor(Deposit, noon)
		if err != nil || deposit.Amount != c.toPay || deposit.State != Confirmed {
			t.Errorf("%s: the deposit is %+v, %v", c.name, deposit, err)
		}
		prepaid, err := r.PaymentFor(Prepay, noon)
		if err != nil || prepaid.Amount != c.toPrepay || prepaid.State != PrepaidConfirmed {
			t.Errorf("%s: prepaying is %+v, %v", c.name, prepaid, err)
		}
	}
	r := Reservation{State: Temporary, DepositAmount: 20_000, HoldExpiresAt: noon}
	if _, err := r.PaymentFor(Prepay, noon); !errors.Is(err, ErrNothingToPrepay) || r.PrepayToPay() != 0 {
		t.Errorf("without a menu: %v", err)
	}
}
