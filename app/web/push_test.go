package web_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/app/identity"
	"lunchgo/app/push/pushtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// A browser subscribes for who is signed in there, with the key that the waiting page names; signing out ends it.
func TestPush_IsOfASession(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) { h.setup.Config.Webhooks.PrivateNetworks = true })
	b := h.signedIn(0)
	signed, session := h.Identity.Sessions.Issue(b.user.ID)
	b.setCookie("session", signed)
	release := h.rival(h.slot("18:00"))
	waiting := b.follow(b.press(h.slot("18:00"))).must(200)
	release()
	box := waiting.element("data-notify")
	if attr(box, "data-push") != views.PushURL() || attr(box, "data-session") != session.ID {
		t.Fatalf("the box: %+v", box)
	}
	sub := pushtest.Start(t).Subscribe(t, attr(box, "data-push-key"))
	form := url.Values{views.FieldEndpoint: {sub.Endpoint}, views.FieldP256dh: {sub.P256dh}, views.FieldAuth: {sub.Auth},
		views.FieldPushKey: {sub.Key}}
	b.post(views.PushURL(), form).must(404) // a session that is not listed could not end it
	h.must(h.Identity.Sessions.Record(t.Context(), session, "a browser"))
	b.post(views.PushURL(), form).must(204)
	for field, wrong := range map[string][]string{
		views.FieldEndpoint: {"", "not an address", "https://user@example.org/", "ftp://example.org/", "https://" + strings.Repeat("a", 2000)},
		views.FieldP256dh:   {"", sub.Auth, sub.P256dh + "=", "AAAA"},
		views.FieldAuth:     {"", sub.P256dh, "%"},
		views.FieldPushKey:  {"", sub.P256dh},
	} {
		for _, value := range wrong {
			changed := url.Values{}
			for name := range form {
				changed.Set(name, form.Get(name))
			}
			changed.Set(field, value)
			b.post(views.PushURL(), changed).must(422)
		}
	}
	h.browser().post(views.PushURL(), form).must(303)
	b.post(views.PushURL(), form, "Sec-Fetch-Site", "cross-site").must(403)
	if !h.knows(b.user.ID, sub.Endpoint) {
		t.Error("there is no subscription")
	}
	b.post("/signout", url.Values{}).must(303)
	if h.knows(b.user.ID, sub.Endpoint) {
		t.Error("the subscription goes on after signing out")
	}
}

// Pushes are offered to who waits, also for a table that costs nothing, and to who has a visit before them.
func TestPush_IsPromisedWhereItComes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) { h.terms = func(r *booking.Restaurant) { r.DepositPerPerson = 0 } })
	b := h.signedIn(0)
	h.exec(`UPDATE users SET email_confirmed_at = now()`)
	release := h.rival(h.slot("18:00"))
	if box := b.follow(b.press(h.slot("18:00"))).must(200).element("data-notify"); !has(box, "data-push") {
		t.Errorf("the box of who waits for a table that costs nothing: %+v", box)
	}
	release()
	visitor := h.signedIn(1)
	h.exec(`UPDATE users SET email_confirmed_at = now()`)
	if box := visitor.follow(visitor.press(h.slot("19:00"))).must(200).element("data-notify"); !has(box, "data-push") {
		t.Errorf("the box of a visit: %+v", box)
	}
}

// knows says whether the copy of all that is stored of a person has a text.
func (h *harness) knows(userID, text string) bool {
	var export bytes.Buffer
	h.must(h.Stores.Users.Export(h.t.Context(), userID, &export))
	return strings.Contains(export.String(), text)
}

// Endpoints are browsers' words: without the setting of tests none leads inside, or goes without TLS.
func TestPush_EndpointsAreOutside(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(0)
	sub := pushtest.Start(t).Subscribe(t, h.Push.Keys[0].Public())
	for _, endpoint := range []string{sub.Endpoint, "http://example.org/", "https://127.0.0.1/", "https://localhost/",
		"https://example.org:22/"} {
		b.post(views.PushURL(), url.Values{views.FieldEndpoint: {endpoint}, views.FieldP256dh: {sub.P256dh},
			views.FieldAuth: {sub.Auth}, views.FieldPushKey: {sub.Key}}).must(422)
	}
}

// A party at the door subscribes its phone by its link, without a session; who is signed in is written to as well. One
// that waits no more can ask for nothing.
func TestPush_OfAPartyAtTheDoor(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) {
		h.setup.Config.Webhooks.PrivateNetworks = true
		h.terms = func(r *booking.Restaurant) { r.Location = dbtest.ZoneAtNoon(t) } // the house still seats people
	})
	party, err := h.Stores.Doors.Join(t.Context(), door.Party{RestaurantID: h.restaurant.ID, Key: "key", PartySize: 1,
		Date: booking.DateOf(time.Now(), h.restaurant.Location), StaffID: h.diner(0).ID})
	h.must(err)
	link := h.Doors.Links.Seal(party.ID)
	find := func() door.Party {
		found, err := h.Stores.Doors.FindParty(t.Context(), party.ID)
		h.must(err)
		return found
	}

	phone := h.browser()
	page := phone.get(views.DoorURL(link)).must(200)
	box := page.element("data-notify")
	if attr(box, "data-push") != views.DoorNotifyURL(link) || strings.Contains(page.body, "mail me") {
		t.Fatalf("the page of a stranger: %s", page.body)
	}
	sub := pushtest.Start(t).Subscribe(t, attr(box, "data-push-key"))
	form := url.Values{views.FieldEndpoint: {sub.Endpoint}, views.FieldP256dh: {sub.P256dh}, views.FieldAuth: {sub.Auth},
		views.FieldPushKey: {sub.Key}}
	phone.post(views.DoorNotifyURL(link), form).must(204)
	phone.post(views.DoorNotifyURL(link+"x"), form).must(404)
	phone.post(views.DoorNotifyURL(link), url.Values{views.FieldEndpoint: {"ftp://example.org"}}).must(422)
	if found := find(); found.UserID != "" {
		t.Errorf("a stranger is %s", found.UserID)
	}

	b := h.signedIn(0)
	h.exec(`UPDATE users SET email_confirmed_at = now()`)
	if page := b.get(views.DoorURL(link)).must(200); !strings.Contains(page.body, "Email me too") {
		t.Errorf("who is signed in is not offered a letter: %s", page.body)
	}
	b.post(views.DoorNotifyURL(link), url.Values{}).must(303)
	if page := b.get(views.DoorURL(link)).must(200); !strings.Contains(page.body, "We also email you") ||
		find().UserID != b.user.ID {
		t.Errorf("who has asked for a letter: %s", page.body)
	}
	h.must(h.Stores.Doors.Take(t.Context(), door.Step{RestaurantID: h.restaurant.ID, PartyID: party.ID, State: door.Left}))
	phone.post(views.DoorNotifyURL(link), form).must(409)
}

// Staff have new bookings of their restaurant pushed by the switch of its board, which says so until it is pressed
// again.
func TestPush_OfNewBookings(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) { h.setup.Config.Webhooks.PrivateNetworks = true })
	b := h.signedIn(0)
	signed, session := h.Identity.Sessions.Issue(b.user.ID)
	h.must(h.Identity.Sessions.Record(t.Context(), session, "a phone"))
	b.setCookie("session", signed)
	sub := pushtest.Start(t).Subscribe(t, h.Push.Keys[0].Public())
	form := url.Values{views.FieldEndpoint: {sub.Endpoint}, views.FieldP256dh: {sub.P256dh}, views.FieldAuth: {sub.Auth},
		views.FieldPushKey: {sub.Key}}
	switchURL := views.StaffPushURL(h.restaurant.ID)
	b.post(switchURL, form).must(404) // works there not yet
	h.must(h.Stores.Seeds.PutStaff(t.Context(), b.user.ID,
		identity.Membership{RestaurantID: h.restaurant.ID, Role: identity.RoleHost}))
	board := views.EveningAddress{RestaurantID: h.restaurant.ID, Day: time.Now(), Tab: views.TabGuests}.URL()
	pressed := func() string { return attr(b.get(board).must(200).element("data-push-switch"), "aria-pressed") }
	if state := pressed(); state != "false" {
		t.Errorf("before: %s", state)
	}
	b.post(switchURL, url.Values{views.FieldEndpoint: {"ftp://example.org/"}}).must(422)
	b.post(switchURL, form, "Sec-Fetch-Site", "cross-site").must(403)
	b.post(switchURL, form).must(204)
	if state := pressed(); state != "true" || !h.knows(b.user.ID, sub.Endpoint) {
		t.Errorf("switched on: %s", state)
	}
	b.post(switchURL, url.Values{}).must(204)
	if state := pressed(); state != "false" {
		t.Errorf("switched off: %s", state)
	}
}

// The service worker is for the whole site, and is looked for anew when the site is.
func TestWorker_IsServedAtTheRoot(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.browser().get(views.WorkerURL()).must(200)
	if p.header.Get("Content-Type") != "text/javascript; charset=utf-8" || p.header.Get("Cache-Control") != "no-cache" ||
		!strings.Contains(p.body, `addEventListener("push"`) {
		t.Errorf("%v: %s", p.header, p.body)
	}
}
