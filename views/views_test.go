package views_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lunchgo/views"
)

func TestURLs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "/", views.SearchURL(views.SearchForm{}))
	assert.Equal(t, "/?date=2026-11-21&party=2&q=%EC%86%94+%26+%EB%B0%A5", views.SearchURL(views.SearchForm{Date: "2026-11-21", Party: "2", Words: "솔 & 밥"}))
	assert.Equal(t, "/restaurants/sol-bap?date=2026-11-21&party=2", views.RestaurantDayURL("sol-bap", evening, 2))
	assert.Equal(t, "/restaurants/a%2Fb%3Fc", views.RestaurantURL("a/b?c"), "an odd slug stays one segment")
	assert.Equal(t, "/tickets/T.s", views.TicketFromURL("T.s", 0))
	assert.Equal(t, "/tickets/T.s?from=42", views.TicketFromURL("T.s", 42))
	assert.Equal(t, "/signin?next=%2Fwallet", views.SignInURL("/wallet"))
	assert.Equal(t, "/staff/restaurants/7/slots/2026-11-21/19:00", views.StaffSlotURL(7, evening))
	assert.Equal(t, "/reservations/r1/calendar.ics", views.CalendarURL("r1"))
}

func TestProgress_StaysWithinBounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ first, position, want int }{
		{42, 42, 0}, {42, 10, 76}, {42, 1, 97}, {42, 0, 100}, {0, 10, 0}, {5, 10, 0}, {1, 1, 0},
	} {
		status := views.WaitingStatus{FirstPosition: test.first, Position: test.position}
		assert.Equal(t, test.want, status.Progress(), "%+v", test)
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
			status := views.WaitingStatus{Position: test.position, SeatsLeft: test.left, SeatsAhead: test.ahead, SeatsAheadKnown: true,
				Party: test.party}
			assert.Equal(t, test.want, status.Odds())
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
			assert.Equal(t, test.want, status.Odds())
		})
	}
}

func TestWeeks_BeginOnMonday(t *testing.T) {
	t.Parallel()
	weeks := month("ko").Weeks()
	require.Len(t, weeks, 6, "November 2026 begins on a Sunday")
	assert.True(t, weeks[0][0].Date.IsZero())
	assert.Equal(t, 1, weeks[0][6].Date.Day())
	assert.Equal(t, 2, weeks[1][0].Date.Day())
	assert.Equal(t, 30, weeks[5][0].Date.Day())
	assert.Equal(t, time.Monday, weeks[5][0].Date.Weekday())
}

func TestCanBook_PartyFits(t *testing.T) {
	t.Parallel()
	assert.True(t, views.Slot{State: views.SlotOpen, Remaining: 4}.CanBook(4))
	assert.False(t, views.Slot{State: views.SlotOpen, Remaining: 4}.CanBook(5))
	assert.False(t, views.Slot{State: views.SlotClosed, Remaining: 20}.CanBook(1))
}

func TestShortage_IsWhatTheWalletLacks(t *testing.T) {
	t.Parallel()
	p := views.Payment{Deposit: 20_000}
	p.Balance = 5_000
	assert.EqualValues(t, 15_000, p.Shortage(p.Deposit))
	p.Balance = 20_000
	assert.EqualValues(t, 0, p.Shortage(p.Deposit))
}

func TestDepositToPay_TakesOffTheChosenCoupon(t *testing.T) {
	t.Parallel()
	b := booking("ko")
	b.Coupons = []views.CouponChoice{{ID: 7, CouponHead: couponHead("ko")}, {ID: 8, CouponHead: menuCoupon("ko")}}
	for chosen, want := range map[string]int64{"": 20_000, "7": 15_000, "8": 20_000, "9": 20_000, "x": 20_000} {
		b.Form.Coupon = chosen
		assert.Equal(t, want, b.DepositToPay(), "coupon %q", chosen)
	}
	b.Form.Coupon, b.Coupons[0].Amount = "7", 90_000
	assert.EqualValues(t, 0, b.DepositToPay())
	assert.EqualValues(t, 20_000, b.Deposit())
}

func TestPictures_Exist(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(views.Pictures), 12)
	for _, name := range append([]string{"no-such-picture"}, views.Pictures...) {
		assert.NotContains(t, views.PictureURL(name), "missing", name)
	}
	assert.Contains(t, views.PictureURL("no-such-picture"), "/table.svg")
	entries, err := os.ReadDir("../static/pictures")
	require.NoError(t, err)
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".svg")
		if name != "logo" && name != "favicon" && name != "table" {
			assert.Contains(t, views.Pictures, name)
		}
	}
}
