package coupons_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"lunchgo/app/coupon"
	"lunchgo/db/coupons"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// contendForCoupons lets people ask for a coupon at the same moment at two instances, in runs of the sizes in turn, and
// returns how many got one. Everybody else must get the answer that none is left.
func contendForCoupons(t *testing.T, h *testkit.Harness, id int64, guard func(string) string,
	sizes ...int) (given int) {
	t.Helper()
	h.Weaken(coupons.LockCampaign, guard)
	second := h.Instance(t)
	stores := []*coupons.Store{coupons.NewStore(h.Pool), coupons.NewStore(second)}
	people := h.Diners(t, 128, 0)
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := 0; len(people) > 0; i++ {
		run := testkit.Claims(id, people[:min(sizes[i%len(sizes)], len(people))]...)
		people = people[len(run):]
		wg.Go(func() {
			<-start
			outcomes, _, err := stores[i%2].Serve(t.Context(), coupon.Turn{CouponID: id, Fence: 1}, run)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, out := range outcomes {
				if out.Claims() {
					given++
				} else if !errors.Is(out.Err, coupon.ErrSoldOut) {
					t.Errorf("got %v, want a coupon or sold out", out.Err)
				}
			}
		})
	}
	close(start)
	wg.Wait()
	return given
}

func TestClaim_NeverTooMany(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	for i, sizes := range [][]int{{1}, {64}, {1, 16, 7}} {
		id := h.Campaign(t, fmt.Sprintf("campaign-%d", i), 20)
		given := contendForCoupons(t, h, id, dbtest.Intact, sizes...)
		after, err := coupons.NewStore(h.Pool).Find(t.Context(), id)
		if err != nil || given != 20 || h.CouponsGiven(t, id) != 20 || after.Remaining() != 0 {
			t.Errorf("runs of %v: %d were given, %d are there, and %d are left: %v", sizes, given, h.CouponsGiven(t, id),
				after.Remaining(), err)
		}
	}
}

// claimUnlocked is contendForCoupons without the campaign's lock: the first turns write when more of them have read
// than there are coupons.
func claimUnlocked(t *testing.T, h *testkit.Harness, id int64, total int) (given int) {
	t.Helper()
	h.Weaken(coupons.InsertClaims, dbtest.Meeting(int64(total)+2))
	return contendForCoupons(t, h, id, dbtest.Instead(testkit.CampaignUnlocked), 1)
}

// Control: without the campaign's lock too many coupons are given out.
func TestClaim_WithoutLock(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.MustExec(t, `ALTER TABLE coupons DROP CONSTRAINT coupons_issued`)
	id := h.Campaign(t, "campaign", 5)
	if given := claimUnlocked(t, h, id, 5); given <= 5 || h.CouponsGiven(t, id) <= 5 {
		t.Errorf("%d were given and %d are there without the lock: the test above proves nothing", given,
			h.CouponsGiven(t, id))
	}
}

// The constraints alone refuse what is too much: without the lock some get that answer late, and none wrongly.
func TestClaim_WithoutLockDatabaseRefuses(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	id := h.Campaign(t, "campaign", 5)
	if given := claimUnlocked(t, h, id, 5); given != 5 || h.CouponsGiven(t, id) != 5 {
		t.Errorf("%d were given and %d are there, want 5", given, h.CouponsGiven(t, id))
	}
}

// A person has at most one coupon of a campaign.
func TestClaim_OneAPerson(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	id := h.Campaign(t, "campaign", 20)
	store, person := coupons.NewStore(h.Pool), h.Diners(t, 1, 0)[0]
	turn := coupon.Turn{CouponID: id, Fence: 7}
	again := testkit.Claims(id, person, person)
	again[1].IdempotencyKey, again[1].Ticket = "another", "another"
	outcomes, after, err := store.Serve(t.Context(), turn, again)
	if err != nil || !outcomes[0].Claims() || !errors.Is(outcomes[1].Err, coupon.ErrAlreadyClaimed) ||
		after.Issued != 1 {
		t.Fatalf("%+v, %+v: %v", outcomes, after, err)
	}
	outcomes, after, err = store.Serve(t.Context(), turn, again)
	if err != nil || !outcomes[0].Repeat || after.Issued != 1 {
		t.Errorf("a repeat: %+v, %+v: %v", outcomes, after, err)
	}
	if !errors.Is(outcomes[1].Err, coupon.ErrAlreadyClaimed) || outcomes[1].ClaimID != outcomes[0].ClaimID {
		t.Errorf("another key: %+v", outcomes[1])
	}
	found, err := store.FindClaimByTicket(t.Context(), fmt.Sprint("ticket-", id, "-", person))
	if err != nil || found.ID != outcomes[0].ClaimID || found.UserID != person {
		t.Errorf("by its ticket: %+v, %v", found, err)
	}
}

// A campaign stores its times, and a turn with an older fence is refused.
func TestCampaign_StoresTimesAndFences(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store, person := coupons.NewStore(h.Pool), h.Diners(t, 1, 0)[0]
	id := h.Campaign(t, "campaign", 20)
	serve := func(fence int64) error {
		outcomes, _, err := store.Serve(t.Context(), coupon.Turn{CouponID: id, Fence: fence},
			testkit.Claims(id, person))
		if err != nil {
			return err
		}
		return outcomes[0].Err
	}
	h.MustExec(t, `UPDATE coupons SET opens_at = now() + interval '1 minute'`)
	if err := serve(9); !errors.Is(err, coupon.ErrNotOpen) {
		t.Errorf("before it opens: %v", err)
	}
	h.MustExec(t, `UPDATE coupons SET opens_at = now() - interval '1 hour', closes_at = now()`)
	if err := serve(9); !errors.Is(err, coupon.ErrOver) {
		t.Errorf("after it has closed: %v", err)
	}
	h.MustExec(t, `UPDATE coupons SET closes_at = now() + interval '1 hour'`)
	var stale *coupon.StaleFenceError
	if err := serve(8); !errors.As(err, &stale) || stale.Stored != 9 {
		t.Errorf("under an old fence: %v", err)
	}
	if h.CouponsGiven(t, id) != 0 {
		t.Error("a refused request got a coupon")
	}
	if _, _, err := store.Serve(t.Context(), coupon.Turn{CouponID: id + 1, Fence: 9},
		testkit.Claims(id+1, person)); !errors.Is(err, coupon.ErrNotFound) {
		t.Errorf("an unknown campaign: %v", err)
	}
	outcomes, _, err := store.Serve(t.Context(), coupon.Turn{CouponID: id, Fence: 9},
		testkit.Claims(id, "nobody", person))
	if err != nil || outcomes[0].Err == nil || !outcomes[1].Claims() {
		t.Errorf("beside somebody unknown: %+v, %v", outcomes, err)
	}
}

func TestFindClaims_FindsThoseOfTheCampaigns(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	people, store := h.Diners(t, 2, 0), coupons.NewStore(h.Pool)
	one, other := h.Campaign(t, "one", 5), h.Campaign(t, "other", 5)
	h.GiveCoupons(t, one, people...)
	claims, err := store.FindClaims(t.Context(), []coupon.Request{{CouponID: other, UserID: people[0]},
		{CouponID: one, UserID: people[1]}, {CouponID: one, UserID: "nobody"}})
	if err != nil || len(claims) != 1 || claims[0].UserID != people[1] ||
		claims[0].IdempotencyKey != "key-"+people[1] {
		t.Errorf("found %+v, %v", claims, err)
	}
}
