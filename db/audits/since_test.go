package audits

import (
	"testing"
	"time"

	"lunchgo/app/audit"
)

func TestStoredReports_Since(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ago := func(minutes int) time.Time { return now.Add(-time.Duration(minutes) * time.Minute) }
	wrong := func(at, since int) audit.Report {
		return audit.Report{At: ago(at), Since: ago(since),
			Checks: []audit.Result{{Check: "payments_match_reservations", Found: 1}}}
	}
	for name, c := range map[string]struct {
		recent, finished audit.Report
		want             time.Time
	}{
		"the first looks at a day":            {want: now.Add(-24 * time.Hour)},
		"the next goes on":                    {recent: audit.Report{At: ago(5), Since: ago(10)}, want: ago(5)},
		"what was found is looked at again":   {recent: wrong(5, 10), want: ago(10)},
		"an hour at most":                     {recent: wrong(5, 90), want: ago(60)},
		"but all since the last one":          {recent: wrong(90, 100), want: ago(90)},
		"until the audit of everything knows": {wrong(5, 90), audit.Report{At: ago(60)}, ago(60)},
	} { // in any order
		if got := (storedReports{Now: now, Recent: c.recent, Finished: c.finished}).since(); !got.Equal(c.want) {
			t.Errorf("%s: since %v, want %v", name, got, c.want)
		}
	}
}
