package web_test

import (
	"strings"
	"testing"

	"lunchgo/views"
)

// ticketOf is the ticket's address in where a press leads.
func ticketOf(p page) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(p.location(), p.url.Scheme+"://"+p.url.Host), "?")
	return path
}

const inBar = `class="waits-place`

// Who waits sees it on every page, and what came of it until they have seen that; whoever waits nowhere does not.
func TestWaits_FollowTheirDinerOverThePages(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	release := h.rival(slot)
	b, ahead := h.signedIn(50_000), h.signedIn(50_000)
	ahead.press(slot).must(303)
	pressed := b.press(slot).must(303)
	for _, path := range []string{"/", "/coupons", "/wallet", "/restaurants/haru"} {
		b.get(path).must(200).shows(inBar, "2nd in line", "Haru Table", `href="`+ticketOf(pressed)+`"`, "/waits/events")
	}
	b.get(pressed.location()).must(200).lacks(inBar)
	h.signedIn(0).get("/").must(200).lacks(inBar, "/waits/events")

	events := b.stream(t.Context(), views.WaitsEventsURL())
	await(t, events, "waits", "2nd in line")
	release()
	await(t, events, "result", "Your turn came")
	await(t, events, "done", "")
	b.get("/").must(200).shows(inBar, "Your turn came · pay by", "pay</span>").lacks("/waits/events")
	paying := b.get(ticketOf(pressed))
	if !strings.HasSuffix(paying.location(), "/pay") {
		t.Fatalf("the bar leads to %s", paying.location())
	}
	b.get(paying.location()).must(200).lacks(inBar)
	b.get("/").must(200).lacks(inBar)
}

// Several lines: the nearest turn first. One that is left is gone.
func TestWaits_ShowTheNearestTurnFirst(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	first, second := h.slot("18:00"), h.slot("20:00")
	h.rival(first)
	h.rival(second)
	b, ahead := h.signedIn(50_000), h.signedIn(50_000)
	ahead.press(first).must(303)
	far := b.press(first).must(303)
	near := b.press(second).must(303)
	b.get("/").must(200).shows(inBar, "You are next", "+1 more", `href="`+ticketOf(near)+`"`).lacks("2nd in line")
	b.get("/reservations").must(200).shows("In line now", "2nd in line", "You are next", "Leave the line", "since ")

	other := h.browser() // another device of the same person
	other.user = b.user
	token, _ := h.Identity.Sessions.Issue(b.user.ID)
	other.setCookie("session", token)
	other.get("/").must(200).lacks(inBar)
	list := other.get("/reservations").must(200).shows("In line now", ticketOf(near), ticketOf(far))
	other.get("/").must(200).shows(inBar, "You are next")

	other.send(list, ticketOf(near)+"/leave").must(200, "You have left the line")
	other.get("/").must(200).shows(inBar, "2nd in line").lacks("+1 more", "left the line")
	b.get("/").must(200, "2nd in line").lacks("+1 more")
	b.send(b.get("/"), "/signout")
	b.get("/").must(200).lacks(inBar)
}

// A line that ended while its diner looked at another page says so there, until they have seen it.
func TestWaits_SayThatNothingIsLeft(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	release := h.rival(slot)
	var full []*browser
	for range 5 {
		one := h.signedIn(50_000)
		one.press(slot).must(303)
		full = append(full, one)
	}
	b := h.signedIn(50_000)
	pressed := b.press(slot).must(303)
	events := b.stream(t.Context(), views.WaitsEventsURL())
	await(t, events, "waits", "6th in line")
	release()
	await(t, events, "result", "This time is fully booked")
	b.get("/").must(200).shows(inBar, "This time is fully booked", "see</span>")
	b.get(ticketOf(pressed)).must(200, "This time is fully booked").lacks(inBar)
	b.get("/").must(200).lacks(inBar)
	full[0].get("/").must(200, "Your turn came")
}

// A forged hint, or another person's, shows nothing.
func TestWaits_BelongToTheirPerson(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	h.rival(slot)
	b, other := h.signedIn(50_000), h.signedIn(50_000)
	ticket := strings.TrimPrefix(ticketOf(b.press(slot).must(303)), "/tickets/")
	for _, hint := range []string{ticket, "made.up", "~~~", strings.Repeat("x", 3000)} {
		other.setCookie("waiting", hint)
		other.get("/").must(200).lacks(inBar, ticket)
	}
}

// shows fails unless each of the texts is on the page, markup or not.
func (p page) shows(texts ...string) page {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.body, text) {
			p.t.Fatalf("%q is not on %s", text, p.url)
		}
	}
	return p
}

// lacks fails if one of the texts is on the page.
func (p page) lacks(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if strings.Contains(p.body, text) {
			p.t.Errorf("%q is on %s", text, p.url)
		}
	}
}
