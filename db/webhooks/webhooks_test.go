package webhooks_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
	"lunchgo/app/keyset"
	"lunchgo/app/team"
	"lunchgo/app/token"
	"lunchgo/app/webhooks"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
	"lunchgo/db/testkit"
	dbwebhooks "lunchgo/db/webhooks"
)

// hooks is a restaurant whose owner has endpoints.
type hooks struct {
	*testkit.Harness
	store   *dbwebhooks.Store
	service *webhooks.Service
	owner   team.Staff
	timeout time.Duration // of requests
}

func setupHooks(t testing.TB) *hooks {
	t.Helper()
	h := &hooks{Harness: testkit.Setup(t), timeout: 2 * time.Second}
	h.store = dbwebhooks.NewStore(h.Pool)
	vault, err := webhooks.NewVault(token.Secrets{"secret"})
	dbtest.Must(t, err)
	h.service = &webhooks.Service{Store: h.store, Vault: vault, PrivateNetworks: true, Now: time.Now}
	h.owner = h.ownerOf(t, h.Restaurant.ID)
	return h
}

// ownerOf makes somebody an owner of a restaurant.
func (h *hooks) ownerOf(t testing.TB, restaurantID int64) team.Staff {
	t.Helper()
	user := h.Diners(t, 1, 0)[0]
	h.MustExec(t, `INSERT INTO staff_members (restaurant_id, user_id, role) VALUES ($1, $2, 'owner')`, restaurantID,
		user)
	by, err := team.Find(t.Context(), h.Users, user, restaurantID)
	dbtest.Must(t, err)
	return by
}

// endpoint adds one for all types of events, at a path of a receiver.
func (h *hooks) endpoint(t testing.TB, url string) (webhooks.Place, webhooks.Secret) {
	t.Helper()
	e, secret, err := h.service.Add(t.Context(), h.owner, h.Restaurant.ID,
		webhooks.Draft{URL: url, Types: webhooks.Types()})
	dbtest.Must(t, err)
	return webhooks.Place{RestaurantID: h.Restaurant.ID, ID: e.ID}, secret
}

// unobserved takes no figures.
type unobserved struct{}

func (unobserved) Tried(webhooks.Try, webhooks.Verdict) {}
func (unobserved) Waits(webhooks.Backlog)               {}

// senders runs a sender at each of some instances, until the test ends or stop is called.
func (h *hooks) senders(t testing.TB, instances ...*pg.Pool) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for _, at := range instances {
		sender := webhooks.Sender{Queue: dbwebhooks.NewStore(at), Vault: h.service.Vault, Observer: unobserved{},
			Client: webhooks.NewClient(webhooks.ClientConfig{PrivateNetworks: true, Timeout: h.timeout}),
			Now:    time.Now, Log: slog.New(slog.DiscardHandler)}
		running.Go(func() { jobs.Runner{Log: sender.Log}.Run(ctx, sender.Jobs(5*time.Millisecond)...) })
	}
	stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(stop)
	return stop
}

// until waits until a query yields a number.
func (h *hooks) until(t testing.TB, want int, query string, args ...any) {
	t.Helper()
	dbtest.Eventually(t, fmt.Sprintf("%d of: %s", want, query), func() bool {
		return h.Count(t, query,
			args...) == want
	})
}

// got is a request as a restaurant's program receives it.
type got struct {
	path   string
	header http.Header
	body   []byte
}

func (g got) id() string { return g.header.Get("webhook-id") }

func (g got) kind(t testing.TB) string {
	t.Helper()
	var body struct{ Type string }
	dbtest.Must(t, json.Unmarshal(g.body, &body))
	return body.Type
}

// signed checks a request by the specification, without the code that signs.
func (g got) signed(secret webhooks.Secret) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(secret), "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(g.id() + "." + g.header.Get("webhook-timestamp") + "." + string(g.body)))
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.Contains(strings.Fields(g.header.Get("webhook-signature")), want)
}

// receiver is a restaurant's program.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	all []got
}

// receive starts one that answers what status says; nil means 204.
func receive(t testing.TB, status func(g got) int) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		g := got{req.URL.Path, req.Header, body}
		r.mu.Lock()
		r.all = append(r.all, g)
		r.mu.Unlock()
		if status == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.WriteHeader(status(g))
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) list() []got {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// What happens to a reservation arrives, signed, at the endpoints of its restaurant that want it, and at no other.
func TestWebhooks_EventsArriveSigned(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	r := receive(t, nil)
	_, secret := h.endpoint(t, r.URL+"/all")
	some, _, err := h.service.Add(t.Context(), h.owner, h.Restaurant.ID,
		webhooks.Draft{URL: r.URL + "/confirmed", Types: []string{"lunchgo.reservation.confirmed"}})
	dbtest.Must(t, err)
	mine := h.Restaurant
	other := testkit.Restaurant()
	other.Slug = "other"
	h.Open(t, other)
	stranger := h.ownerOf(t, h.Restaurant.ID)
	foreign, _, err := h.service.Add(t.Context(), stranger, h.Restaurant.ID,
		webhooks.Draft{URL: r.URL + "/other", Types: webhooks.Types()})
	dbtest.Must(t, err)
	h.Restaurant = mine
	h.senders(t, h.Pool)
	id, _ := h.Confirmed(t, h.StartingIn(72*time.Hour))
	h.until(t, 3, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered'`)

	var kinds []string
	for _, g := range r.list() {
		var body struct {
			Type      string
			Timestamp time.Time
			Data      struct {
				ID           string
				RestaurantID int64
				State        string
			}
		}
		if err := json.Unmarshal(g.body, &body); err != nil || body.Data.ID != id ||
			body.Data.RestaurantID != mine.ID ||
			body.Timestamp.IsZero() {
			t.Errorf("%s: %v", g.body, err)
		}
		if g.path == "/all" && !g.signed(secret) || g.path == "/confirmed" && g.signed(secret) || g.id() == "" {
			t.Errorf("%s: %v", g.path, g.header)
		}
		kinds = append(kinds, g.path+" "+body.Type)
	}
	slices.Sort(kinds)
	want := []string{"/all lunchgo.reservation.confirmed", "/all lunchgo.reservation.held",
		"/confirmed lunchgo.reservation.confirmed"}
	if !slices.Equal(kinds, want) {
		t.Errorf("received %q", kinds)
	}
	if n := h.Count(t, `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1`, foreign.ID); n != 0 {
		t.Errorf("another restaurant's endpoint has %d deliveries", n)
	}
	// Nobody finds, changes or repeats what is another restaurant's.
	for name, at := range map[string]webhooks.Place{"theirs": {RestaurantID: foreign.RestaurantID, ID: foreign.ID},
		"theirs as mine": {RestaurantID: mine.ID, ID: foreign.ID}} {
		_, err := h.service.Find(t.Context(), h.owner, at)
		_, changeErr := h.service.Change(t.Context(), h.owner, at, webhooks.Patch{})
		_, testErr := h.service.Test(t.Context(), h.owner, at)
		_, againErr := h.service.RedeliverFailed(t.Context(), h.owner, at, time.Time{})
		for _, err := range []error{err, changeErr, testErr, againErr, h.service.Delete(t.Context(), h.owner, at)} {
			if !errors.Is(err, booking.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	mineAt := webhooks.Place{RestaurantID: mine.ID, ID: some.ID}
	theirs := h.Count(t, `SELECT max(id) FROM webhook_deliveries WHERE endpoint_id <> $1`, some.ID)
	if err := h.service.Redeliver(t.Context(), h.owner, mineAt, int64(theirs)); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("a delivery of another endpoint: %v", err)
	}
}

// Without an endpoint that wants them no events are written; a paused one keeps them until it is resumed.
func TestWebhooks_OutboxOnlyWhereWanted(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	waiting := func() int { return h.Count(t, `SELECT count(*) FROM outbox WHERE webhooks`) }
	h.Confirmed(t, h.StartingIn(72*time.Hour))
	if n := h.Count(t, `SELECT count(*) FROM outbox`); n != 0 {
		t.Errorf("without an endpoint: %d events", n)
	}
	r := receive(t, nil)
	at, _ := h.endpoint(t, r.URL)
	for _, state := range []webhooks.State{webhooks.Gone, webhooks.Failing} {
		h.MustExec(t, `UPDATE webhook_endpoints SET state = $1`, string(state))
		if h.Confirmed(t, h.StartingIn(72*time.Hour)); waiting() != 0 {
			t.Errorf("%s: %d events", state, waiting())
		}
	}
	if _, err := h.service.Change(t.Context(), h.owner, at, webhooks.Patch{State: new(webhooks.Paused)}); err != nil {
		t.Fatal(err)
	}
	h.Confirmed(t, h.StartingIn(72*time.Hour))
	if waiting() != 2 {
		t.Errorf("paused: %d events", waiting())
	}
	h.senders(t, h.Pool)
	h.until(t, 2, `SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting'`)
	if _, err := h.service.Test(t.Context(), h.owner, at); !errors.Is(err, webhooks.ErrNotActive) ||
		len(r.list()) != 0 {
		t.Errorf("a paused endpoint: %v, %d requests", err, len(r.list()))
	}
	if _, err := h.service.Change(t.Context(), h.owner, at, webhooks.Patch{State: new(webhooks.Active)}); err != nil {
		t.Fatal(err)
	}
	h.until(t, 2, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered'`)
	if n := h.Count(t,
		`SELECT count(*) FROM audit_log WHERE action IN ('webhook.add', 'webhook.pause', 'webhook.resume')`); n != 3 {
		t.Errorf("%d acts are in the log", n)
	}
}

// A restaurant has ten endpoints at most, each of another address, however many are added at once.
func TestWebhooks_TenAtMost(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	add := func(path string) error {
		_, _, err := h.service.Add(t.Context(), h.owner, h.Restaurant.ID,
			webhooks.Draft{URL: "https://example.org/" + path, Types: webhooks.Types()})
		return err
	}
	dbtest.Must(t, errors.Join(add("a"), add("b")))
	if err := add("a"); !errors.Is(err, webhooks.ErrSameURL) {
		t.Errorf("the same address: %v", err)
	}
	overfill := func() int {
		h.MustExec(t, `DELETE FROM webhook_endpoints WHERE url LIKE '%/c%'`)
		var running sync.WaitGroup
		for i := range 12 {
			running.Go(func() { _ = add("c" + string(rune('a'+i))) })
		}
		running.Wait()
		return h.Count(t, `SELECT count(*) FROM webhook_endpoints`)
	}
	if n := overfill(); n != webhooks.MaxEndpoints {
		t.Errorf("%d endpoints", n)
	}
	if err := add("d"); !errors.Is(err, webhooks.ErrTooMany) {
		t.Errorf("one too many: %v", err)
	}
	h.Weaken(rowlock.LockRestaurant, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(dbwebhooks.InsertEndpoint, dbtest.Meeting(webhooks.MaxEndpoints))
	h.MustExec(t, `DELETE FROM webhook_endpoints WHERE url LIKE '%/b'`)
	if n := overfill(); n <= webhooks.MaxEndpoints {
		t.Errorf("without the lock %d endpoints: the test above proves nothing", n)
	}
}

// What is stored opens only with the installation's secret, and for a day after a rotation both secrets sign.
func TestWebhooks_SecretsRotate(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	r := receive(t, nil)
	at, first := h.endpoint(t, r.URL)
	if n := h.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE encode(secret, 'escape') LIKE '%' || $1 || '%'`,
		strings.TrimPrefix(string(first), "whsec_")); n != 0 {
		t.Error("the secret can be read in the table")
	}
	h.senders(t, h.Pool)
	test := func() got {
		before := len(r.list())
		if _, err := h.service.Test(t.Context(), h.owner, at); err != nil {
			t.Fatal(err)
		}
		h.until(t, before+1, `SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered'`)
		return r.list()[before]
	}
	if g := test(); !g.signed(first) || g.kind(t) != webhooks.TypeTest {
		t.Errorf("%s %v", g.body, g.header)
	}
	_, second, err := h.service.Rotate(t.Context(), h.owner, at, 0)
	dbtest.Must(t, err)
	if _, _, err := h.service.Rotate(t.Context(), h.owner, at, 0); !errors.Is(err, booking.ErrChangedMeanwhile) {
		t.Errorf("the same page again: %v", err)
	}
	if g := test(); !g.signed(first) || !g.signed(second) {
		t.Errorf("within a day: %v", g.header)
	}
	h.MustExec(t, `UPDATE webhook_endpoints SET old_secret_until = now()`)
	if g := test(); g.signed(first) || !g.signed(second) {
		t.Errorf("after it: %v", g.header)
	}
}

// Old deliveries leave the log, whatever became of them.
func TestWebhooks_Trim(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	at, _ := h.endpoint(t, "https://example.org")
	for range 5 {
		if _, err := h.service.Test(t.Context(), h.owner, at); err != nil {
			t.Fatal(err)
		}
	}
	h.MustExec(t, `UPDATE webhook_deliveries SET created_at = now() - interval '31 days'
		WHERE id <= (SELECT min(id) + 2 FROM webhook_deliveries)`)
	for limit, want := range []int{0, 1, 2} {
		if n, err := h.store.Trim(t.Context(), webhooks.Kept, limit); n != min(limit, want) || err != nil {
			t.Errorf("%d of %d, %v", n, limit, err)
		}
	}
	e, err := h.service.Find(t.Context(), h.owner, at)
	dbtest.Must(t, err)
	page, err := h.service.Deliveries(t.Context(), e, webhooks.Waiting, keyset.Request{Limit: 1})
	if err != nil || len(page.Items) != 1 || page.Next == "" {
		t.Errorf("%+v, %v", page, err)
	}
}
