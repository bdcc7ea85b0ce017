package seed_test

import (
	"testing"
	"time"

	"lunchgo/app/seed"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
)

// Every restaurant of the demo is rated by guests who have been there, as the auditor finds too, and once.
func TestDemo_HasReviews(t *testing.T) {
	t.Parallel()
	h := setupDemo(t)
	before := restaurants(t, h.stores)
	dbtest.Must(t, seed.Demo(t.Context(), h.stores, morning.Add(24*time.Hour)))
	for i, r := range restaurants(t, h.stores) {
		if r.Rating.Reviews < 3 || r.Rating.Average() < 3.5 || r.Rating != before[i].Rating {
			t.Errorf("%s is rated %+v, at first %+v", r.Slug, r.Rating, before[i].Rating)
		}
	}
	if report, err := audits.NewStore(h.db).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("%+v, %v", report.Wrong(), err)
	}
}
