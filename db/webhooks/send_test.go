package webhooks_test

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"lunchgo/app/webhooks"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
	dbwebhooks "lunchgo/db/webhooks"
)

// deliveries adds so many to an endpoint.
func (h *hooks) deliveries(t testing.TB, at webhooks.Place, n int) {
	t.Helper()
	h.MustExec(t, `
		INSERT INTO webhook_deliveries (endpoint_id, message_id, type, at, data)
		SELECT $1, 'evt_' || n, 'lunchgo.slot.closed', now() - n * interval '1 minute', '{}'
		FROM generate_series(1, $2::int) n`, at.ID, n)
}

// After an error, a silence and a closed door the same message comes again, under the same id.
func TestWebhooks_RetriesUntilTaken(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	tries := make(chan int, 4)
	hang := make(chan struct{})
	defer close(hang)
	r := receive(t, func(got) int {
		switch try := len(tries) + 1; try {
		case 1:
			tries <- try
			return http.StatusInternalServerError
		case 2:
			tries <- try
			<-hang
		}
		return http.StatusOK
	})
	at, secret := h.endpoint(t, r.URL)
	stop := h.senders(t, h.Pool)
	h.deliveries(t, at, 1)
	tried := func(n int, failure string, status int) {
		t.Helper()
		h.until(t, 1,
			`SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting' AND tries = $1 AND tried_at IS NOT NULL
			AND due_at > now() AND failure = $2 AND status = $3`, n, failure, status)
	}
	tried(1, "", 500)
	if n := h.Count(t,
		`SELECT count(*) FROM webhook_deliveries WHERE due_at BETWEEN now() AND now() + interval '7 seconds'`); n != 1 {
		t.Error("the second try does not come within seconds")
	}
	h.MustExec(t, `UPDATE webhook_deliveries SET due_at = now()`)
	tried(2, webhooks.FailureTimeout, 0)
	stop()
	closed := receive(t, nil)
	closed.Close()
	h.MustExec(t, `UPDATE webhook_endpoints SET url = $1`, closed.URL)
	h.MustExec(t, `UPDATE webhook_deliveries SET due_at = now()`)
	stop = h.senders(t, h.Pool)
	tried(3, webhooks.FailureConnect, 0)
	stop()
	h.MustExec(t, `UPDATE webhook_endpoints SET url = $1`, r.URL)
	h.MustExec(t, `UPDATE webhook_deliveries SET due_at = now()`)
	h.senders(t, h.Pool)
	h.until(t, 1, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered' AND tries = 4 AND status = 200`)
	if n := h.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE failing_since IS NULL`); n != 1 {
		t.Error("an endpoint that has taken a delivery still fails")
	}
	all := r.list()
	for _, g := range all {
		if g.id() != "evt_1" || !g.signed(secret) || !slices.Equal(g.body, all[0].body) {
			t.Errorf("%v %s", g.header, g.body)
		}
	}
	if len(all) != 3 {
		t.Errorf("%d requests", len(all))
	}
}

// A process that dies after it has sent, and before it has marked, leaves the delivery to another one. What it marks
// later, if it only hung, changes nothing.
func TestWebhooks_KilledBeforeTheMark(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	r := receive(t, nil)
	at, secret := h.endpoint(t, r.URL)
	h.deliveries(t, at, 1)
	taken, err := h.store.TakeDeliveries(t.Context(),
		webhooks.Claim{Most: 10, PerEndpoint: 4, Lease: webhooks.SendLease})
	if err != nil || len(taken) != 1 {
		t.Fatalf("%+v, %v", taken, err)
	}
	d := taken[0]
	client := webhooks.NewClient(webhooks.ClientConfig{PrivateNetworks: true})
	if try := client.Send(t.Context(), d.URL, []webhooks.Secret{secret}, d.Message); !try.Delivered() {
		t.Fatalf("%+v", try)
	}
	h.MustExec(t, `UPDATE webhook_deliveries SET due_at = now()`) // the lease is over
	h.senders(t, h.Instance(t))
	h.until(t, 1, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered' AND tries = 2`)
	all := r.list()
	if len(all) != 2 || all[0].id() != all[1].id() || !slices.Equal(all[0].body, all[1].body) {
		t.Errorf("%d requests: %+v", len(all), all)
	}
	late := func() int {
		failed := webhooks.Try{Failure: webhooks.FailureTimeout}
		dbtest.Must(t, h.store.MarkDelivery(t.Context(), d.Delivery, failed, webhooks.Judge(1, failed)))
		return h.Count(t, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered'`)
	}
	if late() != 1 {
		t.Error("a late mark undid a delivery")
	}
	h.Weaken(dbwebhooks.MarkDelivery, dbtest.Replacing("AND state = 'waiting' AND due_at = $2",
		"AND $2::timestamptz IS NOT NULL"))
	if late() != 0 {
		t.Error("without the guard a late mark does nothing either: the test above proves nothing")
	}
}

// sentBy lets three instances send, and returns how often each message arrived.
func (h *hooks) sentBy(t *testing.T, guard func(string) string, status func(got) int) map[string]int {
	t.Helper()
	r := receive(t, status)
	at, _ := h.endpoint(t, r.URL)
	h.Weaken(dbwebhooks.TakeDeliveries, guard)
	stop := h.senders(t, h.Instance(t), h.Instance(t), h.Instance(t))
	h.deliveries(t, at, 60)
	h.until(t, 60, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered'`)
	stop()
	times := map[string]int{}
	for _, g := range r.list() {
		times[g.id()]++
	}
	return times
}

func TestWebhooks_OnceByManyInstances(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	times := h.sentBy(t, dbtest.Intact, nil)
	for id, n := range times {
		if n != 1 {
			t.Errorf("%s was sent %d times", id, n)
		}
	}
	if len(times) != 60 {
		t.Errorf("%d messages arrived", len(times))
	}
}

// Without the lease another instance sends what is under way: the first request is answered when a second one is there.
func TestWebhooks_WithoutLeaseIsTwice(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	meet := dbtest.Meeting(2)
	times := h.sentBy(t, dbtest.Replacing("due_at = clock_timestamp() + $4 * interval '1 microsecond'",
		"due_at = clock_timestamp() + $4 * interval '0'"),
		func(g got) int {
			if g.id() == "evt_60" { // the first that is due
				meet("")
			}
			return http.StatusOK
		})
	twice := 0
	for _, n := range times {
		if n > 1 {
			twice++
		}
	}
	if twice == 0 {
		t.Error("nothing was sent twice: the test above proves nothing")
	}
}

// An endpoint that hangs does not hold up another one, and no transaction is open meanwhile.
func TestWebhooks_SlowEndpointHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	h.timeout = dbtest.Patience // what times out is sent again
	release := make(chan struct{})
	slow := receive(t, func(got) int { <-release; return http.StatusOK })
	fast := receive(t, nil)
	slowAt, _ := h.endpoint(t, slow.URL)
	fastAt, _ := h.endpoint(t, fast.URL)
	h.deliveries(t, slowAt, 200)
	h.senders(t, h.Pool)
	dbtest.Eventually(t, "four are under way", func() bool { return len(slow.list()) >= 4 })
	h.deliveries(t, fastAt, 50)
	h.until(t, 50, `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'delivered'`, fastAt.ID)
	if n := len(slow.list()); n != 4 {
		t.Errorf("%d requests to the slow endpoint are under way, want 4", n)
	}
	h.until(t, 0,
		`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`)
	// Requests are under way, and no lock is held meanwhile.
	h.until(t, 0, `SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
		WHERE c.relname LIKE 'webhook%' AND l.mode LIKE 'Row%'
			AND l.pid NOT IN (SELECT pid FROM pg_stat_activity WHERE state = 'active')`)
	close(release)
}

// Deliveries are sent again on demand, under their old ids; all that failed since a time, or a single one.
func TestWebhooks_Redelivery(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	r := receive(t, nil)
	at, _ := h.endpoint(t, r.URL)
	h.deliveries(t, at, 10) // one a minute, back from now
	h.MustExec(t, `UPDATE webhook_deliveries
		SET state = CASE WHEN message_id IN ('evt_1', 'evt_2') THEN 'delivered' ELSE 'failed' END, tries = 8`)
	h.senders(t, h.Pool)
	n, err := h.service.RedeliverFailed(t.Context(), h.owner, at, time.Now().Add(-330*time.Second))
	if err != nil || n != 3 { // 3, 4 and 5 minutes ago
		t.Fatalf("%d, %v", n, err)
	}
	h.until(t, 3, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered' AND tries = 1`)
	one := int64(h.Count(t, `SELECT id FROM webhook_deliveries WHERE message_id = 'evt_1'`))
	dbtest.Must(t, h.service.Redeliver(t.Context(), h.owner, at, one))
	h.until(t, 4, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered' AND tries = 1`)
	var ids []string
	for _, g := range r.list() {
		ids = append(ids, g.id())
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"evt_1", "evt_3", "evt_4", "evt_5"}) {
		t.Errorf("sent again: %q", ids)
	}
}

// Who answers 410 gets nothing more; who fails for days neither. Nothing waits for them, and their owner sees why.
func TestWebhooks_GivesEndpointsUp(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	gone := receive(t, func(got) int { return http.StatusGone })
	fails := receive(t, func(got) int { return http.StatusBadGateway })
	goneAt, _ := h.endpoint(t, gone.URL)
	failsAt, _ := h.endpoint(t, fails.URL)
	h.deliveries(t, goneAt, 20)
	h.deliveries(t, failsAt, 3)
	h.MustExec(t, `UPDATE webhook_deliveries SET tries = $2 - 1 WHERE endpoint_id = $1 AND message_id = 'evt_1'`,
		failsAt.ID, webhooks.MaxTries())
	h.senders(t, h.Pool)
	h.until(t, 1, `SELECT count(*) FROM webhook_endpoints WHERE id = $1 AND state = 'gone'`, goneAt.ID)
	h.until(t, 0, `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'waiting'`, goneAt.ID)
	h.until(t, 1, `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'failed'`, failsAt.ID)
	h.until(t, 1,
		`SELECT count(*) FROM webhook_endpoints WHERE id = $1 AND state = 'active' AND failing_since IS NOT NULL`,
		failsAt.ID)

	h.MustExec(t, `UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours'`)
	h.MustExec(t, `UPDATE webhook_deliveries SET tries = $2 - 1, due_at = now()
		WHERE endpoint_id = $1 AND message_id = 'evt_2'`, failsAt.ID, webhooks.MaxTries())
	h.until(t, 1, `SELECT count(*) FROM webhook_endpoints WHERE id = $1 AND state = 'failing'`, failsAt.ID)
	h.until(t, 3, `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'failed'`, failsAt.ID)
	if err := h.service.Redeliver(t.Context(), h.owner, failsAt, 1); !errors.Is(err, webhooks.ErrNotActive) {
		t.Errorf("a disabled endpoint: %v", err)
	}
	e, err := h.service.Change(t.Context(), h.owner, failsAt, webhooks.Patch{State: new(webhooks.Active)})
	if err != nil || e.State != webhooks.Active || !e.FailingSince.IsZero() {
		t.Errorf("%+v, %v", e, err)
	}
}

// A restaurant with a backlog at many endpoints takes no places from another one: each gets one before any gets a
// second.
func TestWebhooks_RestaurantsTakeTurns(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	backlog, mine := make([]webhooks.Place, 3), h.Restaurant
	for i := range backlog {
		backlog[i], _ = h.endpoint(t, "https://slow.example/"+string(rune('a'+i)))
	}
	other := testkit.Restaurant()
	other.Slug = "other"
	h.Open(t, other)
	h.owner = h.ownerOf(t, h.Restaurant.ID)
	quick, _ := h.endpoint(t, "https://quick.example/")
	take := func() (quickOnes int) {
		h.MustExec(t, `DELETE FROM webhook_deliveries`)
		h.deliveries(t, quick, 2)
		for _, at := range backlog {
			h.deliveries(t, at, 100)
		}
		h.MustExec(t, `UPDATE webhook_deliveries SET due_at = now() - interval '1 hour' WHERE endpoint_id <> $1`,
			quick.ID)
		claim := webhooks.Claim{Most: 4, PerEndpoint: 4, Lease: webhooks.SendLease, Slow: []string{backlog[0].ID}}
		taken, err := h.store.TakeDeliveries(t.Context(), claim)
		if err != nil || len(taken) != 4 {
			t.Fatalf("%d taken, %v", len(taken), err)
		}
		for _, d := range taken {
			if d.EndpointID == quick.ID {
				quickOnes++
			}
		}
		return quickOnes
	}
	if n := take(); n != 2 {
		t.Errorf("%d of restaurant %d were taken, behind a backlog of restaurant %d", n, quick.RestaurantID, mine.ID)
	}
	if n := h.Count(t, `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND tries > 0`,
		backlog[0].ID); n > 1 {
		t.Errorf("%d to a slow endpoint at once", n)
	}
	h.Weaken(dbwebhooks.TakeDeliveries, dbtest.Replacing("ORDER BY round, due_at", "ORDER BY due_at"))
	if n := take(); n != 0 {
		t.Errorf("without turns %d: the test above proves nothing", n)
	}
}

// While PostgreSQL is away nothing is taken and nothing lost: what was sent and could not be marked comes once more,
// under its old id, and the sender goes on by itself.
func TestWebhooks_DatabaseAway(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	relay := dbtest.NewRelay(t, h.URL)
	far := testkit.OpenAt(t, pg.Config{URL: relay.URL, QueryTimeout: 3 * time.Second, LockTimeout: time.Second})
	failed := make(chan error, 1)
	far.Observe(func(_ time.Duration, err error) {
		if err != nil {
			select {
			case failed <- err:
			default:
			}
		}
	})
	var once sync.Once
	r := receive(t, func(got) int {
		once.Do(relay.Freeze)
		return http.StatusOK
	})
	at, _ := h.endpoint(t, r.URL)
	h.deliveries(t, at, 1)
	h.senders(t, far)
	<-failed
	h.until(t, 1, `SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting' AND tries = 1`)
	relay.Thaw()
	h.MustExec(t, `UPDATE webhook_deliveries SET due_at = now()`) // the lease is over
	h.until(t, 1, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered' AND tries = 2`)
	if all := r.list(); len(all) != 2 || all[0].id() != all[1].id() {
		t.Errorf("%d requests: %+v", len(all), all)
	}
}
