package e2e_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// The main pages are as good as Lighthouse can say of accessibility, of practices, and of being found where anybody may
// find them. How fast they are says something on a machine that does nothing else.
func TestLighthouse(t *testing.T) {
	command := os.Getenv("LIGHTHOUSE")
	if command == "" {
		t.Skip("needs Lighthouse: go tool task lighthouse")
	}
	p := newProduct(t)
	d := p.newDiner(200_000)
	s := p.freeSlot("sotbul", 4)
	confirmed, held := d.reserve(s, true), d.reserve(p.freeSlot("sotbul", 4), false)
	waited := p.freeSlot("sotbul", 4)
	p.holdLine(waited, 3)
	var ticket struct{ Ticket string }
	_, answer, err := d.try(http.MethodPost, "/api/reservations", waited.order(), "Idempotency-Key", rand.Text(),
		"Prefer", "respond-async")
	dbtest.Must(t, errors.Join(err, json.Unmarshal(answer, &ticket)))
	host := p.account(seed.StaffEmail)
	for _, page := range []struct {
		path   string
		of     diner
		public bool // for search engines
	}{
		{"/", diner{}, true},
		{views.RestaurantURL("sotbul"), diner{}, true},
		{views.BookURL("sotbul", s.at, 4), diner{}, false},
		{views.TicketURL(ticket.Ticket), d, false},
		{views.PayURL(held), d, false},
		{views.ReservationURL(confirmed), d, false},
		{views.ReservationsURL(), d, false},
		{slotsTab(s), host, false},
	} {
		for name, score := range lighthouse(t, command, p.url+page.path, page.of.token) {
			switch {
			case name == "performance" && score >= 0.95:
				t.Logf("%s: performance %.0f", page.path, score*100)
			case name == "performance":
				t.Errorf("%s: performance %.0f, by a machine with nothing else to do", page.path, score*100)
			case score < 1 && (page.public || name != "seo"):
				t.Errorf("%s: %s %.0f", page.path, name, score*100)
			}
		}
	}
}

// lighthouse returns the scores of a page as a phone shows it, by category, 1 at best.
func lighthouse(t *testing.T, command, address, session string) map[string]float64 {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	sent := map[string]string{"Accept-Language": "ko"}
	if session != "" {
		sent["Authorization"] = "Bearer " + session
	}
	headers, err := json.Marshal(sent)
	dbtest.Must(t, err)
	run := exec.CommandContext(t.Context(), command, address, "--quiet", "--output=json", "--output-path="+report,
		"--chrome-flags=--headless=new --no-sandbox", "--extra-headers="+string(headers))
	if said, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", address, err, said)
	}
	text, err := os.ReadFile(report)
	dbtest.Must(t, err)
	var found struct {
		FinalURL   string `json:"finalDisplayedUrl"`
		Categories map[string]struct {
			Score     float64
			AuditRefs []struct {
				ID     string
				Weight float64
			}
		}
		Audits map[string]struct{ Score *float64 }
	}
	dbtest.Must(t, json.Unmarshal(text, &found))
	if !strings.HasPrefix(found.FinalURL, address) {
		t.Errorf("%s led to %s", address, found.FinalURL)
	}
	scores := map[string]float64{}
	for name, category := range found.Categories { // in any order
		scores[name] = category.Score
		for _, ref := range category.AuditRefs {
			if score := found.Audits[ref.ID].Score; ref.Weight > 0 && score != nil && *score < 1 && name != "performance" {
				t.Logf("%s: %s lacks %s", address, name, ref.ID)
			}
		}
	}
	return scores
}
