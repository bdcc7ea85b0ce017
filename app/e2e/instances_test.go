package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// TestInstances_ServeAsOne has a diner wait, and staff watch, at two instances behind HAProxy that are updated one
// after the other. Neither of them loads a page again; the place is kept, and no request of anybody fails.
func TestInstances_ServeAsOne(t *testing.T) {
	skipShort(t)
	t.Parallel()
	b := newBalanced(t, 2)
	s := b.freeSlot("sotbul", 2)
	line := b.holdLine(s, 1)
	who := b.newDiner(100_000)
	waits := b.newVisitor(phoneEn).newTab().remember(who)
	board := b.newVisitor(desktopKo).newTab()
	for _, page := range []*tab{waits, board} {
		page.expect("net::ERR_INCOMPLETE_CHUNKED_ENCODING")
		page.expect("[object Event]") // a stream that ended, in the words of htmx
	}
	board.open(views.SignInURL(""))
	board.signIn(seed.StaffEmail, seed.DemoPassword)
	board.open(slotsTab(s))
	waits.open(views.BookURL(s.slug, s.at, s.party))
	waits.click(".pay-bar button")
	waits.untilAt("/tickets/")
	waits.untilPlace("en", 2, 2)
	board.untilRow(s, s.capacity, 3, 0, 0)
	waits.mark()
	board.mark()

	b.mustDropForgedIDs()
	ticket := strings.TrimPrefix(waits.path(), "/tickets/")
	asked := b.pollMeanwhile(who, ticket, 2, func() {
		for _, instance := range b.instances {
			b.roll(instance)
			waits.untilBack("en", 2)
		}
	})
	line.leave()
	line.next()
	waits.untilPlace("en", 1, 1)
	board.untilRow(s, s.capacity, 2, 0, 0)
	waits.mustBeMarked()
	board.mustBeMarked()
	line.leave()
	waits.untilAt("/reservations/")
	waits.click(".pay-now button")
	waits.untilSays("h1", i18n.T("en", "reservation.confirmed"))
	board.untilRow(s, s.capacity-2, 0, 0, 2)
	for name, server := range b.servers() {
		t.Logf("%s: %+v, of %d polls", name, server, asked)
		if server.sessions == 0 || server.fives > 0 {
			t.Errorf("%s has served %d requests, and answered %d with 5xx", name, server.sessions, server.fives)
		}
	}
}

// mustDropForgedIDs has a visitor name an id, which the instances would believe their proxy.
func (b *balanced) mustDropForgedIDs() {
	b.t.Helper()
	const forged = "chosen-by-a-visitor"
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+"/api/restaurants", nil)
	dbtest.Must(b.t, err)
	request.Header.Set("X-Request-ID", forged)
	answer, err := http.DefaultClient.Do(request)
	dbtest.Must(b.t, err)
	defer answer.Body.Close()
	if id := answer.Header.Get("X-Request-ID"); id == forged || id == "" {
		b.t.Errorf("the id of a visitor's request is %q", id)
	}
}

// pollMeanwhile asks for a ticket over and over, at whichever instance the proxy chooses, and returns how often. Each
// answer has to be the same place.
func (b *balanced) pollMeanwhile(who diner, ticket string, position int, during func()) (asked int) {
	b.t.Helper()
	over := make(chan struct{})
	var polling sync.WaitGroup
	polling.Go(func() {
		again := time.NewTicker(lookEvery)
		defer again.Stop()
		for ; ; asked++ {
			status, answer, err := who.try(http.MethodGet, "/api/tickets/"+ticket, nil)
			var found struct {
				State    string
				Position int
			}
			if err != nil || status != http.StatusOK || json.Unmarshal(answer, &found) != nil ||
				found.Position != position {
				b.t.Errorf("poll %d: %d %s %v", asked, status, answer, err)
			}
			select {
			case <-again.C:
			case <-over:
				return
			}
		}
	})
	during()
	close(over)
	polling.Wait()
	return asked
}
