package webtest

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/db/dbtest"
)

// campaign makes one of so many coupons for deposits, open from opens ago for an hour.
func (r *harness) campaign(t testing.TB, slug string, total int, opens time.Duration) int64 {
	t.Helper()
	return r.put(t, coupon.Campaign{Slug: slug, Use: coupon.ForDeposit, Amount: 5_000, Total: total}, opens)
}

func (r *harness) put(t testing.TB, c coupon.Campaign, opens time.Duration) int64 {
	t.Helper()
	c.OpensAt = time.Now().Add(-opens)
	c.ClosesAt, c.ValidUntil = c.OpensAt.Add(time.Hour), c.OpensAt.Add(48*time.Hour)
	c.Name, c.Description = booking.Text{Ko: "첫 방문 쿠폰", En: "First visit"}, booking.Text{Ko: "5,000원", En: "5,000 won"}
	id, err := r.Stores.Seeds.PutCampaign(t.Context(), c)
	dbtest.Must(t, err)
	return id
}

func (r *harness) claim(t *testing.T, who person, id any, key, prefer string) answer {
	t.Helper()
	c := call{method: http.MethodPost, path: fmt.Sprintf("/api/coupons/%v/claims", id), as: who,
		headers: map[string]string{}}
	if key != "" {
		c.headers["Idempotency-Key"] = key
	}
	if prefer != "" {
		c.headers["Prefer"] = prefer
	}
	return r.do(t, c)
}

// campaigns are the answers of GET /api/coupons, by id.
func (r *harness) campaigns(t *testing.T, who person) map[int64]map[string]any {
	t.Helper()
	all := map[int64]map[string]any{}
	for _, c := range r.get(t, who, "/api/coupons").want(t, 200, "").list(t, "coupons") {
		all[int64(c["id"].(float64))] = c
	}
	return all
}

func TestClaim_Once(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	id, who := r.campaign(t, "first", 2, time.Minute), r.diner(t, 0)
	made := r.claim(t, who, id, "key-1", "wait=10").want(t, 201, "")
	again := r.claim(t, who, id, "key-1", "wait=10").want(t, 201, "")
	if again.text(t, "id") != made.text(t, "id") || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %v %s", again.header, again.raw)
	}
	dbtest.Eventually(t, "another press is another press", func() bool {
		a := r.claim(t, who, id, "key-2", "wait=10")
		return a.status == 409 && a.json["code"] == "already_claimed" && a.json["claimId"] == made.text(t, "id")
	})
	if own := r.campaigns(t, who)[id]; own["claim"].(map[string]any)["id"] != made.text(t, "id") ||
		own["state"] != "open" {
		t.Errorf("own: %v", own)
	}
	dbtest.Eventually(t, "everybody sees what remains", func() bool {
		c := r.campaigns(t, person{})[id]
		return c["remaining"] == 1.0 && c["claim"] == nil
	})
	r.claim(t, r.diner(t, 0), id, "key-1", "wait=10").want(t, 201, "")
	refused := r.claim(t, r.diner(t, 0), id, "key-1", "wait=10").want(t, 409, "sold_out")
	if refused.text(t, "detail") != "쿠폰이 모두 나갔습니다." {
		t.Errorf("refused: %s", refused.raw)
	}
}

func TestClaim_Refusals(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	r.claim(t, who, r.campaign(t, "soon", 5, -time.Minute), "key-1", "").want(t, 409, "not_open")
	r.claim(t, who, r.campaign(t, "late", 5, 2*time.Hour), "key-1", "").want(t, 409, "over")
	open := r.campaign(t, "now", 5, time.Minute)
	r.claim(t, who, open, "", "").want(t, 400, "idempotency_key_required")
	r.claim(t, person{}, open, "key-1", "").want(t, 401, "unauthenticated")
	for _, unknown := range []any{0, -1, open + 100, "x", "1e3", "99999999999999999999", "%01"} {
		r.claim(t, who, unknown, "key-1", "").want(t, 404, "not_found")
	}
	if a := r.do(t, call{method: http.MethodPost, path: fmt.Sprintf("/api/coupons/%d/claims", open), as: who,
		headers: map[string]string{"Idempotency-Key": "key-1", "Sec-Fetch-Site": "cross-site"}}); a.status != 403 {
		t.Errorf("from another site: %d", a.status)
	}
	dbtest.Eventually(t, "the new campaigns are listed, untouched", func() bool {
		c := r.campaigns(t, who)
		return len(c) == 2 && c[open]["remaining"] == 5.0 && c[open]["claim"] == nil
	})
}

func TestClaim_CrowdAtTwoServersGetsWhatThereIs(t *testing.T) {
	t.Parallel()
	const people, total = 300, 20
	r := newHarness(t)
	servers := []*harness{r, r.twin(t)}
	id := r.campaign(t, "rush", total, time.Minute)
	crowd := make([]person, people)
	for i := range crowd {
		crowd[i] = r.diner(t, 0)
	}
	answers := make([]answer, people)
	var all sync.WaitGroup
	for i, who := range crowd {
		all.Go(func() { answers[i] = servers[i%2].claim(t, who, id, "key-1", "wait=30") })
	}
	all.Wait()
	given := map[string]bool{}
	for _, a := range answers {
		switch {
		case a.status == 201:
			given[a.text(t, "id")] = true
		case a.status != 409 || a.json["code"] != "sold_out":
			t.Errorf("%d %s", a.status, a.raw)
		}
	}
	after, err := r.Coupons.Find(t.Context(), id)
	if err != nil || len(given) != total || after.Issued != total {
		t.Errorf("%d got a coupon and %d are given out, want %d: %v", len(given), after.Issued, total, err)
	}
}
