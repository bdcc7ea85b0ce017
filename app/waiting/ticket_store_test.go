package waiting

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// eachRedis runs a test on one server and in a cluster, where two people are most likely on two servers.
func eachRedis(t *testing.T, test func(t *testing.T, rdb redis.UniversalClient)) {
	t.Run("one server", func(t *testing.T) {
		t.Parallel()
		test(t, newHarness(t, 0).rdb)
	})
	t.Run("cluster", func(t *testing.T) {
		t.Parallel()
		client := redis.NewClusterClient(dbtest.RedisCluster(t).Options())
		t.Cleanup(func() { _ = client.Close() })
		test(t, client)
	})
}

func newStore(t *testing.T, rdb redis.UniversalClient, cfg Config) *ticketStore {
	cfg.Prefix = dbtest.KeyPrefix(t)
	return newTicketStore(rdb, &seatsHandler{}, cfg.withDefaults())
}

// A crowd is admitted, found and settled in a few round trips, each person by their own requests alone.
func TestStore_ACrowdIsAdmittedTogether(t *testing.T) {
	t.Parallel()
	eachRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		const people = 500
		store, trips := newStore(t, rdb, Config{}), &roundTrips{}
		rdb.AddHook(trips)
		var crowd sync.WaitGroup
		for i := range people {
			crowd.Go(func() {
				user := fmt.Sprintf("diner-%d", i)
				id := "T-" + user
				if found, err := store.admit(t.Context(), request(user, "k"), id); err != nil ||
					found != (admission{ticket: id, isNew: true}) {
					t.Errorf("%s got %+v, %v", user, found, err)
				}
				if found, err := store.admit(t.Context(), request(user, "k"), "T2"); err != nil ||
					found != (admission{ticket: id}) {
					t.Errorf("again %s got %+v, %v", user, found, err)
				}
				if _, err := store.admit(t.Context(), request(user, "k2"), "T3"); !errors.Is(err, ErrInProgress) {
					t.Errorf("another request of %s: %v", user, err)
				}
				if found, _, err := store.findByKey(t.Context(), request(user, "k")); found != id || err != nil {
					t.Errorf("%s found %q, %v", user, found, err)
				}
			})
		}
		crowd.Wait()
		if n := trips.n.Load(); n > people {
			t.Errorf("%d round trips for 4 calls of each of %d people", n, people)
		}
		settleAll(t, store, people)
	})
}

// settleAll settles the tickets of so many people and looks at every tenth.
func settleAll(t *testing.T, store *ticketStore, people int) {
	t.Helper()
	results := make([]ticketResult, people)
	for i := range results {
		user := fmt.Sprintf("diner-%d", i)
		results[i] = ticketResult{"T-" + user, request(user, "k"), int64(i),
			Result{State: Reserved, ReservationID: user}}
	}
	if _, err := store.settle(t.Context(), results, served); err != nil {
		t.Fatal(err)
	}
	late := make([]ticketResult, people)
	for i, r := range results {
		r.result = Result{State: Left, Code: ErrLeft.Code}
		late[i] = r
	}
	counting, err := store.settle(t.Context(), late, unserved)
	dbtest.Must(t, err)
	for i := 0; i < people; i += 10 {
		if counting[i].result.State != Reserved {
			t.Errorf("the result of a turn gave way to %+v", counting[i].result)
		}
		rec, err := store.find(t.Context(), Token{Ticket: results[i].ticket, UserID: results[i].request.UserID})
		if err != nil || rec.Arrival != int64(i) || rec.Result == nil || *rec.Result != results[i].result {
			t.Errorf("found %+v, %v", rec, err)
		}
	}
}

// An earlier ticket of a person is found beside the later ones, until its time is over; a settled one shortens the life
// of their record only if no other waits.
func TestStore_TicketsOfOnePerson(t *testing.T) {
	t.Parallel()
	rdb := newHarness(t, 0).rdb
	store := newStore(t, rdb, Config{})
	admit := func(key, ticket, line string) {
		t.Helper()
		req := request("ann", key)
		req.Line.Key = line
		if found, err := store.admit(t.Context(), req, ticket); found.ticket != ticket || !found.isNew || err != nil {
			t.Fatalf("%s: %+v, %v", ticket, found, err)
		}
	}
	settle := func(key, ticket string) (life time.Duration) {
		t.Helper()
		result := []ticketResult{{ticket, request("ann", key), 0, Result{State: Rejected, Code: booking.ErrSoldOut.Code}}}
		if _, err := store.settle(t.Context(), result, served); err != nil {
			t.Fatal(err)
		}
		return rdb.PTTL(t.Context(), store.key("ann")).Val()
	}
	admit("k1", "first", evening.Key)
	admit("k9", "elsewhere", "21:00")
	if life := settle("k1", "first"); life < store.repeats {
		t.Errorf("who waits elsewhere is kept for %v", life)
	}
	admit("k2", "second", evening.Key)
	for _, ticket := range []string{"first", "second", "elsewhere"} {
		if rec, err := store.find(t.Context(), Token{Ticket: ticket, UserID: "ann"}); err != nil ||
			rec.Ticket != ticket {
			t.Errorf("%s: %+v, %v", ticket, rec, err)
		}
	}
	if found, err := store.admit(t.Context(), request("ann", "k1"), "again"); err != nil ||
		found != (admission{ticket: "first"}) {
		t.Errorf("a repeat of the first got %+v, %v", found, err)
	}
	settle("k2", "second")
	if life := settle("k9", "elsewhere"); life > store.repeats {
		t.Errorf("results are kept for %v", life)
	}
	if _, err := store.find(t.Context(), Token{Ticket: "T", UserID: "bob"}); !errors.Is(err, ErrUnknownTicket) {
		t.Errorf("another person's: %v", err)
	}
}

// What a person's record need not hold any more goes when they press again.
func TestStore_ForgetsWhatIsOver(t *testing.T) {
	t.Parallel()
	rdb := newHarness(t, 0).rdb
	store := newStore(t, rdb, Config{Repeats: time.Millisecond})
	waits := request("ann", "k")
	waits.Line = locks.Name{Partition: "another", Key: "line"}
	if _, err := store.admit(t.Context(), waits, "waits"); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		id := fmt.Sprint("T", i)
		dbtest.Eventually(t, "the earlier result is over", func() bool {
			found, err := store.admit(t.Context(), request("ann", "k"), id)
			return err == nil && found.isNew
		})
		if n := rdb.HLen(t.Context(), store.key("ann")).Val(); n != 2 {
			t.Errorf("%d records after %d presses", n, i+1)
		}
		result := []ticketResult{{id, request("ann", "k"), 0, Result{State: Left}}}
		if _, err := store.settle(t.Context(), result, served); err != nil {
			t.Fatal(err)
		}
	}
}

// roundTrips counts what a client sends.
type roundTrips struct{ n atomic.Int64 }

func (r *roundTrips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (r *roundTrips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		r.n.Add(1)
		return next(ctx, cmd)
	}
}

func (r *roundTrips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		r.n.Add(1)
		return next(ctx, cmds)
	}
}

// Who got a reservation lately is known when they press again; who did not get one is not.
func TestStore_KnowsWhoWasServedLately(t *testing.T) {
	t.Parallel()
	store := newStore(t, newHarness(t, 0).rdb, Config{})
	for user, result := range map[string]Result{"ann": {State: Reserved, ReservationID: "r"}, "bob": {State: Left}} {
		if _, err := store.admit(t.Context(), request(user, "k"), "T-"+user); err != nil {
			t.Fatal(err)
		}
		settled := []ticketResult{{"T-" + user, request(user, "k"), 7, result}}
		if _, err := store.settle(t.Context(), settled, served); err != nil {
			t.Fatal(err)
		}
		found, err := store.admit(t.Context(), request(user, "k2"), "T2-"+user)
		want := admission{ticket: "T2-" + user, isNew: true, wasServed: result.State == Reserved}
		if found != want || err != nil {
			t.Errorf("%s: %+v, %v", user, found, err)
		}
	}
}

// A record that was written while Redis' clock was an hour ahead is over no later than others: it ages from when it is
// read.
func TestStore_RecordsOfAClockAheadAge(t *testing.T) {
	t.Parallel()
	rdb := newHarness(t, 0).rdb
	store := newStore(t, rdb, Config{UserLock: 50 * time.Millisecond})
	if _, err := store.admit(t.Context(), request("ann", "k"), "T1"); err != nil {
		t.Fatal(err)
	}
	text := rdb.HGet(t.Context(), store.key("ann"), "T1").Val()
	ahead := strconv.FormatInt(time.Now().Add(time.Hour).UnixMilli(), 10)
	_, rest, _ := strings.Cut(strings.TrimPrefix(text, "w\n"), "\n")
	dbtest.Must(t, rdb.HSet(t.Context(), store.key("ann"), "T1", "w\n"+ahead+"\n"+rest).Err())
	dbtest.Within(t, 10*time.Second, "another press finds the one that waits", func() bool {
		found, err := store.admit(t.Context(), request("ann", "k2"), "T2")
		return err == nil && found == admission{ticket: "T1"}
	})
}
