package webtest

import (
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// realTwin is a second server of the same installation after it has ceased to be a demo.
func (r *harness) realTwin(t *testing.T) *harness {
	t.Helper()
	setup := r.Setup
	setup.NoDemo = true
	second := &harness{restaurant: r.restaurant, menu: r.menu}
	second.serve(t, setup)
	return second
}

// addVisitor stores an account of the demo with the public password.
func (r *harness) addVisitor(t *testing.T) (email string, id string) {
	t.Helper()
	hash, err := r.Hasher.Hash(t.Context(), seed.DemoPassword)
	dbtest.Must(t, err)
	u := identity.User{ID: "visitor-" + strings.ToLower(r.Setup.Config.Prefix), Email: seed.StaffEmail, Name: "이담",
		Phone: "010-2000-0003", PasswordHash: hash}
	dbtest.Must(t, r.Stores.Seeds.AddDemoUser(t.Context(), u))
	return u.Email, u.ID
}

// While an installation is a demo its accounts sign in by their public passwords. Once it is none they do not, and
// neither do the sessions that they have, at its pages, its API and its staff's pages.
func TestDemo_AccountsEndWithIt(t *testing.T) {
	t.Parallel()
	demo := newHarness(t)
	email, id := demo.addVisitor(t)
	demo.addStaff(t, person{id: id}, demo.restaurant.ID, identity.RoleOwner)
	signIn := func(r *harness) answer {
		return r.post(t, person{}, "/api/sessions", "", map[string]any{"email": email, "password": seed.DemoPassword})
	}
	visitor := person{id: id, token: signIn(demo).want(t, 200, "").text(t, "token")}
	other := demo.diner(t, 0)
	staffPage := views.StaffBoardURL(demo.restaurant.ID, demo.start(t, demo.slot("19:00")))
	demo.get(t, visitor, "/api/wallet").want(t, 200, "")
	demo.page(t, visitor, staffPage).want(t, 200, "")

	r := demo.realTwin(t)
	signIn(r).want(t, 401, "wrong_password")
	r.get(t, visitor, "/api/wallet").want(t, 401, "unauthenticated")
	if page := r.page(t, visitor, staffPage); page.status != 303 { // to the sign-in
		t.Errorf("the staff's page: %d", page.status)
	}
	r.press(t, visitor, "key-1", "wait=5", r.requestFor(r.slot("19:00"), 2)).want(t, 401, "unauthenticated")
	r.get(t, other, "/api/wallet").want(t, 200, "") // who is no account of the demo stays signed in
	fresh, _ := r.Identity.Sessions.Issue(id)       // whatever else may sign somebody in
	r.get(t, person{id: id, token: fresh}, "/api/wallet").want(t, 401, "unauthenticated")
	signIn(demo).want(t, 200, "") // the control: the same account, the same password
}

// Without a payment provider, wallets are filled by play money in a demo, which says so, and by refunds alone
// elsewhere.
func TestWallet_ChargedWithPlayMoneyOnlyInADemo(t *testing.T) {
	t.Parallel()
	demo := newHarness(t)
	who := demo.diner(t, 0)
	demo.page(t, who, views.WalletURL()).has(t, views.ChargeURL(), "체험용 가상 금액")

	r := demo.realTwin(t)
	r.post(t, who, "/api/wallet/charges", "key-1", map[string]any{"amount": 50_000}).want(t, 403, "demo_only")
	form := url.Values{views.FieldAmount: {"50000"}, views.FieldIdempotencyKey: {"key-2"}}
	if a := r.send(t, who, views.ChargeURL(), form); a.status != 403 {
		t.Errorf("the form: %d", a.status)
	}
	if wallet := r.get(t, who, "/api/wallet").want(t, 200, ""); wallet.number(t, "balance") != 0 {
		t.Errorf("the wallet: %s", wallet.raw)
	}
	page := r.page(t, who, views.WalletURL())
	page.has(t, "결제 수단이 연결되어 있지 않아")
	page.hasNot(t, views.ChargeURL())
	demo.send(t, who, views.ChargeURL(), form).want(t, 303, "") // the control
}

// Who cannot pay a deposit reads so before and after the press, with what else to do; what comes back from a
// reservation pays the next one.
func TestPayment_HonestWhereNobodyCanTopUp(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{NoDemo: true})
	newcomer := r.diner(t, 0)
	slot := r.slot("19:00")
	book := views.BookURL(r.restaurant.Slug, r.start(t, slot), 2)
	r.page(t, newcomer, book).has(t, "온라인 결제가 없어")
	id := r.seat(t, newcomer, slot, 2)
	page := r.page(t, newcomer, views.PayURL(id))
	page.has(t, "온라인 결제가 준비되어 있지 않습니다", "20,000원이 모자라는데")
	page.hasNot(t, views.ChargeURL())
	r.post(t, newcomer, "/api/reservations/"+id+"/payment", "key-1", map[string]any{"kind": "deposit"}).
		want(t, 402, "balance_too_low")

	guest, paid := r.confirm(t, slot, 2) // from a wallet that the operator's command filled
	r.page(t, guest, book).hasNot(t, "온라인 결제가 없어")
	r.delete(t, guest, "/api/reservations/"+paid).want(t, 200, "")
	dbtest.Eventually(t, "the refund has come", func() bool {
		if _, err := r.Stores.Reservations.SettleRefunds(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
		account, err := r.Stores.Wallets.Find(t.Context(), guest.id)
		return err == nil && account.Balance == 1_000_000
	})
	again := r.seat(t, guest, r.slot("20:00"), 2)
	r.post(t, guest, "/api/reservations/"+again+"/payment", "key-2", map[string]any{"kind": "deposit"}).want(t, 200, "")
	r.post(t, guest, "/api/wallet/withdrawals", "key-3", map[string]any{"amount": 1_000}).want(t, 201, "")
}
