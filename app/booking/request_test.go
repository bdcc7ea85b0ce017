package booking

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDraftCheck_ReportsEveryInvalidField(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Asia/Seoul")
	menu := []MenuItem{{ID: 1, Price: 9_000}, {ID: 2, Price: 12_000}}
	now := time.Date(2026, 12, 20, 12, 0, 0, 0, r.Location)
	good := Draft{RestaurantID: 1, Date: "2026-12-24", Time: "19:00", PartySize: 2}
	for name, c := range map[string]struct {
		change func(*Draft)
		want   []string
	}{
		"nothing":           {func(*Draft) {}, nil},
		"emoji in a note":   {func(d *Draft) { d.Note = "🎂 생일" }, nil},
		"party 0":           {func(d *Draft) { d.PartySize = 0 }, []string{"partySize out_of_range"}},
		"party -1":          {func(d *Draft) { d.PartySize = -1 }, []string{"partySize out_of_range"}},
		"party 10^9":        {func(d *Draft) { d.PartySize = 1e9 }, []string{"partySize out_of_range"}},
		"impossible date":   {func(d *Draft) { d.Date = "2026-02-30" }, []string{"date invalid_date"}},
		"past":              {func(d *Draft) { d.Date = "2026-12-19" }, []string{"time past"}},
		"far":               {func(d *Draft) { d.Date = "2027-12-19" }, []string{"date too_far"}},
		"outside hours":     {func(d *Draft) { d.Time = "03:00" }, []string{"time outside_hours"}},
		"long note":         {func(d *Draft) { d.Note = strings.Repeat("가", 501) }, []string{"note too_long"}},
		"turned around":     {func(d *Draft) { d.Note = "2\u202eseats" }, []string{"note invalid_text"}},
		"no text":           {func(d *Draft) { d.Allergies = "a\x00b" }, []string{"allergies invalid_text"}},
		"unknown item":      {func(d *Draft) { d.Items = []DraftItem{{1, 1}, {7, 1}} }, []string{"items[1].menuItemId unknown"}},
		"overflowing lines": {func(d *Draft) { d.Items = []DraftItem{{1, 98}, {1, 2}} }, []string{"items[1].quantity out_of_range"}},
		"many at once": {func(d *Draft) { d.Date, d.Time, d.PartySize = "x", "y", 99 },
			[]string{"date invalid_date", "time invalid_time", "partySize out_of_range"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			draft := good
			c.change(&draft)
			_, err := draft.Check(r, menu, now)
			var got []string
			if invalid, ok := errors.AsType[*InvalidError](err); ok {
				for _, f := range invalid.Fields {
					got = append(got, f.Field+" "+f.Reason)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestDraftCheck_MergesAndPricesItems(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Asia/Seoul")
	r.DepositPerPerson = 5_000
	menu := []MenuItem{{ID: 1, Price: 9_000}, {ID: 2, Price: 12_000}}
	draft := Draft{Date: "2026-12-24", Time: "19:00", PartySize: 3, Items: []DraftItem{{2, 1}, {1, 2}, {2, 3}}}
	req, err := draft.Check(r, menu, time.Date(2026, 12, 20, 12, 0, 0, 0, r.Location))
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Items) != 2 || req.Items[0].MenuItemID != 1 || req.Items[1].Quantity != 4 {
		t.Errorf("items %+v", req.Items)
	}
	if req.MenuAmount() != 2*9_000+4*12_000 || req.DepositAmount != 15_000 {
		t.Errorf("menu %d, deposit %d", req.MenuAmount(), req.DepositAmount)
	}
}

func TestPaymentAndCancellation_FollowState(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	held := Reservation{State: Temporary, HoldExpiresAt: now.Add(time.Minute), DepositAmount: 10_000,
		MenuAmount: 30_000}
	for _, c := range []struct {
		state State
		kind  PaymentKind
		at    time.Time
		want  Payment
		err   error
	}{
		{Temporary, Deposit, now, Payment{10_000, Confirmed, false}, nil},
		{Temporary, Prepay, now, Payment{30_000, PrepaidConfirmed, false}, nil},
		{Temporary, Deposit, now.Add(time.Minute), Payment{10_000, Confirmed, false}, nil},
		{Temporary, Deposit, now.Add(time.Minute + LatePayment), Payment{}, ErrHoldExpired},
		{Expired, Deposit, now.Add(2 * time.Minute), Payment{10_000, Confirmed, true}, nil},
		{Expired, Prepay, now.Add(2 * time.Minute), Payment{30_000, PrepaidConfirmed, true}, nil},
		{Expired, Deposit, now.Add(time.Minute + LatePayment), Payment{}, ErrHoldExpired},
		{Confirmed, Deposit, now, Payment{}, ErrAlreadyPaid},
		{Refunded, Deposit, now, Payment{}, ErrWrongState},
	} {
		r := held
		r.State = c.state
		got, err := r.PaymentFor(c.kind, c.at)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s %s: %+v, %v; want %+v, %v", c.state, c.kind, got, err, c.want, c.err)
		}
	}
	for _, s := range []State{Expired, Cancelled, Arrived, Seated, Completed, NoShow, RefundPending, Refunded} {
		if _, err := (Reservation{State: s}).CancellationFor(now.Add(time.Hour), now); !errors.Is(err, ErrWrongState) {
			t.Errorf("cancelling in %s: %v", s, err)
		}
	}
}
