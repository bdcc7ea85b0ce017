package webhooks_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/mail"
	"lunchgo/app/webhooks"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	dbwebhooks "lunchgo/db/webhooks"
)

// webhookLetters counts those about webhooks, by their readers' languages.
func (h *hooks) webhookLetters(t testing.TB) string {
	t.Helper()
	var languages []string
	err := h.Pool.List(t.Context(), &languages, `
		SELECT u.language FROM mails m JOIN users u ON u.id = m.user_id WHERE m.kind = 'webhook' ORDER BY 1`)
	dbtest.Must(t, err)
	return strings.Join(languages, " ")
}

// taken are n deliveries to an endpoint that are under way.
func (h *hooks) taken(t testing.TB, at webhooks.Place, n int) []webhooks.Taken {
	t.Helper()
	h.deliveries(t, at, n)
	taken, err := h.store.TakeDeliveries(t.Context(),
		webhooks.Claim{Most: n, PerEndpoint: n, Lease: webhooks.SendLease})
	if err != nil || len(taken) != n {
		t.Fatalf("%d taken, %v", len(taken), err)
	}
	return taken
}

// markGone notes for each of some deliveries at the same time that the endpoint answered 410, and returns how many
// transactions that took.
func (h *hooks) markGone(t testing.TB, edit func(string) string, taken ...webhooks.Taken) int64 {
	t.Helper()
	var attempts atomic.Int64
	h.Weaken(dbwebhooks.LockMarked, func(query string) string {
		attempts.Add(1)
		return edit(query)
	})
	gone := webhooks.Try{Status: http.StatusGone}
	var running sync.WaitGroup
	for _, d := range taken {
		running.Go(func() {
			if err := h.store.MarkDelivery(t.Context(), d.Delivery, gone, webhooks.Judge(1, gone)); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	return attempts.Load()
}

// Each owner gets one letter when an endpoint is disabled, however many tries end at once; others on the staff get
// none. A delivery that was added while the endpoint was disabled brings no second letter.
func TestWebhookLetters_OneForEachDisabling(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	english := h.ownerOf(t, h.Restaurant.ID).UserID()
	h.MustExec(t, `UPDATE users SET language = 'en' WHERE id = $1`, english)
	h.MustExec(t, `INSERT INTO staff_members (restaurant_id, user_id, role) VALUES ($1, $2, 'manager')`,
		h.Restaurant.ID, h.Diners(t, 1, 0)[0])
	at, _ := h.endpoint(t, "https://till.example/events?key=secret")
	taken := h.taken(t, at, 4)
	if n := h.markGone(t, dbtest.Intact, taken...); n != 4 || h.webhookLetters(t) != "en ko" {
		t.Errorf("%d transactions for 4 marks, letters %q", n, h.webhookLetters(t))
	}
	again := func(edit func(string) string) string {
		h.MustExec(t, `UPDATE webhook_deliveries SET state = 'waiting', due_at = $2 WHERE id = $1`, taken[0].ID,
			taken[0].DueAt)
		h.markGone(t, edit, taken[0])
		return h.webhookLetters(t)
	}
	if got := again(dbtest.Intact); got != "en ko" {
		t.Errorf("a late delivery: letters %q", got)
	}
	if got := again(dbtest.Replacing("state,", "'active' AS state,")); got != "en en ko ko" {
		t.Errorf("without the guard: letters %q; the test above proves nothing", got)
	}
}

// Tries that end together wait for each other in turn. Without the lock of the endpoint they wait in a ring, and the
// database ends some of them.
func TestWebhookLetters_MarksDoNotDeadlock(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	at, _ := h.endpoint(t, "https://till.example/events")
	taken := h.taken(t, at, 2)
	h.Weaken(dbwebhooks.DisableEndpoint, dbtest.Meeting(2)) // each has locked its own delivery by then
	if n := h.markGone(t, dbtest.Replacing("FOR NO KEY UPDATE", ""), taken...); n <= 2 {
		t.Errorf("%d transactions for 2 marks: the test above proves nothing", n)
	}
	if got := h.webhookLetters(t); got != "ko" {
		t.Errorf("letters %q", got)
	}
}

// The letter says which program it is about, without what may be secret in its address, and is void once the endpoint
// is resumed.
func TestWebhookLetters_SayWhatIsStillSo(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	at, _ := h.endpoint(t, "https://till.example/events?key=secret")
	h.markGone(t, dbtest.Intact, h.taken(t, at, 1)...)
	read := func() mail.Note {
		h.MustExec(t, `UPDATE mails SET due_at = now()`)
		notes, err := letters.NewMailStore(h.Pool).TakeMails(t.Context(), 10)
		if err != nil || len(notes) != 1 {
			t.Fatalf("%+v, %v", notes, err)
		}
		return notes[0]
	}
	want := mail.Webhook{ID: at.ID, RestaurantID: at.RestaurantID, Restaurant: h.Restaurant.Name,
		URL:  "https://till.example/events",
		Gone: true}
	if n := read(); n.Webhook != want || n.Kind != mail.WebhookDisabled || n.Language != "ko" {
		t.Errorf("%+v", n)
	}
	if got := h.Letters(t, h.owner.UserID()); len(got) != 1 || got[0] != mail.WebhookDisabled {
		t.Errorf("the mailbox shows %q", got)
	}
	if _, err := h.service.Change(t.Context(), h.owner, at, webhooks.Patch{State: new(webhooks.Active)}); err != nil {
		t.Fatal(err)
	}
	if n := read(); !n.Webhook.Ended {
		t.Errorf("resumed: %+v", n)
	}
	if err := h.service.Delete(t.Context(), h.owner, at); err != nil || h.webhookLetters(t) != "" {
		t.Errorf("deleted: %v, letters %q", err, h.webhookLetters(t))
	}
}
