package booking

import (
	"errors"
	"testing"
	"time"
	_ "time/tzdata"
)

func inZone(t *testing.T, zone string) Restaurant {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	r := Restaurant{ID: 1, Location: loc,
		Settings: Settings{SlotMinutes: 60, PartyMin: 1, PartyMax: 8, LeadMinutes: 30, HorizonDays: 30}}
	for day := time.Sunday; day <= time.Saturday; day++ {
		r.Hours = append(r.Hours, Opening{Weekday: day, From: "11:30", Last: "13:30"},
			Opening{Weekday: day, From: "18:00", Last: "20:00"})
	}
	return r
}

func TestTimes_FollowHoursAndClosures(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Asia/Seoul")
	r.Closures = []Date{"2026-12-25"}
	want := []TimeOfDay{"11:30", "12:30", "13:30", "18:00", "19:00", "20:00"}
	if got := r.Times("2026-12-24"); len(got) != len(want) || got[0] != want[0] || got[5] != want[5] {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := r.Times("2026-12-25"); len(got) != 0 {
		t.Errorf("a closed day has %v", got)
	}
}

func TestCheckBookable(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Asia/Seoul")
	now := time.Date(2026, 12, 24, 18, 45, 0, 0, r.Location)
	for _, c := range []struct {
		date Date
		at   TimeOfDay
		want error
	}{
		{"2026-12-24", "20:00", nil},
		{"2026-12-24", "18:00", ErrPast},
		{"2026-12-24", "19:00", ErrTooSoon},
		{"2026-12-24", "20:30", ErrOutsideHours},
		{"2026-12-23", "19:00", ErrPast},
		{"2027-01-23", "19:00", nil},
		{"2027-01-24", "19:00", ErrTooFar},
	} {
		if err := r.CheckBookable(c.date, c.at, now); !errors.Is(err, c.want) {
			t.Errorf("%s %s: %v, want %v", c.date, c.at, err, c.want)
		}
	}
}

// opensAt and Times agree on every minute of some days.
func TestOpensAt_AgreesWithTimes(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Europe/Berlin")
	r.SlotMinutes = 45
	r.Hours = append(r.Hours, Opening{Weekday: time.Sunday, From: "00:00", Last: "03:30"})
	r.Closures = []Date{"2026-12-25"}
	for _, date := range []Date{"2026-12-24", "2026-12-25", "2026-12-27", "2027-03-28", "2027-10-31"} {
		slots := map[TimeOfDay]bool{}
		for _, at := range r.Times(date) {
			slots[at] = true
		}
		for m := range 24 * 60 {
			at := timeOfDay(m)
			_, err := r.Start(date, at)
			if got := err == nil && r.opensAt(date, at); got != slots[at] {
				t.Errorf("%s %s: a slot is %v, want %v", date, at, got, slots[at])
			}
		}
	}
}

func TestMinutes_InverseOfTimeOfDay(t *testing.T) {
	t.Parallel()
	for m := range 24 * 60 {
		at := timeOfDay(m)
		if want := time.Date(2000, 1, 1, 0, m, 0, 0, time.UTC).Format("15:04"); string(at) != want ||
			at.Minutes() != m {
			t.Errorf("minute %d is %s, want %s, and back %d", m, at, want, at.Minutes())
		}
	}
	r := inZone(t, "Asia/Seoul")
	for _, at := range []TimeOfDay{"", "7", "12.30", "1a:30", "24:00", "12:60", "12:3:", "-1:30", "１2:30"} {
		if _, err := r.Start("2026-12-24", at); !errors.Is(err, ErrNoSuchTime) {
			t.Errorf("%q begins a slot: %v", at, err)
		}
	}
}

func TestStart_ClockChanges(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Europe/Berlin")
	r.Hours = []Opening{{Weekday: time.Sunday, From: "01:30", Last: "04:30"}}
	if _, err := r.Start("2027-03-28", "02:30"); !errors.Is(err, ErrNoSuchTime) {
		t.Errorf("a skipped time: %v", err)
	}
	if got := r.Times("2027-03-28"); len(got) != 3 {
		t.Errorf("the day of the skipped hour has %v", got)
	}
	first, err := r.Start("2026-10-25", "02:30")
	if err != nil || first.UTC().Format("15:04") != "00:30" {
		t.Errorf("a time that comes twice begins at %v, %v", first.UTC(), err)
	}
}

func TestParseDateAndTime_Strict(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "2026-2-1", "2026-02-30", "0000-01-01", "2026-12-24T00:00", "내일"} {
		if _, err := ParseDate(s); err == nil {
			t.Errorf("%q is a date", s)
		}
	}
	for _, s := range []string{"", "7:00", "24:00", "19:00:00", "19시"} {
		if _, err := ParseTimeOfDay(s); err == nil {
			t.Errorf("%q is a time", s)
		}
	}
}

func TestRefund_FollowsTiers(t *testing.T) {
	t.Parallel()
	p := Policy{Tiers: []RefundTier{{48, 100}, {24, 50}}}
	start := time.Date(2026, 12, 24, 19, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		before time.Duration
		want   int64
	}{
		{49 * time.Hour, 10_001}, {48 * time.Hour, 10_001}, {47 * time.Hour, 5_000}, {24 * time.Hour, 5_000}, {23 * time.Hour, 0}, {-time.Hour, 0},
	} {
		if got := (Reservation{Policy: p}).refund(10_001, start, start.Add(-c.before)); got != c.want {
			t.Errorf("%v before: %d, want %d", c.before, got, c.want)
		}
	}
}
