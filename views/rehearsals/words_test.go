package rehearsals

import (
	"strings"
	"testing"

	"lunchgo/app/rehearsal"
	"lunchgo/views"
)

// The first sentence says yes only where nothing failed, and else the worst that did.
func TestVerdict_SaysTheWorstFirst(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]views.RehearsalLive{
		"Ready: 500 parties in 10.3 s, nobody":     {Report: rehearsal.Report{TookMs: 10_300}},
		"Not ready: 1 seat was sold twice.":        {Report: rehearsal.Report{Oversold: 1, OrderInversions: 2, Failed: 3}},
		"Not ready: 2 parties booked before":       {Report: rehearsal.Report{OrderInversions: 2, Failed: 3}},
		"Not ready: 3 of 500 parties got no clear": {Report: rehearsal.Report{Failed: 3}},
		"Not known yet": {Broken: true},
	} {
		r.Lang, r.Guests, r.Answered = "en", 500, 500
		if got, ready := verdict(r); !strings.HasPrefix(got, want) || ready != strings.HasPrefix(want, "Ready") {
			t.Errorf("%q, %t; want %q", got, ready, want)
		}
	}
}
