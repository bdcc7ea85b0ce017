package booking

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// dinner is a confirmed reservation of a party of two for 20,000 won, with a menu of 64,000; a cancellation within two
// days of noon refunds half.
func dinner() Reservation {
	slot := request("ann", 2).Slot
	return Reservation{ID: "r", RestaurantID: slot.RestaurantID, Slot: slot, UserID: "ann", PartySize: 2,
		State: Confirmed, Items: []Item{{MenuItemID: 1, Quantity: 2, UnitPrice: 32_000}},
		DepositAmount: 20_000, MenuAmount: 64_000, PaidAmount: 20_000,
		Policy:        Policy{Tiers: []RefundTier{{48, 100}, {24, 50}}},
		HoldExpiresAt: noon.Add(7 * time.Minute), CreatedAt: noon.Add(-time.Hour)}
}

// wanting is a request that replaces it.
func wanting(r Reservation, party int, deposit int64, items ...Item) Request {
	req := request(r.UserID, party)
	req.Slot, req.Items, req.DepositAmount, req.Policy = r.Slot, items, deposit, r.Policy
	req.Change = &Change{ReservationID: r.ID, Number: r.Changes, From: []SlotKey{r.Slot}, FromParty: r.PartySize}
	return req
}

func TestRevise_Amounts(t *testing.T) {
	t.Parallel()
	ribs := func(n int) Item { return Item{MenuItemID: 1, Quantity: n, UnitPrice: 32_000} }
	const early, late, tooLate = 72 * time.Hour, 36 * time.Hour, 2 * time.Hour
	for _, c := range []struct {
		name                       string
		state                      State
		paid                       int64
		party                      int
		deposit                    int64
		items                      []Item
		ahead                      time.Duration
		price, charge, back, keeps int64
	}{
		{"more persons", Confirmed, 20_000, 4, 40_000, []Item{ribs(2)}, tooLate, 40_000, 20_000, 0, 0},
		{"fewer, early", Confirmed, 20_000, 1, 10_000, []Item{ribs(2)}, early, 10_000, 0, 10_000, 0},
		{"fewer, late", Confirmed, 20_000, 1, 10_000, []Item{ribs(2)}, late, 10_000, 0, 5_000, 5_000},
		{"fewer, too late", Confirmed, 20_000, 1, 10_000, []Item{ribs(2)}, tooLate, 10_000, 0, 0, 10_000},
		{"half a won is not paid out", Confirmed, 20_000, 1, 9_999, nil, late, 9_999, 0, 5_000, 5_001},
		{"another menu, deposit paid", Confirmed, 20_000, 2, 20_000, []Item{ribs(9)}, early, 20_000, 0, 0, 0},
		{"another menu, prepaid", PrepaidConfirmed, 64_000, 2, 20_000, []Item{ribs(3)}, early, 96_000, 32_000, 0, 0},
		{"no menu, prepaid", PrepaidConfirmed, 64_000, 2, 20_000, nil, late, 20_000, 0, 22_000, 22_000},
		{"while it waits for payment", Temporary, 0, 4, 40_000, nil, early, 0, 0, 0, 0},
	} {
		r := dinner()
		r.State, r.PaidAmount = c.state, c.paid
		next, err := r.Revise(wanting(r, c.party, c.deposit, c.items...), CouponTerms{}, noon.Add(c.ahead), noon)
		if err != nil || next.PaidAmount != c.price || next.Charge != c.charge || next.Refund != c.back ||
			next.Retained != c.keeps {
			t.Errorf("%s: %d paid, %d charged, %d back, %d kept, %v", c.name, next.PaidAmount, next.Charge, next.Refund,
				next.Retained, err)
		}
		if next.State != c.state || next.ID != "r" || next.HoldExpiresAt != r.HoldExpiresAt || next.Changes != 1 ||
			next.PartySize != c.party || next.DepositAmount != c.deposit {
			t.Errorf("%s: it became %+v", c.name, next.Reservation)
		}
		if paid := next.PaidAmount + next.Retained; paid != r.PaidAmount+next.Amount() {
			t.Errorf("%s: %d won paid and kept of %d and %d", c.name, paid, r.PaidAmount, next.Amount())
		}
	}
}

func TestRevise_TextsAloneKeepPriceAndTerms(t *testing.T) {
	t.Parallel()
	r := dinner()
	req := wanting(r, 2, 90_000, Item{MenuItemID: 1, Quantity: 2, UnitPrice: 50_000})
	req.Policy = Policy{}
	if _, err := r.Revise(req, CouponTerms{}, noon.Add(time.Hour), noon); !errors.Is(err, ErrNothingToChange) {
		t.Errorf("got %v", err)
	}
	req.Note = "A window, please"
	next, err := r.Revise(req, CouponTerms{}, noon.Add(time.Hour), noon)
	if err != nil || next.Note != req.Note || next.Amount() != 0 || next.Retained != 0 ||
		next.DepositAmount != 20_000 ||
		next.MenuAmount != 64_000 || next.Items[0].UnitPrice != 32_000 || len(next.Policy.Tiers) != 2 {
		t.Errorf("%+v, %v", next, err)
	}
}

// TestRevise_NeverRaisesRefund moves a reservation with a small refund to a day with a full refund.
func TestRevise_NeverRaisesRefund(t *testing.T) {
	t.Parallel()
	r := dinner()
	for _, c := range []struct {
		ahead time.Duration
		want  int64        // won that come back
		tiers []RefundTier // that still say something
	}{
		{72 * time.Hour, 20_000, []RefundTier{{48, 100}, {24, 50}}},
		{36 * time.Hour, 10_000, []RefundTier{{24, 50}}},
		{time.Hour, 0, []RefundTier{}},
	} {
		req := wanting(r, 2, 20_000, r.Items...)
		req.Slot.Date = req.Slot.Date.AddDays(30)
		next, err := r.Revise(req, CouponTerms{}, noon.Add(c.ahead), noon)
		later := noon.Add(c.ahead + 30*24*time.Hour)
		if back := next.refund(next.PaidAmount, later, noon); err != nil || back != c.want {
			t.Errorf("%v ahead: %d won come back, %v", c.ahead, back, err)
		}
		if !slices.Equal(next.Policy.Tiers, c.tiers) || len(r.Policy.Tiers) != 2 || r.Policy.Tiers[0].Percent != 100 {
			t.Errorf("%v ahead: %+v", c.ahead, next.Policy)
		}
	}
	r.State, r.PaidAmount = Temporary, 0
	req := wanting(r, 2, 20_000)
	if next, err := r.Revise(req, CouponTerms{}, noon.Add(time.Hour), noon); err != nil ||
		next.Policy.Tiers[0].Percent != 100 {
		t.Errorf("of what is not paid: %+v, %v", next.Policy, err)
	}
	// Fewer persons first and then none gives what none at once gives.
	r = dinner()
	less, err := r.Revise(wanting(r, 1, 10_000), CouponTerms{}, noon.Add(36*time.Hour), noon)
	if err != nil || less.Refund+less.refund(less.PaidAmount, noon.Add(36*time.Hour),
		noon) != r.refund(20_000, noon.Add(36*time.Hour), noon) {
		t.Errorf("in two steps: %+v, %v", less, err)
	}
}

func TestRevise_CouponStaysUntilUseless(t *testing.T) {
	t.Parallel()
	// it was used in time
	coupon := CouponTerms{ID: 7, Use: OffDeposit, Amount: 15_000, ValidUntil: noon.Add(-time.Minute)}
	r := dinner()
	r.Discount, r.PaidAmount = Discount{7, OffDeposit, 15_000}, 5_000
	for _, c := range []struct {
		deposit, off, paid int64
		back               bool
	}{{40_000, 15_000, 25_000, false}, {10_000, 10_000, 0, false}, {0, 0, 0, true}} {
		req := wanting(r, 4, c.deposit)
		req.CouponID = 7
		next, err := r.Revise(req, coupon, noon.Add(time.Hour), noon)
		if err != nil || next.Discount.Amount != c.off || next.PaidAmount != c.paid || next.ReturnsCoupon != c.back ||
			(next.Discount.CouponID == 0) != c.back {
			t.Errorf("a deposit of %d: %+v, %v", c.deposit, next, err)
		}
	}
}

func TestCheckChange_StatesAndDeadlines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		state State
		hours int
		ahead time.Duration
		err   error
	}{
		{"confirmed", Confirmed, 0, time.Second, nil},
		{"prepaid", PrepaidConfirmed, 24, 24 * time.Hour, nil},
		{"held", Temporary, 0, time.Hour, nil},
		{"begun", Confirmed, 0, 0, ErrPast},
		{"held, but begun", Temporary, 0, 0, ErrPast},
		{"past the bound", Confirmed, 24, 24*time.Hour - 1, ErrTooLateToChange},
		{"expired", Expired, 0, time.Hour, ErrHoldExpired},
		{"cancelled", Cancelled, 0, time.Hour, ErrWrongState},
		{"arrived", Arrived, 0, time.Hour, ErrWrongState},
		{"completed", Completed, 0, time.Hour, ErrWrongState},
		{"no-show", NoShow, 0, time.Hour, ErrWrongState},
		{"to be refunded", RefundPending, 0, time.Hour, ErrWrongState},
		{"refunded", Refunded, 0, time.Hour, ErrWrongState},
	} {
		r := dinner()
		r.State, r.Policy.ChangeHours = c.state, c.hours
		if err := r.CheckChange(noon.Add(c.ahead), noon); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	r := dinner()
	r.State = Temporary
	if err := r.CheckChange(noon.Add(time.Hour), r.HoldExpiresAt); !errors.Is(err, ErrHoldExpired) {
		t.Errorf("a hold that is over: %v", err)
	}
}

func TestDecideChange_OwnSeatsAndPortionsAreFree(t *testing.T) {
	t.Parallel()
	r := dinner()
	other := r.Slot
	other.Time = "21:00"
	full := Occupancy{Capacity: 10, Held: 10, OnHold: 3}
	for _, c := range []struct {
		name  string
		slot  SlotKey
		party int
		seats Occupancy
		stock Stock
		err   error
	}{
		{"two more of two", r.Slot, 4, Occupancy{Capacity: 10, Held: 8}, nil, nil},
		{"two more of one", r.Slot, 4, Occupancy{Capacity: 10, Held: 9}, nil, &SoldOutError{}},
		{"fewer in a full slot", r.Slot, 1, full, nil, nil},
		{"another menu in a closed slot", r.Slot, 2, Occupancy{Capacity: 10, Closed: true}, nil, nil},
		{"more in a closed slot", r.Slot, 3, Occupancy{Capacity: 10, Closed: true}, nil, ErrClosed},
		{"another slot that is full", other, 2, full, nil, &SoldOutError{}},
		{"another slot with as many left", other, 2, Occupancy{Capacity: 10, Held: 8}, nil, nil},
		{"a dish that has run out", other, 2, Occupancy{Capacity: 10}, Stock{1: 0}, &OutOfStockError{}},
		{"a dish of which enough is left", other, 2, Occupancy{Capacity: 10}, Stock{1: 1}, nil},
	} {
		req := wanting(r, c.party, 0, Item{MenuItemID: 1, Quantity: 1})
		req.Slot, req.Note = c.slot, "new"
		state := ChangeState{Reservation: r, Start: noon.Add(time.Hour), Now: noon,
			Slots: map[SlotKey]Occupancy{c.slot: c.seats}, Stock: c.stock, Limits: DefaultLimits()}
		_, err := DecideChange(state, req)
		var full *SoldOutError
		var short *OutOfStockError
		if ok := errors.Is(err, c.err) || errors.As(err, &full) && errors.As(c.err, &full) || errors.As(err, &short) &&
			errors.As(c.err, &short); !ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	state := ChangeState{Reservation: r, Start: noon.Add(time.Hour), Now: noon, Duplicate: "another"}
	if _, err := DecideChange(state, wanting(r, 3, 0)); !errors.Is(err, ErrDuplicate) {
		t.Errorf("who sits there already: %v", err)
	}
}

func TestDecideChange_NeverCostsMoreThanQuoted(t *testing.T) {
	t.Parallel()
	r := dinner()
	state := ChangeState{Reservation: r, Start: noon.Add(36 * time.Hour), Now: noon,
		Slots: map[SlotKey]Occupancy{r.Slot: {Capacity: 10}}}
	decide := func(party int, deposit, quoted int64, number int) error {
		req := wanting(r, party, deposit)
		req.Change.Quoted, req.Change.Number = quoted, number
		_, err := DecideChange(state, req)
		return err
	}
	amount := func(err error) int64 {
		var changed *AmountChangedError
		if !errors.As(err, &changed) {
			t.Errorf("got %v", err)
			return 0
		}
		return changed.Amount
	}
	if got := amount(decide(4, 40_000, 19_999, 0)); got != 20_000 {
		t.Errorf("%d won to pay", got)
	}
	if got := amount(decide(1, 10_000, -5_001, 0)); got != -5_000 {
		t.Errorf("%d won to pay", got)
	}
	if err := errors.Join(decide(4, 40_000, 20_000, 0), decide(4, 40_000, 50_000, 0), decide(1, 10_000, -5_000, 0),
		decide(1, 10_000, 0, 0)); err != nil {
		t.Error(err)
	}
	if err := decide(4, 40_000, 50_000, 1); !errors.Is(err, ErrChangedMeanwhile) {
		t.Errorf("what they did not see: %v", err)
	}
}

func TestChangeDraft_KeepsUnnamedFields(t *testing.T) {
	t.Parallel()
	r := dinner()
	r.Note, r.Discount.CouponID = "hello", 7
	same := ChangeDraft{}.Draft(r)
	if same.Date != string(r.Slot.Date) || same.Time != string(r.Slot.Time) || same.PartySize != 2 ||
		same.Note != "hello" ||
		same.CouponID != 7 || same.CurrentSlot != r.Slot || !slices.Equal(same.Items, []DraftItem{{1, 2}}) {
		t.Errorf("%+v", same)
	}
	at, party, none := "20:30", 3, []DraftItem{}
	other := ChangeDraft{Time: &at, PartySize: &party, Items: &none}.Draft(r)
	if other.Time != at || other.PartySize != 3 || len(other.Items) != 0 || other.Date != same.Date {
		t.Errorf("%+v", other)
	}
}

// A change leaves the texts that staff corrected after it was asked for, unless its diner wrote others.
func TestRevise_LeavesWhatStaffCorrected(t *testing.T) {
	t.Parallel()
	const ahead = 72 * time.Hour
	for name, c := range map[string]struct {
		read          *Texts
		note          string
		noted, eating string
	}{
		"texts as they were":          {&Texts{Note: "window"}, "window", "by the door", "nuts"},
		"a new note":                  {&Texts{Note: "window"}, "a birthday", "a birthday", "nuts"},
		"control: nobody says before": {nil, "window", "window", ""},
	} {
		r := dinner()
		r.State, r.Note, r.Allergies, r.DetailsChanged = Confirmed, "by the door", "nuts", true // staff meanwhile
		req := wanting(r, 1, 10_000)
		req.Note, req.Allergies, req.Change = c.note, "", &Change{Read: c.read}
		next, err := r.Revise(req, CouponTerms{}, noon.Add(ahead), noon)
		if err != nil || next.Note != c.noted || next.Allergies != c.eating {
			t.Errorf("%s: %q, %q, %v", name, next.Note, next.Allergies, err)
		}
	}
}
