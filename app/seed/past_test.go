package seed_test

import (
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/app/seed"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	dbreports "lunchgo/db/reports"
)

// The demo's owner has reports worth opening: who came how, who did not, and who came back. The
// auditor finds nothing wrong, and a later start adds the days that have passed.
func TestDemo_HasAPast(t *testing.T) {
	t.Parallel()
	h := setupDemo(t)
	owned, managed := restaurants(t, h.stores)[0], restaurants(t, h.stores)[2]
	for _, r := range restaurants(t, h.stores) {
		if r.Slug == seed.RushSlug {
			owned = r
		}
	}
	of := func(r booking.Restaurant, now time.Time) reports.Report {
		t.Helper()
		today := booking.DateOf(now, r.Location)
		filter := reports.Filter{Weekday: -1, Period: reports.Period{From: today.AddDays(-30), To: today.AddDays(-1)}}
		facts, err := dbreports.NewStore(h.db).ReadFacts(t.Context(), r, filter)
		dbtest.Must(t, err)
		return reports.Build(r, filter, facts)
	}
	report := func(now time.Time) reports.Report { return of(owned, now) }
	first := report(morning)
	sources := map[string]int{}
	for _, g := range first.Groups {
		if g.Kind == reports.BySource {
			sources[g.Value] = g.Parties
		}
	}
	if sources["web"] < 40 || sources["phone"] < 15 || sources["walk_in"] < 15 || first.Total.NoShowParties < 5 ||
		first.Guests.Returning < 20 || first.Guests.New < 5 || len(first.Turns) < 3 {
		t.Errorf("sources %v, %d no-shows, guests %+v, turns %+v", sources, first.Total.NoShowParties, first.Guests,
			first.Turns)
	}
	used := 0
	for _, table := range of(managed, morning).Tables {
		if table.Slots > 0 {
			used++
		}
	}
	if used < len(managed.Seats)/2 {
		t.Errorf("%d of %d seats of %s were used", used, len(managed.Seats), managed.Slug)
	}
	noShows := map[string]int{}
	for _, g := range first.Groups {
		if g.Kind == reports.ByPayment {
			noShows[g.Value] = g.NoShows
		}
	}
	if first.Total.Deposits < 1_000_000 || noShows[reports.Paid] == 0 || noShows[reports.Unpaid] == 0 {
		t.Errorf("%d won of deposits, no-shows %v", first.Total.Deposits, noShows)
	}
	dbtest.Must(t, seed.Demo(t.Context(), h.stores, morning.Add(7*24*time.Hour)))
	if later := report(morning); later.Total.Parties != first.Total.Parties {
		t.Errorf("%d parties came, after another start %d", first.Total.Parties, later.Total.Parties)
	}
	if later := report(morning.Add(7 * 24 * time.Hour)); later.Total.Parties < first.Total.Parties*3/4 {
		t.Errorf("a week later %d parties came, before %d", later.Total.Parties, first.Total.Parties)
	}
	if found, err := audits.NewStore(h.db).Audit(t.Context()); err != nil || found.Found() != 0 {
		t.Errorf("the auditor: %+v, %v", found.Wrong(), err)
	}
}
