package diner

import (
	"testing"
	"time"

	"lunchgo/app/reserve"
	"lunchgo/views"
)

// A chip adds its answer to the search, or takes it away, and keeps the others.
func TestChips_ChangeOneAnswer(t *testing.T) {
	offered := searchOptions{Directory: &reserve.Directory{Districts: []string{"jongno"},
		Cuisines: []string{"korean", "western"}, PriceBands: []int{2}}}
	at := func(clock string) time.Time {
		now, err := time.Parse(time.DateTime, "2026-11-21 "+clock)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	form := views.SearchForm{Date: "2026-11-22", Time: "12:30", Party: "3", Cuisine: "korean"}
	for _, test := range []struct {
		name, now, label, want string
		on                     bool
	}{
		{"now", "11:10:00", "Now", "/?cuisine=korean&date=2026-11-21&party=3&time=11%3A30", false},
		{"tonight", "11:10:00", "Tonight", "/?cuisine=korean&date=2026-11-21&party=3&time=19%3A00", false},
		{"no now before midnight", "23:45:00", "Now", "", false},
		{"no tonight after its time", "19:10:00", "Tonight", "", false},
		{"an answer more", "11:10:00", "Prices: Moderate", "/?cuisine=korean&date=2026-11-22&party=3&price=2&time=12%3A30", false},
		{"an answer less", "11:10:00", "Korean", "/?date=2026-11-22&party=3&time=12%3A30", true},
		{"another answer", "11:10:00", "Western", "/?cuisine=western&date=2026-11-22&party=3&time=12%3A30", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, chip := range offered.chips("en", form, at(test.now)) {
				if chip.Label == test.label {
					if chip.URL != test.want || chip.On != test.on {
						t.Errorf("%+v, not %s", chip, test.want)
					}
					return
				}
			}
			if test.want != "" {
				t.Errorf("no chip %s", test.label)
			}
		})
	}
}
