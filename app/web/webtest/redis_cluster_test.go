package webtest

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web"
	"lunchgo/app/web/ratelimit"
	"lunchgo/db/dbtest"
)

// All that the product keeps in Redis works on a cluster, where keys of one call may live on several servers.
func TestRedisCluster_EverythingWorks(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Redis: dbtest.RedisCluster(t).URL(),
		Config: program.Config{Web: web.Config{Limits: ratelimit.Limits{Changes: 20}}}})
	r.readiness(t, "ok")
	crowd, slot, host := r.crowd(t, 12), r.slot("19:00"), r.staff(t, r.restaurant.ID)
	r.steerACrowd(t, host, crowd[:6], slot)
	r.claim(t, crowd[6], r.campaign(t, "cluster", 2, time.Minute), "key-1", "wait=10").want(t, 201, "")
	r.offerASeat(t, crowd[7], r.slot("20:00"))
	r.limited(t, crowd[8])
	r.readsOnce(t, slot)
	r.metrics(t)
	r.balances(t)
}

// steerACrowd lets six parties of two stand in line for ten seats, keeps the line still for a moment, and has all
// answered.
func (r *harness) steerACrowd(t *testing.T, host person, crowd []person, slot booking.SlotKey) {
	t.Helper()
	release := r.rival(t, slot)
	var tickets []string
	for _, who := range crowd {
		tickets = append(tickets, r.line(t, who, slot))
	}
	if waits := r.whoWaits(t, host, slot); len(waits) != len(crowd)+1 { // and the rival
		t.Errorf("staff see %d waiting", len(waits))
	}
	r.steer(t, host, slotPath(slot), map[string]any{"paused": true, "reason": "잠시", "message": "곧"}).want(t, 200, "")
	release()
	dbtest.Eventually(t, "the ticket says that its line is paused", func() bool {
		return r.get(t, crowd[0], "/api/tickets/"+tickets[0]).json["paused"] == true
	})
	r.steer(t, host, slotPath(slot), map[string]any{"paused": false}).want(t, 200, "")
	for i, ticket := range tickets {
		want := "reserved"
		if i == len(tickets)-1 {
			want = "rejected"
		}
		if got := r.ended(t, crowd[i], ticket); got.state != want {
			t.Errorf("the %d. is %s", i+1, got.state)
		}
	}
}

// offerASeat lets somebody wait for a full slot until a party leaves.
func (r *harness) offerASeat(t *testing.T, who person, slot booking.SlotKey) {
	t.Helper()
	sitting := r.fill(t, slot)
	entry := r.wait(t, who, slot, 2).want(t, 201, "").text(t, "id")
	r.leaveTable(t, sitting)
	r.becomes(t, who, entry, booking.EntryOffered)
}

// limited asks until that is too often: after twenty times, and those that came back meanwhile, one every three seconds.
func (r *harness) limited(t *testing.T, who person) {
	t.Helper()
	for i, began := 0, time.Now(); ; i++ {
		a := r.post(t, who, "/api/wallet/charges", fmt.Sprintf("key-%d", i), map[string]any{"amount": 1000})
		if i >= 20 && a.status == 429 {
			a.want(t, 429, "too_many_requests")
			return
		}
		a.want(t, 201, "")
		if most := 21 + int(time.Since(began).Seconds()/3); i > most {
			t.Fatalf("%d requests were let through, want %d at most", i, most)
		}
	}
}

// readsOnce lists slots at another server, which finds them in Redis.
func (r *harness) readsOnce(t *testing.T, slot booking.SlotKey) {
	t.Helper()
	twin := r.twin(t)
	path := fmt.Sprintf("/api/restaurants/%d/slots?date=%s", slot.RestaurantID, slot.Date)
	twin.get(t, person{}, path).want(t, 200, "")
	if n := twin.reads.Load(); n != 0 {
		t.Errorf("the other server has read the database %d times", n)
	}
}

// rights are those that docs/line.md says a user of Redis needs, besides the keys and channels.
const rights = "+@read +@write +@scripting +@pubsub +@connection +cluster|slots +info +time +command"

// A user of Redis who may do no more than what docs/line.md says can do it all.
func TestRedisUser_NeedsNoMoreThanIsSaid(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../../docs/line.md")
	if err != nil || !strings.Contains(string(manual), rights) {
		t.Errorf("docs/line.md says something else: %v", err)
	}
	server, prefix := dbtest.PrivateRedis(t), "lunchgo:"
	admin := programtest.OpenRedis(t, server.URL)
	user := strings.Fields("ACL SETUSER lunchgo on >word ~" + prefix + "* &" + prefix + "* " + rights)
	command := make([]any, len(user))
	for i, word := range user {
		command[i] = word
	}
	dbtest.Must(t, admin.Do(t.Context(), command...).Err())
	address, err := url.Parse(server.URL)
	dbtest.Must(t, err)
	address.User = url.UserPassword("lunchgo", "word")
	r := newHarnessWith(t,
		programtest.Setup{Redis: address.String(), Config: program.Config{Options: program.Options{Prefix: prefix}}})
	crowd, slot := r.crowd(t, 7), r.slot("19:00")
	r.steerACrowd(t, r.staff(t, r.restaurant.ID), crowd[:6], slot)
	r.claim(t, crowd[6], r.campaign(t, "user", 2, time.Minute), "key-1", "wait=10").want(t, 201, "")
	r.readiness(t, "ok")
	if r.byItself(t) {
		t.Error("the server serves by itself")
	}
	if denied := admin.Do(t.Context(), "ACL", "LOG").Val(); len(denied.([]any)) > 0 {
		t.Errorf("denied: %v", denied)
	}
}
