package webtest

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/lineup"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web"
	"lunchgo/app/web/ratelimit"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// broken is a harness over a cluster one of whose masters is killed.
type broken struct {
	*harness
	cluster *dbtest.Cluster
	master  string
}

// has says whether the master that is killed has a line.
func (b *broken) has(line locks.Name) bool {
	return b.cluster.Master("{"+line.Partition+"}") == b.master
}

// A master of a cluster dies while guests of a rehearsal press, coupons are claimed, a seat comes free for the
// waitlist, slots are listed and a limit counts: each goes on, by the replica or without Redis, and nobody is answered
// 5xx but "come back".
func TestRedisCluster_EverythingGoesOnWithoutAMaster(t *testing.T) {
	t.Parallel()
	cluster := dbtest.RedisCluster(t)
	b := &broken{cluster: cluster, harness: newHarnessWith(t, programtest.Setup{Redis: cluster.URL(),
		Config: program.Config{Web: web.Config{Limits: ratelimit.Limits{Changes: 20}}}})}
	crowd, owner := b.crowd(t, 4), b.staffAs(t, b.restaurant.ID, identity.RoleOwner)
	rehearsal, key := b.rehearse(t, owner)
	b.master = cluster.Master(key)
	slot := b.slot("20:00")
	for !b.has(lineup.OfSlot(slot)) {
		slot.Date = slot.Date.AddDays(1)
	}
	sitting, counted := b.fill(t, slot), b.countedThere(t)
	entry := b.wait(t, crowd[0], slot, 2).want(t, 201, "").text(t, "id")
	campaign := b.campaignThere(t, 2)

	cluster.KillMaster(key)
	b.listed(t, slot)
	b.leaveTable(t, sitting)
	for i, who := range crowd[1:] {
		want := "claimed"
		if i == 2 {
			want = "sold_out"
		}
		if got := b.insistOnClaim(t, who, campaign); got != want {
			t.Errorf("claim %d: %s, want %s", i, got, want)
		}
	}
	b.becomes(t, crowd[0], entry, booking.EntryOffered)
	b.countsOn(t, counted)
	b.hasRehearsed(t, owner, rehearsal)
	b.listed(t, slot)
	b.balances(t)
}

// rehearsed is how many guests a rehearsal has, for all of whom there are seats. It slows down while real guests wait.
const rehearsed = 90

// rehearse begins a rehearsal of some seconds and returns its id, and a key beside its line.
func (b *broken) rehearse(t *testing.T, owner person) (id, key string) {
	t.Helper()
	seats := b.restaurant.Capacity
	put := func(capacity int) {
		b.restaurant.Capacity = capacity
		if _, err := b.Stores.Seeds.PutRestaurant(t.Context(), b.restaurant, b.menu); err != nil {
			t.Fatal(err)
		}
	}
	put(booking.MaxCapacity)
	slot := b.slot("18:00")
	asked := map[string]any{"date": slot.Date, "time": slot.Time, "guests": rehearsed, "atOnce": 15}
	id = b.post(t, owner, b.teamPath("rehearsals"), "", asked).want(t, 202, "").text(t, "id")
	database, err := sql.Open("postgres", b.Setup.Database)
	dbtest.Must(t, err)
	defer database.Close()
	dbtest.Eventually(t, "there is a copy of the restaurant", func() bool {
		row := database.QueryRowContext(t.Context(), `SELECT id FROM restaurants WHERE slug LIKE 'rehearsal-%'`)
		return row.Scan(&slot.RestaurantID) == nil
	})
	put(seats)
	return id, "{" + lineup.OfSlot(slot).Partition + "}"
}

// hasRehearsed waits for the end of a rehearsal, in which nobody failed and nothing was oversold.
func (b *broken) hasRehearsed(t *testing.T, owner person, id string) {
	t.Helper()
	b.followRehearsal(t, owner)
	ended := b.get(t, owner, b.teamPath("rehearsals/"+id)).want(t, 200, "")
	report, _ := ended.json["report"].(map[string]any)
	if report["answered"] != float64(rehearsed) || report["failed"] != 0.0 || report["oversold"] != 0.0 {
		t.Errorf("the rehearsal: %s", ended.raw)
	}
	t.Logf("the rehearsal: the last answer after %v ms, %v overtaken", report["lastMs"], report["orderInversions"])
}

// campaignThere makes a campaign whose line the master has.
func (b *broken) campaignThere(t *testing.T, total int) int64 {
	t.Helper()
	for i := 0; ; i++ {
		if id := b.campaign(t, "there-"+strconv.Itoa(i), total, time.Minute); b.has(lineup.OfCampaign(id)) {
			return id
		}
	}
}

// countedThere is somebody whose changes the master counts.
func (b *broken) countedThere(t *testing.T) person {
	t.Helper()
	for {
		if who := b.diner(t, 0); b.cluster.Master("{change:"+who.id+"}") == b.master {
			return who
		}
	}
}

// listed lists the slots of a day at this server and at one that has read nothing yet.
func (b *broken) listed(t *testing.T, slot booking.SlotKey) {
	t.Helper()
	path := fmt.Sprintf("/api/restaurants/%d/slots?date=%s", slot.RestaurantID, slot.Date)
	b.get(t, person{}, path).want(t, 200, "")
	b.twin(t).get(t, person{}, path).want(t, 200, "")
}

// insistOnClaim claims until there is an answer other than to come back.
func (b *broken) insistOnClaim(t *testing.T, who person, campaign int64) string {
	t.Helper()
	got := ""
	dbtest.Eventually(t, "the claim is answered", func() bool {
		a := b.claim(t, who, campaign, "key-1", "wait=10")
		got = fmt.Sprint(a.json["code"])
		switch {
		case a.status == http.StatusCreated:
			got = "claimed"
		case a.status >= 500 && (a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == ""):
			t.Errorf("a claim was answered %d: %s", a.status, a.raw)
		}
		return a.status == http.StatusCreated || a.status == http.StatusConflict
	})
	return got
}

// countsOn charges until that is too often: within twice the limit, since this process has counted for itself
// meanwhile.
func (b *broken) countsOn(t *testing.T, who person) {
	t.Helper()
	for i := range 2*20 + 1 {
		a := b.post(t, who, "/api/wallet/charges", fmt.Sprintf("key-%d", i), map[string]any{"amount": 1000})
		if a.status == http.StatusTooManyRequests {
			return
		}
		a.want(t, 201, "")
	}
	t.Error("nothing limits changes")
}
