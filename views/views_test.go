package views_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/setup"
	"lunchgo/views"
)

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ got, want string }{
		{views.SearchURL(views.SearchForm{}), "/"},
		{views.SearchURL(views.SearchForm{Date: "2026-11-21", Party: "2", Words: "솔 & 밥"}),
			"/?date=2026-11-21&party=2&q=%EC%86%94+%26+%EB%B0%A5"},
		{views.RestaurantDayURL("sol-bap", evening, 2), "/restaurants/sol-bap?date=2026-11-21&party=2"},
		{views.RestaurantURL("a/b?c"), "/restaurants/a%2Fb%3Fc"}, // an odd slug stays one segment
		{views.TicketFromURL("T.s", 0), "/tickets/T.s"},
		{views.TicketFromURL("T.s", 42), "/tickets/T.s?from=42"},
		{views.SignInURL("/wallet"), "/signin?next=%2Fwallet"},
		{views.StaffSlotURL(7, evening), "/staff/restaurants/7/slots/2026-11-21/19:00"},
		{views.CalendarURL("r1"), "/reservations/r1/calendar.ics"},
	} {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}

func TestProgress_StaysWithinBounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ first, position, want int }{
		{42, 42, 0}, {42, 10, 76}, {42, 1, 97}, {42, 0, 100}, {0, 10, 0}, {5, 10, 0}, {1, 1, 0},
	} {
		status := views.WaitingStatus{FirstPosition: test.first, Position: test.position}
		if got := status.Progress(); got != test.want {
			t.Errorf("%+v: %d, want %d", test, got, test.want)
		}
	}
}

// The promise counts party sizes, not people: with parties of four ahead, two seats each would promise too much.
func TestOdds_CountsPartySizes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                         string
		position, left, ahead, party int
		want                         views.Odds
	}{
		{"room for all", 10, 20, 18, 2, views.OddsGood},
		{"three parties of four, where two each would fit", 4, 12, 12, 2, views.OddsFair},
		{"three parties of four, and room for all", 4, 14, 12, 2, views.OddsGood},
		{"one seat short", 10, 19, 18, 2, views.OddsFair},
		{"half of what is asked for", 10, 10, 18, 2, views.OddsFair},
		{"less than half", 10, 9, 18, 2, views.OddsPoor},
		{"not even for oneself", 1, 1, 0, 2, views.OddsNone},
	} {
		t.Run(test.name, func(t *testing.T) {
			status := views.WaitingStatus{Position: test.position, SeatsLeft: test.left, SeatsAhead: test.ahead,
				SeatsAheadKnown: true, Party: test.party}
			if got := status.Odds(); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// The page does not guess unknown party sizes: it never says then that there is room for all.
func TestOdds_WithoutSumPromisesNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		position, left int
		want           views.Odds
	}{
		{"plenty left", 10, 200, views.OddsOpen},
		{"a seat for each", 10, 11, views.OddsOpen},
		{"not even a seat for each", 10, 10, views.OddsFair},
		{"far too few", 10, 5, views.OddsPoor},
		{"nobody ahead", 1, 2, views.OddsGood},
		{"too few for this party", 10, 1, views.OddsNone},
	} {
		t.Run(test.name, func(t *testing.T) {
			status := views.WaitingStatus{Position: test.position, SeatsLeft: test.left, Party: 2}
			if got := status.Odds(); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

func TestWeeks_BeginOnMonday(t *testing.T) {
	t.Parallel()
	m := month("ko")
	weeks := m.Weeks()
	if len(weeks) != 3 { // today is the 19th, and the month has six
		t.Fatalf("%d weeks, want 3", len(weeks))
	}
	days := []int{weeks[0][0].Date.Day(), weeks[1][0].Date.Day(), weeks[2][6].Date.Day()}
	if want := []int{16, 23, 6}; !slices.Equal(days, want) {
		t.Errorf("days %v, want %v", days, want)
	}
	if got := weeks[2][0].Date.Weekday(); got != time.Monday {
		t.Errorf("the last week begins on a %v", got)
	}
	if !m.IsChosen(weeks[0]) || m.IsChosen(weeks[1]) || m.IsUnfolded() {
		t.Error("the calendar is not folded to the week of the chosen day")
	}
	m.Selected = m.Selected.AddDate(0, 1, 0)
	if !m.IsUnfolded() {
		t.Error("a month without the chosen day shows nothing of itself")
	}
}

func TestCanBook_PartyFits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		slot  views.Slot
		party int
		want  bool
	}{
		{views.Slot{State: views.SlotOpen, Remaining: 4}, 4, true},
		{views.Slot{State: views.SlotOpen, Remaining: 4}, 5, false},
		{views.Slot{State: views.SlotClosed, Remaining: 20}, 1, false},
	} {
		if got := test.slot.CanBook(test.party); got != test.want {
			t.Errorf("%+v for %d: %v, want %v", test.slot, test.party, got, test.want)
		}
	}
}

func TestShortage_IsWhatTheWalletLacks(t *testing.T) {
	t.Parallel()
	p := views.Payment{Deposit: 20_000}
	for balance, want := range map[int64]int64{5_000: 15_000, 20_000: 0} {
		p := p
		p.Balance = balance
		if got := p.Shortage(p.Deposit); got != want {
			t.Errorf("%d in the wallet: %d are lacking, want %d", balance, got, want)
		}
	}
}

func TestDepositToPay_TakesOffTheChosenCoupon(t *testing.T) {
	t.Parallel()
	b := bookingPage("ko")
	b.Coupons = []views.CouponChoice{{ID: 7, CouponHead: couponHead("ko")}, {ID: 8, CouponHead: menuCoupon("ko")}}
	for chosen, want := range map[string]int64{"": 20_000, "7": 15_000, "8": 20_000, "9": 20_000, "x": 20_000} {
		b := b
		b.Form.Coupon = chosen
		if got := b.DepositToPay(); got != want {
			t.Errorf("coupon %q: %d to pay, want %d", chosen, got, want)
		}
	}
	b.Form.Coupon, b.Coupons[0].Amount = "7", 90_000
	if got := b.DepositToPay(); got != 0 {
		t.Errorf("%d to pay with a coupon for more, want 0", got)
	}
	if got := b.Deposit(); got != 20_000 {
		t.Errorf("deposit %d, want 20000", got)
	}
}

func TestPictures_Exist(t *testing.T) {
	t.Parallel()
	if n := len(setup.Pictures()); n < 12 {
		t.Fatalf("%d pictures, want at least 12", n)
	}
	for _, name := range append([]string{"no-such-picture"}, setup.Pictures()...) {
		if url := views.PictureURL(name); strings.Contains(url, "missing") {
			t.Errorf("%s is at %s", name, url)
		}
	}
	holds(t, views.PictureURL("no-such-picture"), "/table.svg")
	entries, err := os.ReadDir("../static/pictures")
	must(t, err)
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".svg")
		if !entry.IsDir() && !slices.Contains(append(setup.Pictures(), "logo", "favicon"), name) {
			t.Errorf("no %q in %q", name, setup.Pictures())
		}
	}
}
