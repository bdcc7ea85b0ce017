package webtest

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/views"
)

// introduced is somebody who books at once by name and the address of a member.
func (r *harness) introduced(t *testing.T, email string) person {
	t.Helper()
	token, session, err := r.People.Introduce(t.Context(),
		identity.SignUp{Email: email, Name: "하늘", Phone: "010-2222-3333"}, rand.Text())
	if err != nil {
		t.Fatal(err)
	}
	return person{session.UserID, token}
}

// confirmed sets whether letters to a member's address have arrived.
func (r *harness) confirmed(t *testing.T, who person, is bool) {
	t.Helper()
	r.mustExec(t, `UPDATE users SET email_confirmed_at = CASE WHEN $2 THEN now() END WHERE id = $1`, who.id, is)
}

// owned is what belongs to a provisional account, and the member of the same address.
type owned struct {
	owner       member
	provisional person
	hold        string // id of a reservation
	ticket      string // of a line that stands
}

// owning makes both; the provisional account has a hold, and waits in the line of another slot.
func (r *harness) owning(t *testing.T, balance int64) owned {
	t.Helper()
	o := owned{owner: r.member(t, balance)}
	o.provisional = r.introduced(t, o.owner.email)
	o.hold = r.seat(t, o.provisional, r.slot("19:00"), 2)
	r.rival(t, r.slot("12:00"))
	o.ticket = r.queued(t, o.provisional, r.slot("12:00"), 2)
	return o
}

// reads are all that a diner can read of what the provisional account has.
func (o owned) reads() []string {
	api := "/api/reservations/" + o.hold
	return []string{api, api + "/cancellation", api + "/changes", "/api/tickets/" + o.ticket,
		"/api/tickets/" + o.ticket + "/receipt", views.ReservationURL(o.hold), views.PayURL(o.hold),
		views.CancelURL(o.hold), views.ChangeURL(o.hold), views.PassURL(o.hold),
		views.TicketURL(o.ticket), views.TicketURL(o.ticket) + "/receipt"}
}

// acts are all that a diner can do with it over the API.
func (o owned) acts() []call {
	api := "/api/reservations/" + o.hold
	return []call{
		{method: http.MethodPost, path: api + "/extension"},
		{method: http.MethodPost, path: api + "/quote", body: map[string]any{"partySize": 3}},
		{method: http.MethodPatch, path: api, body: map[string]any{"partySize": 1}},
		{method: http.MethodPost, path: api + "/payment", body: map[string]any{"kind": "deposit"}},
		{method: http.MethodDelete, path: "/api/tickets/" + o.ticket},
		{method: http.MethodDelete, path: api},
	}
}

// refunded pays the due refunds out, and fails unless a wallet has so much then.
func (r *harness) refunded(t *testing.T, who person, want int) {
	t.Helper()
	if _, err := r.Reservations.SettleRefunds(t.Context(), 50); err != nil {
		t.Fatal(err)
	}
	if got := r.balance(t, who); got != want {
		t.Errorf("%d won in the wallet, want %d", got, want)
	}
}

func (r *harness) act(t *testing.T, who person, c call) answer {
	t.Helper()
	c.as, c.headers = who, map[string]string{"Prefer": "wait=20"}
	if strings.HasSuffix(c.path, "/payment") || c.method == http.MethodPatch {
		c.headers["Idempotency-Key"] = rand.Text()
	}
	return r.do(t, c)
}

// Whoever has an address's account but has not confirmed the address finds nothing of what others have booked by it, nor
// does anybody else. Once it is confirmed all of it is there: to read, to extend, to change, to pay, to cancel.
func TestOwner_HasWhatBelongsToTheAddress(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 100_000)
	other := r.introduced(t, o.owner.email)
	r.confirmed(t, o.owner.person, false)
	for _, stranger := range []person{o.owner.person, other, r.diner(t, 100_000)} {
		for _, path := range o.reads() {
			r.page(t, stranger, path).is(t, 404)
		}
		for _, act := range o.acts() {
			r.act(t, stranger, act).is(t, 404)
		}
		for _, path := range []string{"/api/reservations", views.ReservationsURL()} {
			r.page(t, stranger, path).is(t, 200).hasNot(t, o.hold, "담담반상")
		}
	}

	r.confirmed(t, o.owner.person, true)
	for _, path := range o.reads() {
		r.page(t, o.owner.person, path).is(t, 200)
	}
	r.page(t, o.owner.person, "/api/reservations").is(t, 200).has(t, o.hold)
	r.page(t, o.owner.person, views.ReservationsURL()).is(t, 200).has(t, views.ReservationURL(o.hold), "/tickets/")
	for _, act := range o.acts() {
		if a := r.act(t, o.owner.person, act); a.status >= 300 {
			t.Errorf("%s %s: %d %s", act.method, act.path, a.status, a.raw)
		}
	}
	if res := r.find(t, o.hold); res.State != booking.RefundPending && res.State != booking.Refunded ||
		res.UserID != o.provisional.id || !res.Extended || res.PartySize != 1 {
		t.Errorf("afterwards: %+v", res)
	}
	r.refunded(t, o.owner.person, 100_000)
	r.balances(t)
}

// The provisional account owns nothing of the member's, nor of another one of its address.
func TestOwner_IsNoProvisionalAccount(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 0)
	theirs := r.seat(t, o.owner.person, r.slot("20:00"), 2)
	r.confirmed(t, o.provisional, true) // by a letter, as who pays by a link does
	another := r.introduced(t, o.owner.email)
	second := r.seat(t, another, r.slot("20:00"), 1)
	for _, id := range []string{theirs, second} {
		r.get(t, o.provisional, "/api/reservations/"+id).want(t, 404, "not_found")
		r.page(t, o.provisional, views.ReservationsURL()).is(t, 200).hasNot(t, id)
	}
	r.get(t, o.owner.person, "/api/reservations/"+second).want(t, 200, "")
	// A member who moves to another address leaves what was booked by the old one.
	r.mustExec(t, `UPDATE users SET email = 'moved@example.org' WHERE id = $1`, o.owner.id)
	r.get(t, o.owner.person, "/api/reservations/"+second).want(t, 404, "not_found")
	r.get(t, o.owner.person, "/api/reservations/"+theirs).want(t, 200, "")
}

// The pages do what the API does: the owner extends, pays and cancels, and the wallet of the owner says so.
func TestOwner_ByPages(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 50_000)
	owner := o.owner.person
	r.send(t, owner, views.ExtendURL(o.hold), url.Values{}).is(t, 303)
	r.page(t, owner, views.PayURL(o.hold)).is(t, 200).has(t, "50,000원", "20,000원")
	r.send(t, owner, views.PayURL(o.hold), url.Values{views.FieldKind: {views.KindDeposit}, views.QuotedField("deposit"): {"20000"},
		views.FieldIdempotencyKey: {rand.Text()}}).is(t, 303)
	if res := r.find(t, o.hold); res.State != booking.Confirmed || res.Wallet() != owner.id {
		t.Errorf("paid: %+v", res)
	}
	r.page(t, owner, views.CalendarURL(o.hold)).is(t, 200).has(t, "BEGIN:VCALENDAR")
	r.page(t, owner, views.WalletURL()).is(t, 200).has(t, "30,000원", "담담반상")
	r.page(t, o.provisional, views.ReservationURL(o.hold)).is(t, 200) // whoever booked it sees it still
	r.send(t, owner, views.LeaveTicketURL(o.ticket), url.Values{}).is(t, 303)
	r.send(t, owner, views.CancelURL(o.hold), url.Values{views.FieldRefund: {"20000"}}).is(t, 303)
	r.refunded(t, owner, 50_000)
	r.balances(t)
}

// A place in a line is the owner's too: the list of reservations brings it into the strip of places of this browser,
// whose stream follows it, and so does a place that waits for a change.
func TestOwner_SeesTheirPlacesInLines(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 0)
	r.confirmed(t, o.provisional, true)
	changing := r.do(t, call{method: http.MethodPatch, path: "/api/reservations/" + o.hold, as: o.owner.person,
		body:    map[string]any{"time": "12:00"},
		headers: map[string]string{"Prefer": "respond-async", "Idempotency-Key": rand.Text()}})
	if changing.status == http.StatusAccepted {
		t.Errorf("a change to a slot for which the account waits: %s", changing.raw)
	}
	r.rival(t, r.slot("13:00"))
	waits := r.do(t, call{method: http.MethodPatch, path: "/api/reservations/" + o.hold, as: o.owner.person,
		body:    map[string]any{"time": "13:00"},
		headers: map[string]string{"Prefer": "respond-async", "Idempotency-Key": rand.Text()}}).want(t, 202, "")
	ticket := waits.text(t, "ticket")
	list := r.page(t, o.owner.person, views.ReservationsURL()).is(t, 200)
	hints := ""
	for _, cookie := range (&http.Response{Header: list.header}).Cookies() {
		hints += "; " + cookie.Name + "=" + cookie.Value
	}
	if strings.Count(string(list.raw), `href="/tickets/`) < 2 {
		t.Errorf("the list shows not both places: %s", list.raw)
	}
	bar := func(who person) answer {
		return r.do(t, call{method: http.MethodGet, path: views.HomeURL(),
			headers: map[string]string{"Cookie": "session=" + who.token + hints}}).is(t, 200)
	}
	bar(o.owner.person).has(t, views.WaitsEventsURL(), "담담반상")
	bar(r.diner(t, 0)).hasNot(t, views.WaitsEventsURL())
	r.get(t, o.owner.person, "/api/tickets/"+ticket).want(t, 200, "")
	r.get(t, o.provisional, "/api/tickets/"+ticket).want(t, 200, "")
	r.delete(t, o.owner.person, "/api/tickets/"+ticket).want(t, 204, "")
}

// The copy of what is stored of a person has what was booked by their address once they have confirmed it.
func TestOwner_ExportHasIt(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 0)
	r.confirmed(t, o.owner.person, false)
	r.get(t, o.owner.person, "/api/account/export").is(t, 200).hasNot(t, o.hold, "010-2222-3333")
	r.confirmed(t, o.owner.person, true)
	r.get(t, o.owner.person, "/api/account/export").is(t, 200).has(t, o.hold, "010-2222-3333")
	r.get(t, o.provisional, "/api/account/export").is(t, 200).has(t, o.hold).hasNot(t, o.owner.id, o.owner.phone)
}

// With an account go those that were made by its address and hold nothing; of those that hold something nobody else's
// table is lost.
func TestOwner_DeletesWhatHoldsNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 0)
	idle := r.introduced(t, o.owner.email)
	remove := func() answer {
		return r.call(t, o.owner.person, "DELETE", "/api/account", map[string]any{"password": knownPassword})
	}
	r.confirmed(t, o.owner.person, false)
	unconfirmed := r.introduced(t, "somebody.else@example.org")
	r.confirmed(t, o.owner.person, true)
	remove().want(t, 204, "")
	exists := func(who person) bool {
		_, err := r.Users.FindUser(t.Context(), who.id)
		return err == nil
	}
	if exists(idle) || !exists(o.provisional) || !exists(unconfirmed) {
		t.Errorf("idle %v, with a hold %v, of another address %v", exists(idle), exists(o.provisional), exists(unconfirmed))
	}
	if res := r.find(t, o.hold); res.State != booking.Temporary {
		t.Errorf("the hold: %+v", res)
	}
	r.balances(t)
}

// A payment link that was passed on opens nothing else: whoever follows it owns no other account of the address, until
// they sign in by it.
func TestOwner_IsNotWhoHasAPaymentLink(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host := r.staff(t, r.restaurant.ID)
	id, link := r.askFor(t, host, "key-1")
	another, _ := r.askFor(t, host, "key-2")
	who := r.follow(t, link, id)
	r.get(t, who, "/api/reservations/"+another).want(t, 404, "not_found")
	r.page(t, who, views.ReservationsURL()).is(t, 200).has(t, id).hasNot(t, another)
	if err := r.People.SendSignInLink(t.Context(), "kim@example.com"); err != nil {
		t.Fatal(err)
	}
	for _, token := range r.links(t, who) {
		if _, _, err := r.People.SignInByLink(t.Context(), token); err == nil {
			break
		}
	}
	r.get(t, who, "/api/reservations/"+another).want(t, 200, "")
}

// Who is signed in to the account of the address follows the link of a letter as themselves, and finds the reservation
// among theirs afterwards.
func TestOwner_FollowsThePaymentLink(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	id, link := r.askFor(t, r.staff(t, r.restaurant.ID), "key-1")
	owner := r.diner(t, 20_000)
	r.mustExec(t, `UPDATE users SET email = 'kim@example.com' WHERE id = $1`, owner.id)
	r.confirmed(t, owner, false)
	r.page(t, owner, link).is(t, 200).has(t, "다른 계정으로 로그인되어 있습니다")
	r.confirmed(t, owner, true)
	r.page(t, owner, link).is(t, 200).hasNot(t, "다른 계정으로 로그인되어 있습니다")
	r.send(t, owner, link, url.Values{}).is(t, 303).has(t, "20,000원")
	r.post(t, owner, "/api/reservations/"+id+"/payment", "pay-1", map[string]any{"kind": "deposit"}).want(t, 200, "")
	r.page(t, owner, views.ReservationsURL()).is(t, 200).has(t, views.ReservationURL(id))
	r.balances(t)
}
