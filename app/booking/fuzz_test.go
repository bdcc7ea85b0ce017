package booking

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"
	"unicode/utf8"
)

// What is read as a date is one, written as dates are: the days before and after it can be found and read again.
func FuzzParseDate(f *testing.F) {
	for _, seed := range []string{"2026-11-21", "2000-01-01", "2027-02-30", "2028-02-29", "9999-12-31", "2026-1-1", "",
		"２０２６-11-21", "2026-11-21\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		date, err := ParseDate(text)
		if err != nil {
			if date != "" || !errors.Is(err, ErrInvalidDate) {
				t.Errorf("%q: %q, %v", text, date, err)
			}
			return
		}
		day, err := time.Parse(time.DateOnly, text)
		if err != nil || DateOf(day, time.UTC) != date || string(date) != text || date.AddDays(-1).AddDays(1) != date {
			t.Errorf("%q is read as %q", text, date)
		}
	})
}

// What is read as a time of day is one of the 1440, written as they are.
func FuzzParseTimeOfDay(f *testing.F) {
	for _, seed := range []string{"19:00", "00:00", "24:00", "9:00", "19:00:00", "", "+1:00", "１9:00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ParseTimeOfDay(text)
		if err != nil {
			if at != "" || !errors.Is(err, ErrInvalidTime) {
				t.Errorf("%q: %q, %v", text, at, err)
			}
			return
		}
		var midnight time.Time
		minutes := at.Minutes()
		if minutes < 0 || minutes >= 24*60 || midnight.Add(time.Duration(minutes)*time.Minute).Format("15:04") != text {
			t.Errorf("%q is read as minute %d", text, minutes)
		}
	})
}

// What was frozen with a reservation is read as it was, and gives back no more than was paid.
func FuzzParsePolicy(f *testing.F) {
	for _, seed := range []string{`{"tiers":[{"hoursBefore":24,"percent":100}]}`, `{}`, `null`, `[]`, `{"tiers":null}`,
		`{"tiers":[{"percent":1e3}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var policy, again Policy
		if json.Unmarshal(raw, &policy) != nil {
			return
		}
		written, err := json.Marshal(policy)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatal(err)
		}
		if rewritten, err := json.Marshal(again); err != nil || !bytes.Equal(written, rewritten) {
			t.Errorf("%s, then %s, %v", written, rewritten, err)
		}
	})
}

// A draft is refused with the fields at fault, or it is within every limit.
func FuzzDraft_Check(f *testing.F) {
	f.Add("2026-11-21", "19:00", 2, "no nuts", "", int64(1), 2, int64(1))
	f.Add("2026-11-21", "19:00", -1, "a\x00b", "\xff", int64(9), 100, int64(-1))
	f.Add("", "", 1<<62, "\u202e", "x", int64(1), -1, int64(1<<62))
	zone := time.FixedZone("KST", 9*60*60)
	r := Restaurant{ID: 1, Location: zone,
		Settings: Settings{Capacity: 10, SlotMinutes: 60, PartyMin: 1, PartyMax: 6, HorizonDays: 30}}
	for day := range 7 {
		r.Hours = append(r.Hours, Opening{Weekday: time.Weekday(day), From: "18:00", Last: "20:00"})
	}
	menu := []MenuItem{{ID: 1, Price: 12_000}, {ID: 2, Price: 4_000}}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, zone)
	f.Fuzz(func(t *testing.T, date, at string, party int, note, allergies string, dish int64, quantity int,
		seat int64) {
		draft := Draft{RestaurantID: 1, Date: date, Time: at, PartySize: party, Note: note, Allergies: allergies,
			Items:   []DraftItem{{MenuItemID: dish, Quantity: quantity}, {MenuItemID: dish, Quantity: quantity}},
			SeatIDs: []int64{seat}}
		if seat == 0 {
			draft.SeatIDs = nil
		}
		request, err := draft.Check(r, menu, now)
		if err != nil {
			var invalid *InvalidError
			if !errors.As(err, &invalid) || len(invalid.Fields) == 0 {
				t.Errorf("%+v: %v", draft, err)
			}
			return
		}
		within := party >= r.PartyMin && party <= r.PartyMax && utf8.ValidString(request.Note) &&
			utf8.RuneCountInString(request.Note) <= MaxNoteRunes && len(request.SeatIDs) == 0 &&
			!slices.ContainsFunc(request.Items, func(it Item) bool { return it.Quantity < 1 || it.UnitPrice <= 0 })
		if !within || request.MenuAmount() < 0 || string(request.Slot.Date) != date || string(request.Slot.Time) != at {
			t.Errorf("%+v becomes %+v", draft, request)
		}
	})
}
