package diner

import (
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/views"
)

// A card shows five times of a day in order: those nearest to the one that is searched for, of which the nearest that
// the party can have is marked.
func TestCard_ShowsTheForemostTimes(t *testing.T) {
	t.Parallel()
	var found reserve.SearchResult
	for hour := 10; hour < 20; hour++ {
		slot := reserve.Slot{Start: time.Date(2026, 11, 21, hour, 0, 0, 0, time.UTC),
			Offer: booking.Offer{State: booking.OfferOpen, Remaining: 8}}
		switch hour {
		case 10:
			slot.State = booking.OfferClosed
		case 12, 17:
			slot.Remaining = 1
		case 13:
			slot.State, slot.Remaining = booking.OfferSoldOut, 0
		}
		found.Slots = append(found.Slots, slot)
	}
	for name, test := range map[string]struct {
		slots   []reserve.Slot
		at      booking.TimeOfDay
		shown   []int // hours
		nearest int   // hour, 0 for none
		more    int
	}{
		"a time that has seats":   {found.Slots, "15:00", []int{13, 14, 15, 16, 17}, 15, 4},
		"a time that has too few": {found.Slots, "17:00", []int{15, 16, 17, 18, 19}, 16, 4},
		"between two":             {found.Slots, "17:40", []int{15, 16, 17, 18, 19}, 18, 4},
		"before all":              {found.Slots, "07:00", []int{11, 12, 13, 14, 15}, 11, 4},
		"few times, none of them": {found.Slots[2:4], "12:00", []int{12, 13}, 0, 0},
	} {
		card := cardOf(&reserve.SearchResult{Slots: test.slots}, reserve.Query{PartySize: 2, Time: test.at})
		var shown []int
		for _, s := range card.Slots {
			shown = append(shown, s.At.Hour())
		}
		if !slices.Equal(shown, test.shown) || card.More != test.more {
			t.Errorf("%s: %v and %d more, want %v and %d", name, shown, card.More, test.shown, test.more)
		}
		if marked := card.Nearest; marked.IsZero() != (test.nearest == 0) || !marked.IsZero() && marked.Hour() != test.nearest {
			t.Errorf("%s: %v is marked, want %d", name, marked, test.nearest)
		}
	}
}

// Who names no time is shown those near the next meal: dinner once lunch has begun, and lunch of every other day.
func TestQuestion_AsksForTheNextMeal(t *testing.T) {
	t.Parallel()
	offered := searchOptions{Directory: &reserve.Directory{}, maxParty: 12, lastDate: "2026-12-31"}
	for _, test := range []struct {
		now, date, typed string
		want             booking.TimeOfDay
	}{
		{"09:00:00", "", "", "12:00"},
		{"12:00:00", "2026-11-21", "", "12:00"},
		{"12:01:00", "", "", "18:30"},
		{"21:00:00", "", "", "18:30"},
		{"21:00:00", "2026-11-22", "", "12:00"},
		{"21:00:00", "2026-11-22", "17:30", "17:30"},
	} {
		now, err := time.Parse(time.DateTime, "2026-11-21 "+test.now)
		if err != nil {
			t.Fatal(err)
		}
		q, faults := offered.question(views.SearchForm{Date: test.date, Time: test.typed}, now)
		if q.Time != test.want || len(faults) > 0 {
			t.Errorf("%+v: %s, %v", test, q.Time, faults)
		}
	}
}
