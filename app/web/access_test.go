package web_test

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/door"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/lineup"
	"lunchgo/app/messages"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reviews"
	crew "lunchgo/app/team"
	"lunchgo/db/dbtest"
	"lunchgo/static"
)

// house is a site with somebody of each kind, and things of one diner.
type house struct {
	*harness
	visitors    []visitor
	diner       identity.User
	slot        booking.SlotKey
	reservation string
	entry       string
	asked       string // a reservation whose guest is asked for the deposit
	ticket      string
	campaign    int64
	another     int64  // a restaurant of another owner
	member      string // a host whom nobody is
	invitation  string
	rehearsal   string   // that has ended
	guest       string   // by phone
	notes       []string // about the guest
	webhook     string   // that is sent to
	message     string   // to the diner
	waits       string   // at the door
	delivery    string   // to it
	review      int64    // of another diner's visit
	prefer      string   // how long a request waits for its turn
}

func newHouse(t *testing.T) *house {
	h := &house{harness: newHarness(t, withTables), prefer: "wait=10"}
	h.slot, h.diner = h.harness.slot("18:00"), h.harness.diner(1_000_000)
	h.visitors = []visitor{{name: "nobody"}, {name: theDiner, id: h.diner.ID},
		{name: "another diner", id: h.newPerson()}, {name: "another restaurant's owner", id: h.newPerson()}}
	h.another = h.anotherRestaurant()
	h.join(h.visitors[3].id, h.another, identity.RoleOwner)
	h.visitors = append(h.visitors, visitor{name: theOperator, id: h.newOperator()})
	for _, role := range []identity.Role{identity.RoleHost, identity.RoleManager, identity.RoleOwner} {
		v := visitor{name: string(role), id: h.newPerson(), role: role}
		h.join(v.id, h.restaurant.ID, role)
		h.visitors = append(h.visitors, v)
	}
	h.member = h.newPerson()
	h.restoreTeam()
	var err error
	h.rehearsal, err = h.Stores.Rehearsals.Begin(t.Context(),
		rehearsal.Start{RestaurantID: h.restaurant.ID, By: h.member, AnHour: 1, AtATime: 1})
	h.must(err)
	h.makeThings()
	h.restoreWebhook()
	return h
}

// withTables gives the restaurant a map: two tables for five.
func withTables(h *harness) {
	h.setup.Config.Web.Limits.Changes = 1_000 // each visitor tries all routes in a moment
	h.setup.Config.Passkeys = "https://lunchgo.example"
	h.terms = func(r *booking.Restaurant) {
		r.Floor = booking.Floor{Width: 400, Height: 200}
		for i := range 2 {
			r.Seats = append(r.Seats,
				booking.Seat{ID: int64(i + 1), Label: fmt.Sprint("T", i+1), Kind: booking.TableSeat, Places: 5,
					Area: booking.Area{X: 200 * i, Width: 100, Height: 100}})
		}
	}
}

func (h *house) newPerson() string { return h.harness.diner(0).ID }

func (h *house) newOperator() string {
	hash := []byte("the link's")
	_, err := h.Stores.Operators.InviteOperator(h.t.Context(), false, func(time.Time) []byte { return hash }, time.Hour)
	h.must(err)
	u := identity.User{ID: rand.Text(), Email: "operator@example.org", Name: "김운영", Phone: "010-1234-5678",
		PasswordHash: "!"}
	h.must(h.Stores.Operators.CreateOperator(h.t.Context(), hash, u))
	return u.ID
}

func (h *house) join(userID string, restaurantID int64, role identity.Role) {
	h.must(h.Stores.Seeds.PutStaff(h.t.Context(), userID, identity.Membership{RestaurantID: restaurantID, Role: role}))
}

// restoreTeam puts everybody back to work whom a route may have removed, and has an invitation open.
func (h *house) restoreTeam() {
	h.join(h.member, h.restaurant.ID, identity.RoleHost)
	for _, v := range h.visitors {
		if v.role != "" {
			h.join(v.id, h.restaurant.ID, v.role)
		}
	}
	made, err := h.Stores.Team.Invite(h.t.Context(),
		crew.NewInvitation{By: h.visitors[len(h.visitors)-1].id, RestaurantID: h.restaurant.ID,
			Email: rand.Text() + "@example.org", Role: identity.RoleHost})
	h.must(err)
	h.invitation = made.ID
}

func (h *house) anotherRestaurant() int64 {
	other := h.restaurant
	other.ID, other.Slug, other.Seats = 0, "another", nil
	id, err := h.Stores.Seeds.PutRestaurant(h.t.Context(), other, nil)
	h.must(err)
	return id
}

// makeThings makes one thing of each kind for the diner: a reservation, a place on a waitlist, a place in a line.
func (h *house) makeThings() {
	body := func(time booking.TimeOfDay, party int) string {
		return fmt.Sprintf(`{"restaurantId": %d, "date": %q, "time": %q, "partySize": %d}`, h.restaurant.ID,
			h.slot.Date, time, party)
	}
	h.makeReview(body("18:00", 1))
	h.reservation = h.make(h.diner.ID, "/api/reservations", body("18:00", 2), "id")
	byPhone := fmt.Sprintf(
		`{"date": %q, "time": "18:00", "partySize": 1, "name": "Guest", "phone": "010-9876-5432", "source": "phone"}`,
		h.slot.Date)
	h.make(h.visitors[len(h.visitors)-1].id, fmt.Sprintf("/api/staff/restaurants/%d/reservations", h.restaurant.ID),
		byPhone, "id")
	known, err := h.Stores.Guests.ListGuests(h.t.Context(), h.restaurant.ID, guests.Search{Digits: "01098765432"},
		keyset.Request{})
	h.must(err)
	h.guest = known.Items[0].ID
	h.makeNotes()
	h.makeMessage()
	h.waitAtDoor()
	h.askForDeposit()
	rival := h.newPerson()
	h.make(h.newPerson(), "/api/reservations", body("19:00", 5), "id")
	rivals := h.make(rival, "/api/reservations", body("19:00", 5), "id")
	h.entry = h.make(h.diner.ID, "/api/waitlist", body("19:00", 2), "id")
	h.knock(visitor{id: rival}, http.MethodDelete, "/api/reservations/"+rivals, "")
	h.rival(h.harness.slot("20:00"))
	h.prefer = "wait=0"
	h.ticket = h.make(h.diner.ID, "/api/reservations", body("20:00", 2), "ticket")
	now := time.Now()
	h.campaign, err = h.Stores.Seeds.PutCampaign(h.t.Context(), coupon.Campaign{Slug: "access", Use: coupon.ForDeposit,
		RestaurantID: h.restaurant.ID,
		Amount:       1_000, Total: 50, OpensAt: now.Add(-time.Hour), ClosesAt: now.Add(time.Hour),
		ValidUntil: now.Add(time.Hour), Name: booking.Text{Ko: "쿠폰", En: "Coupon"},
		Description: booking.Text{Ko: "쿠폰", En: "Coupon"}})
	h.must(err)
}

// askForDeposit has a guest asked for the deposit.
func (h *house) askForDeposit() {
	account, host := rand.Text(), h.visitors[len(h.visitors)-1].id
	h.must(h.Stores.Users.IntroduceGuest(h.t.Context(), identity.User{ID: account, Email: "asked@example.org", Name: "김손님"}))
	slot := h.harness.slot("17:00")
	turn := booking.Turn{Slot: slot, Capacity: h.restaurant.Capacity, Fence: 1}
	outcomes, _, err := h.Stores.Slots.Serve(h.t.Context(), turn, []booking.Request{{
		UserID: host, IdempotencyKey: rand.Text(), Ticket: rand.Text(), Slot: slot, PartySize: 1, DepositAmount: 10_000,
		HoldTime: time.Hour, Policy: h.restaurant.Terms(1),
		Guest: &booking.Guest{Name: "김손님", Source: booking.Phone, State: booking.Temporary, Account: account}}})
	h.must(err)
	h.asked = outcomes[0].ReservationID
}

// makeMessage writes to the diner.
func (h *house) makeMessage() {
	sent, err := h.Stores.Messages.Send(h.t.Context(), messages.Message{StaffID: h.visitors[len(h.visitors)-1].id,
		Key: "key", Text: "We look forward to seeing you.",
		Audience: messages.Audience{RestaurantID: h.restaurant.ID, ReservationID: h.reservation}})
	h.must(err)
	h.message = sent.ID
}

// waitAtDoor has a party wait at the door.
func (h *house) waitAtDoor() {
	p, err := h.Stores.Doors.Join(h.t.Context(), door.Party{RestaurantID: h.restaurant.ID, Key: "key", PartySize: 1,
		Date: booking.DateOf(time.Now(), h.restaurant.Location), StaffID: h.visitors[len(h.visitors)-1].id})
	h.must(err)
	h.waits = p.ID
}

// makeReview has somebody else review a visit.
func (h *house) makeReview(visit string) {
	person := h.newPerson()
	id := h.make(person, "/api/reservations", visit, "id")
	h.exec(`UPDATE reservations SET state = 'completed', ended_at = now() WHERE id = $1`, id)
	made, err := h.Stores.Reviews.Write(h.t.Context(), reviews.Draft{UserID: person, ReservationID: id, Stars: 4})
	h.must(err)
	h.review = made.ID
}

// make posts JSON for somebody, and returns a member of the answer.
func (h *house) make(userID, path, body, member string) string {
	h.t.Helper()
	_, answer := h.knock(visitor{id: userID}, http.MethodPost, path, body)
	var object map[string]any
	h.must(json.Unmarshal(answer, &object))
	text, _ := object[member].(string)
	if text == "" {
		h.t.Fatalf("%s answers %s", path, answer)
	}
	return text
}

// restoreWebhook has the owner add a webhook, with a delivery, unless there is one that is sent to.
func (h *house) restoreWebhook() {
	h.t.Helper()
	owner := h.visitors[len(h.visitors)-1]
	path := fmt.Sprintf("/api/staff/restaurants/%d/webhooks", h.restaurant.ID)
	if h.webhook != "" {
		if got, _ := h.knock(owner, http.MethodPatch, path+"/"+h.webhook, `{"state": "active"}`); got == mayPass {
			return
		}
	}
	body := fmt.Sprintf(`{"url": "https://hooks.example/%s", "types": ["lunchgo.reservation.held"]}`, rand.Text())
	h.webhook = h.make(owner.id, path, body, "id")
	_, answer := h.knock(owner, http.MethodPost, path+"/"+h.webhook+"/test", "")
	var delivery struct{ ID int64 }
	h.must(json.Unmarshal(answer, &delivery))
	h.delivery = strconv.FormatInt(delivery.ID, 10)
}

// makeNotes writes notes about the guest: each that somebody deletes is one that nobody has tried.
func (h *house) makeNotes() {
	h.t.Helper()
	about := guests.About{RestaurantID: h.restaurant.ID, Guest: h.guest, By: h.visitors[len(h.visitors)-1].id}
	for range 40 {
		note, err := h.Stores.Guests.AddNote(h.t.Context(), about, "likes tea")
		h.must(err)
		h.notes = append(h.notes, strconv.FormatInt(note.ID, 10))
	}
}

// knock sends a request in somebody's name, each with a session of its own, and returns what the answer says of them.
func (h *house) knock(v visitor, method, path, body string) (verdict, []byte) {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), method, h.URL+path, strings.NewReader(body))
	h.must(err)
	request.Header.Set("Idempotency-Key", rand.Text())
	request.Header.Set("Prefer", h.prefer)
	if request.Header.Set("Content-Type", "application/x-www-form-urlencoded"); strings.HasPrefix(path, "/api/") {
		request.Header.Set("Content-Type", "application/json")
	}
	if v.id != "" {
		token, _ := h.Identity.Sessions.Issue(v.id)
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := h.browser().client.Do(request)
	h.must(err)
	defer response.Body.Close()
	if response.StatusCode >= 500 {
		h.t.Errorf("%s %s for %s: %d", method, path, v.name, response.StatusCode)
	}
	var answer []byte
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") { // that it starts is enough
		answer, err = io.ReadAll(response.Body)
		h.must(err)
	}
	return verdictOf(response), answer
}

func verdictOf(response *http.Response) verdict {
	switch {
	case response.StatusCode == http.StatusUnauthorized,
		response.StatusCode == http.StatusSeeOther && strings.Contains(response.Header.Get("Location"), "/signin"):
		return mustSignIn
	case response.StatusCode == http.StatusForbidden:
		return forbidden
	case response.StatusCode == http.StatusNotFound:
		return notFound
	}
	return mayPass
}

var parameter = regexp.MustCompile(`:\w+|\*`)

// address is a route with the diner's things and the restaurant's in place of its parameters.
func (h *house) address(path string) string {
	return parameter.ReplaceAllStringFunc(path, func(name string) string {
		switch {
		case name == ":slug":
			return h.restaurant.Slug
		case name == ":restaurant", strings.Contains(path, "/restaurants/:id"):
			return strconv.FormatInt(h.restaurant.ID, 10)
		case name == ":date":
			return string(h.slot.Date)
		case name == ":time":
			return string(h.slot.Time)
		case name == ":seat":
			return strconv.FormatInt(h.restaurant.Seats[0].ID, 10)
		case name == ":dish", name == ":item":
			return strconv.FormatInt(h.menu[0].ID, 10)
		case name == ":line":
			return lineup.Handler{}.LineID(lineup.OfSlot(h.harness.slot("20:00")))
		case name == ":ticket":
			return h.ticket
		case name == ":guest":
			return h.guest
		case name == ":note":
			last := h.notes[len(h.notes)-1]
			h.notes = h.notes[:len(h.notes)-1]
			return last
		case name == ":rehearsal":
			return h.rehearsal
		case name == ":member":
			return h.member
		case name == ":invitation":
			return h.invitation
		case name == ":webhook":
			return h.webhook
		case name == ":message":
			return h.message
		case name == ":party":
			return h.waits
		case name == ":review", strings.HasPrefix(path, "/api/staff/reviews/"):
			return strconv.FormatInt(h.review, 10)
		case name == ":delivery":
			return h.delivery
		case name == ":token" && strings.Contains(path, "/pay/"):
			return h.PaymentLinks.Sign(h.asked)
		case name == ":token" && strings.Contains(path, "/door/"):
			return h.Doors.Links.Seal(h.waits)
		case name == ":token" && strings.Contains(path, "/with/"):
			return h.CompanionLinks.Seal(h.reservation)
		case name == ":token" && strings.Contains(path, "/coming/"):
			return h.ComingLinks.Seal(h.reservation)
		case name == ":token":
			return h.Offers.Sign(h.entry)
		case name == "*":
			return strings.TrimPrefix(static.URL("css/base.css"), "/static/")
		case strings.Contains(path, "/favourites/"):
			return strconv.FormatInt(h.restaurant.ID, 10)
		case strings.Contains(path, "/coupons/"):
			return strconv.FormatInt(h.campaign, 10)
		case strings.Contains(path, "/waitlist/"):
			return h.entry
		}
		return h.reservation
	})
}

// bodyOf returns what is read of a request before it is asked whose thing it is about.
func (h *house) bodyOf(route string) string {
	switch route {
	case "POST /api/reservations/:id/payment":
		return `{"kind": "deposit"}`
	case "POST /api/reservations/:id/offered-time":
		return `{"time": "20:00"}`
	case "POST /api/reservations/:id/quote", "PATCH /api/reservations/:id":
		return `{"partySize": 3}`
	case "PATCH /api/staff/restaurants/:restaurant/slots/:date/:time",
		"PATCH /api/staff/restaurants/:restaurant/days/:date":
		return `{"paused": false}`
	case "PUT /api/reservations/:id/review":
		return `{"stars": 5, "text": ""}`
	case "POST /api/staff/restaurants/:restaurant/guests/:guest/notes",
		"PUT /api/staff/reviews/:id/answer":
		return `{"text": "likes tea"}`
	case "PUT /api/staff/restaurants/:restaurant/guests/:guest/tags":
		return `{"tags": ["vip"]}`
	case "PATCH /api/staff/restaurants/:restaurant/members/:member":
		return `{"role": "manager"}`
	case "POST /api/staff/restaurants/:restaurant/invitations":
		return `{"email": "somebody@example.org", "role": "host"}`
	case "POST /staff/restaurants/:restaurant/days/:date/closing":
		return "reservations=cancel&message=" + strings.Repeat("x", 501) // it changes nothing
	case "PUT /api/staff/restaurants/:restaurant/days/:date/closing":
		return `{"reservations": "none"}` // it changes nothing
	case "POST /api/staff/restaurants/:restaurant/messages":
		return fmt.Sprintf(`{"text": "The kitchen is late.", "date": %q}`, h.slot.Date)
	case "POST /api/staff/restaurants/:restaurant/door":
		return `{"partySize": 2}`
	case "POST /staff/restaurants/:restaurant/door":
		return "party=2"
	case "PATCH /api/staff/restaurants/:restaurant/door/:party":
		return `{"state": "called"}`
	case "POST /staff/restaurants/:restaurant/messages":
		return "message=hello&date=" + string(h.slot.Date)
	case "POST /staff/restaurants/:restaurant/reviews/:review/answer":
		return "text=thanks"
	case "POST /staff/restaurants/:restaurant/team/members/:member/role":
		return "role=manager"
	case "POST /staff/restaurants/:restaurant/team/invitations":
		return "email=somebody@example.org&role=host"
	case "PUT /api/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats":
		return `{"seatIds": []}`
	case "POST /api/operator/restaurants/:id/unpublish":
		return `{"reason": ""}`
	case "PUT /api/staff/restaurants/:restaurant/stop":
		return `{"stopped": false}`
	case "PUT /api/staff/restaurants/:restaurant/stock/:date/:item":
		return `{"remaining": 5}`
	case "DELETE /api/staff/restaurants/:restaurant/slots/:date/:time/tickets/:ticket":
		return `{"reason": "a private evening"}`
	case "POST /staff/restaurants/:restaurant/menu/:date/:dish/step":
		return "step=unlimited"
	case "POST /staff/restaurants/:restaurant/menu/:date/:dish":
		return "portions=5"
	case "PATCH /api/staff/restaurants/:restaurant/webhooks/:webhook":
		return `{"description": "the till"}`
	case "POST /api/staff/restaurants/:restaurant/webhooks/:webhook/redelivery":
		return `{"since": "2026-01-01T00:00:00Z"}`
	case "POST /staff/restaurants/:restaurant/webhooks/:webhook/secret":
		return "rotations=0"
	case "POST /restaurants/:slug/waitlist":
		return fmt.Sprintf("date=%s&time=19:00&party=2", h.slot.Date)
	}
	return ""
}

// queryOf returns what a route asks for in its address.
func (h *house) queryOf(route string) string {
	at := func(time booking.TimeOfDay) string { return fmt.Sprintf("?date=%s&time=%s&party=2", h.slot.Date, time) }
	switch route {
	case "GET /invitation":
		return "?token=" + h.Team.Signer.Sign(h.invitation)
	case "GET /restaurants/:slug/waitlist", "GET /staff/restaurants/:restaurant/messages":
		return at("19:00")
	case "GET /restaurants/:slug/seats/events", "GET /api/restaurants/:id/seats":
		return at("18:00")
	}
	return ""
}

// byHarm orders routes so that what ends the diner's things comes last.
func byHarm(a, b string) int {
	harm := func(route string) int {
		switch {
		case strings.HasPrefix(route, "GET "):
			return 0
		case strings.HasPrefix(route, "DELETE "), strings.HasSuffix(route, "/leave"),
			strings.HasSuffix(route, "/cancel"):
			return 2
		}
		return 1
	}
	return cmp.Or(harm(a)-harm(b), strings.Compare(a, b))
}

// tryAll lets everybody try a route, and returns what is not as access says. The refused come first, since those who
// pass may change what there is.
func (h *house) tryAll(route string, who access) (faults []string) {
	h.t.Helper()
	method, path, _ := strings.Cut(route, " ")
	var refused, passing []visitor
	for _, v := range h.visitors {
		if who(v) == mayPass {
			passing = append(passing, v)
		} else {
			refused = append(refused, v)
		}
	}
	for _, v := range append(refused, passing...) {
		if got, answer := h.knock(v, method, h.address(path)+h.queryOf(route), h.bodyOf(route)); got != who(v) {
			faults = append(faults, fmt.Sprintf("%s %s, want %s\n%.200s", v.name, got, who(v), answer))
		}
	}
	return faults
}

// Every route is tried by everybody: nobody, the diner, another diner, other staff, and each role. A route for which no
// access is stated fails, so that a new one cannot be forgotten.
func TestRoutes_AdmitOnlyWhomTheyAreFor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	routes := h.Site.Routes()
	slices.SortFunc(routes, byHarm)
	if len(routes) < 80 {
		t.Fatalf("only %d routes are seen", len(routes))
	}
	dbtest.Eventually(t, "the diner is offered seats", func() bool {
		_, answer := h.knock(h.visitors[1], http.MethodGet, "/api/waitlist/"+h.entry, "")
		return strings.Contains(string(answer), `"offered"`)
	})
	for _, route := range routes {
		if strings.Contains(route, "/team/") || strings.Contains(route, "/members/") ||
			strings.Contains(route, "/invitations/") {
			h.restoreTeam()
		}
		if strings.Contains(route, "/:webhook") {
			h.restoreWebhook()
		}
		who, known := accessOf[route]
		if !known {
			t.Errorf("%s: nothing says who may pass", route)
			continue
		}
		for _, fault := range h.tryAll(route, who) {
			t.Errorf("%s: %s", route, fault)
		}
	}
	if faults := h.tryAll("GET /reservations/:id", account); len(faults) == 0 {
		t.Error("a route that finds nothing for others passes as one that is open to all accounts: nothing is seen")
	}
	for route := range accessOf {
		if !slices.Contains(routes, route) {
			t.Errorf("%s is no route", route)
		}
	}
}
