package webtest

import (
	"database/sql"
	"net/http"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// Turns were served while Redis' clock was an hour ahead, and the counters of fences are lost: whoever presses or
// claims is served all the same, and the fences that the database has stored go on rising.
func TestFences_OfAClockThatWasAheadStopNobody(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, campaign := r.slot("19:00"), r.campaign(t, "ahead", 5, time.Minute)
	both := func(key string) {
		t.Helper()
		r.press(t, r.diner(t, 0), key, "wait=10", r.requestFor(slot, 2)).want(t, http.StatusCreated, "")
		r.claim(t, r.diner(t, 0), campaign, key, "wait=10").want(t, http.StatusCreated, "")
	}
	both("before")
	pool, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer pool.Close()
	ahead := time.Now().Add(time.Hour).UnixMicro()
	for _, statement := range []string{`UPDATE slots SET fence = $1`, `UPDATE coupons SET fence = $1`} {
		if _, err := pool.ExecContext(t.Context(), statement, ahead); err != nil {
			t.Fatal(err)
		}
	}
	both("raised")
	counters := r.Redis.Keys(t.Context(), r.Setup.Config.Prefix+"*:counter").Val()
	if n := r.Redis.Del(t.Context(), counters...).Val(); n != 2 {
		t.Fatalf("%d counters are lost", n)
	}
	both("lost")
	var risen int
	err = pool.QueryRowContext(t.Context(), `
		SELECT (SELECT count(*) FROM slots WHERE fence > $1) + (SELECT count(*) FROM coupons WHERE fence > $1)`,
		ahead).Scan(&risen)
	if err != nil || risen != 2 {
		t.Errorf("%d fences have risen, %v", risen, err)
	}
}
