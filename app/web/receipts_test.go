package web_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/lineup"
	"lunchgo/app/receipt"
	"lunchgo/db/dbtest"
)

// crowd are diners who press for one slot at once and have a receipt each.
type crowd struct {
	*harness
	line     string
	receipts []receipt.Receipt
}

// ask sends a request in somebody's name, and reads the JSON of the answer.
func (h *harness) ask(token, method, path, body string, answer any) int {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), method, h.URL+path, strings.NewReader(body))
	h.must(err)
	for name, value := range map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json",
		"Idempotency-Key": rand.Text(), "Prefer": "respond-async"} {
		if token != "" || name != "Authorization" {
			request.Header.Set(name, value)
		}
	}
	response, err := http.DefaultClient.Do(request)
	h.must(err)
	defer response.Body.Close()
	h.must(json.NewDecoder(response.Body).Decode(answer))
	return response.StatusCode
}

// newCrowd lets n diners press while somebody has the turn, gives each a receipt, lets them be served, and waits until
// the line has ended.
func newCrowd(t *testing.T, n int) *crowd {
	t.Helper()
	h := newHarness(t)
	slot := h.slot("19:00")
	release := h.rival(slot)
	c := &crowd{harness: h, line: lineup.Handler{}.LineID(lineup.OfSlot(slot)), receipts: make([]receipt.Receipt, n)}
	var pressing sync.WaitGroup
	diners := make([]identity.User, n)
	for i := range diners {
		diners[i] = h.diner(0)
	}
	for i, diner := range diners {
		pressing.Go(func() {
			token, _ := h.Identity.Sessions.Issue(diner.ID)
			c.receipts[i] = h.pressForReceipt(token, slot)
		})
	}
	pressing.Wait()
	if t.Failed() {
		t.FailNow()
	}
	release()
	dbtest.Eventually(t, "the line has ended and its log is published", func() bool {
		log, err := h.Room.WholeLog(t.Context(), c.line, c.receipts[0].LogID)
		return err == nil && log.State == receipt.Ended && len(log.Entries) >= c.receipts[n-1].Entries
	})
	return c
}

func (h *harness) pressForReceipt(token string, slot booking.SlotKey) (r receipt.Receipt) {
	var ticket struct{ Ticket string }
	body := fmt.Sprintf(`{"restaurantId": %d, "date": %q, "time": %q, "partySize": 1}`, h.restaurant.ID, slot.Date,
		slot.Time)
	for range 50 {
		if status := h.ask(token, http.MethodPost, "/api/reservations", body, &ticket); status == http.StatusAccepted {
			break
		}
	}
	if status := h.ask(token, http.MethodGet, "/api/tickets/"+ticket.Ticket+"/receipt", "",
		&r); status != http.StatusOK {
		h.t.Errorf("the receipt is answered %d", status)
	}
	return r
}

// findings are how many of the crowd's receipts have each outcome by now, with one that is not proven.
func (c *crowd) findings() (count map[receipt.Outcome]int, bad receipt.Finding) {
	c.t.Helper()
	log, err := c.Room.WholeLog(c.t.Context(), c.line, c.receipts[0].LogID)
	c.must(err)
	count = map[receipt.Outcome]int{}
	for _, r := range c.receipts {
		f := receipt.Verify(r, log, receipt.Check{Keys: log.PublicKeys(), At: time.Now()})
		if count[f.Outcome]++; f.Outcome != receipt.Proven || f.Elsewhere > 0 {
			bad = f
		}
	}
	return count, bad
}

// Everybody of a rush can prove that the line was kept. Then somebody with access to the database changes one entry of
// the published log: everybody after it sees that.
func TestReceipts_ProveThatALineWasKept(t *testing.T) {
	t.Parallel()
	const n = 200
	c := newCrowd(t, n)
	if count, bad := c.findings(); count[receipt.Proven] != n || bad.Outcome != "" {
		t.Fatalf("%v, one of them %+v", count, bad)
	}
	page := c.verifyOnPage(c.receipts[n/2])
	if page.status != http.StatusOK || !strings.Contains(page.text, "notice-success") {
		t.Errorf("the page answers %d:\n%s", page.status, page.text)
	}
	c.exec(`
		UPDATE line_log_entries SET entry = replace(entry, 'turn ', 'turn 1')
		WHERE line = $1 AND number = (SELECT min(number) FROM line_log_entries WHERE line = $1 AND entry LIKE 'turn %')`, c.line)
	if count, bad := c.findings(); count[receipt.Proven] > 0 && bad.Outcome == "" {
		t.Errorf("an altered turn is not seen: %v", count)
	}
	c.exec(`UPDATE line_log_entries SET entry = replace(entry, ':', ':0') WHERE line = $1 AND number = 1`, c.line)
	if count, _ := c.findings(); count[receipt.Refuted] != n {
		t.Errorf("an altered entry is not seen by everybody: %v", count)
	}
	if page := c.verifyOnPage(c.receipts[n/2]); !strings.Contains(page.text, "notice-danger") {
		t.Errorf("the page does not see it:\n%s", page.text)
	}
}

type shownPage struct {
	status int
	text   string
}

// verifyOnPage pastes a receipt into the page that checks them.
func (h *harness) verifyOnPage(r receipt.Receipt) shownPage {
	h.t.Helper()
	file, err := r.File()
	h.must(err)
	var body bytes.Buffer
	body.WriteString(
		"--x\r\nContent-Disposition: form-data; name=\"receipt\"; filename=\"r.json\"\r\nContent-Type: application/json\r\n\r\n")
	body.Write(file)
	body.WriteString("\r\n--x--\r\n")
	request, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.URL+"/verify", &body)
	h.must(err)
	request.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	response, err := http.DefaultClient.Do(request)
	h.must(err)
	defer response.Body.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(response.Body)
	h.must(err)
	return shownPage{response.StatusCode, text.String()}
}

// A stream carries the receipt of who waits once.
func TestReceipts_StreamsCarryThem(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	release := h.rival(slot)
	token, _ := h.Identity.Sessions.Issue(h.diner(0).ID)
	var ticket struct{ Ticket string }
	body := fmt.Sprintf(`{"restaurantId": %d, "date": %q, "time": %q, "partySize": 1}`, h.restaurant.ID, slot.Date,
		slot.Time)
	h.ask(token, http.MethodPost, "/api/reservations", body, &ticket)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/api/tickets/"+ticket.Ticket+
		"/events", nil)
	h.must(err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	h.must(err)
	defer response.Body.Close()
	var all strings.Builder
	part := make([]byte, 4096)
	for !strings.Contains(all.String(), `"signature"`) {
		n, err := response.Body.Read(part)
		h.must(err)
		all.Write(part[:n])
	}
	release()
	for !strings.Contains(all.String(), "event: done") {
		n, err := response.Body.Read(part)
		all.Write(part[:n])
		if err != nil {
			break
		}
	}
	if n := strings.Count(all.String(), `"signature"`); n != 1 {
		t.Errorf("%d receipts:\n%s", n, all.String())
	}
}
