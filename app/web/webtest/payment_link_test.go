package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/app/payments"
	"lunchgo/app/program/programtest"
	"lunchgo/app/reserve"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// asked is what a host books for a caller who is asked for the deposit.
func asked(email string) map[string]any {
	return map[string]any{"payWithin": "3h", "email": email}
}

// askFor books for a caller who is asked for the deposit, and returns the reservation and the link of the letter.
func (r *harness) askFor(t *testing.T, host person, key string) (id, link string) {
	t.Helper()
	made := r.book(t, host, key, "wait=20", byPhone(r.slot("19:00"), 2, asked("kim@example.com"))).want(t, 201, "")
	if made.text(t, "state") != "temporary" || made.number(t, "depositAmount") != 20_000 {
		t.Fatalf("booked: %s", made.raw)
	}
	id = made.text(t, "id")
	return id, views.PaymentLinkURL(reserve.NewPaymentLinks(r.Setup.Config.Secrets).Sign(id))
}

func (r *harness) pressLink(t *testing.T, link string) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPost, path: link, headers: map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}})
}

// find reads a reservation.
func (r *harness) find(t *testing.T, id string) booking.Reservation {
	t.Helper()
	res, err := r.Stores.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	return res
}

// follow presses the link, and returns who that signs in.
func (r *harness) follow(t *testing.T, link, id string) person {
	t.Helper()
	a := r.pressLink(t, link).is(t, 303)
	if to := a.header.Get("Location"); to != views.PayURL(id) {
		t.Fatalf("the link leads to %s", to)
	}
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if cookie.Name == "session" {
			return person{id: r.find(t, id).UserID, token: cookie.Value}
		}
	}
	t.Fatal("nobody is signed in")
	return person{}
}

// lettersOf are the kinds of the letters to the guest of a reservation that are due, the oldest first.
func (r *harness) lettersOf(t *testing.T, id string) (kinds []mail.Kind) {
	t.Helper()
	notes, err := r.Stores.Mails.TakeMails(t.Context(), 50)
	dbtest.Must(t, err)
	for _, n := range notes {
		if n.Reservation.ID == id {
			kinds = append(kinds, n.Kind)
		}
	}
	return kinds
}

// A guest who called pays by the link of the letter, without an account: it is charged once, however often, and however
// many windows are paid. Until then the table is a hold, whose limits bind nobody; afterwards the link says nothing.
func TestPaymentLink_PaysOnce(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	host := r.staff(t, r.restaurant.ID)
	id, link := r.askFor(t, host, "key-1")
	another, _ := r.askFor(t, host, "key-2")
	if again, _ := r.askFor(t, host, "key-1"); again != id {
		t.Error("the same key books twice")
	}
	r.page(t, host, views.StaffReservationURL(id)).is(t, 200).has(t, "예약금 대기")
	r.page(t, person{}, link).is(t, 200).has(t, "예약금을 결제해 주세요", "20,000원", r.restaurant.Name.Ko).
		hasNot(t, "김하늘", "010-9876", "*-5432")
	r.page(t, host, link).is(t, 200).has(t, "다른 계정으로 로그인되어 있습니다")
	who := r.follow(t, link, id)
	r.page(t, who, views.ReservationURL(another)).is(t, 404)
	one, two := r.beginPay(t, who, id, "pay-1"), r.beginPay(t, who, id, "pay-2")
	if order := bank.order(one); order.Email != "kim@example.com" || order.Amount != 20_000 {
		t.Errorf("the order: %+v", order)
	}
	for _, payment := range []string{one, two} {
		bank.decide(payment, payments.StandAuthorised)
		for range 2 {
			r.report(t, "bank", payment, "the bank's").want(t, 200, "")
		}
	}
	dbtest.Eventually(t, "one payment is taken, and the other let go of", func() bool {
		first := r.get(t, who, "/api/payments/"+one).text(t, "state")
		second := r.get(t, who, "/api/payments/"+two).text(t, "state")
		return first == "paid" && second == "cancelled"
	})
	if res := r.find(t, id); res.State != "confirmed" || res.PaidAmount != 20_000 {
		t.Errorf("afterwards: %+v", res)
	}
	r.page(t, person{}, link).is(t, 409).has(t, "끝난 링크입니다").hasNot(t, r.restaurant.Name.Ko)
	r.pressLink(t, link).is(t, 409)
	if got := r.lettersOf(t, id); len(got) != 2 || got[1] != mail.Confirmed {
		t.Errorf("letters: %v", got)
	}
	r.balances(t)
}

// Whoever gets the letter can pay, and no more: once the account has another reservation the link leads to the sign-in.
func TestPaymentLink_OpensNoOtherReservation(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	id, link := r.askFor(t, r.staff(t, r.restaurant.ID), "key-1")
	r.follow(t, link, id)
	who := r.follow(t, link, id) // on another device
	r.seat(t, who, r.slot("20:00"), 1)
	again := r.pressLink(t, link).is(t, 303)
	if to := again.header.Get("Location"); to != views.SignInURL(views.PayURL(id)) {
		t.Errorf("the link leads to %s", to)
	}
	for _, cookie := range (&http.Response{Header: again.header}).Cookies() {
		if cookie.Name == "session" {
			t.Error("the link signs in to another reservation too")
		}
	}
}

// What staff hold for callers takes nothing from the share of a slot that diners without a confirmed address may hold.
func TestPaymentLink_TakesNoShareOfTheUnconfirmed(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host, stranger := r.staff(t, r.restaurant.ID), r.diner(t, 0)
	r.mustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, stranger.id)
	for _, key := range []string{"key-1", "key-2"} { // four of ten covers
		r.askFor(t, host, key)
	}
	r.press(t, stranger, "key-3", "wait=20", r.requestFor(r.slot("19:00"), 2)).want(t, 201, "")
}

// An address gets so many letters with payment links in a day, whoever books and whoever gives more time; a repeat does
// not count. What is refused changes nothing.
func TestPaymentLink_LettersToAnAddressAreBounded(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host := r.staff(t, r.restaurant.ID)
	id, _ := r.askFor(t, host, "key-0")
	most := identity.LinkPayment.LettersADay()
	for n := 1; n < most; n++ {
		r.mustExec(t, `UPDATE reservations SET state = 'cancelled' WHERE id <> $1 AND state = 'temporary'`, id)
		r.askFor(t, host, fmt.Sprintf("key-%d", n))
	}
	r.askFor(t, host, "key-0")
	refused := r.book(t, host, "key-more", "", byPhone(r.slot("20:00"), 2, asked("KIM@example.com"))).
		want(t, 429, "too_many_letters")
	if refused.header.Get("Retry-After") == "" {
		t.Error("nothing says when to come back")
	}
	r.patchGuest(t, host, id, map[string]any{"payWithin": "noon"}).want(t, 429, "too_many_letters")
	before := r.find(t, id)
	r.send(t, host, views.StaffPayByURL(id), url.Values{views.FieldPayWithin: {"noon"}}).is(t, 303).has(t, "메일")
	if after := r.find(t, id); !after.HoldExpiresAt.Equal(before.HoldExpiresAt) {
		t.Errorf("until %v, and then %v", before.HoldExpiresAt, after.HoldExpiresAt)
	}
	form := url.Values{views.FieldSource: {views.SourcePhone}, views.FieldDate: {string(r.day(1))},
		views.FieldTime:  {"20:00"},
		views.FieldParty: {"2"}, views.FieldName: {"김하늘"}, views.FieldPayWithin: {"3h"},
		views.FieldEmail: {"kim@example.com"}, views.FieldIdempotencyKey: {"key-form"}}
	path := views.StaffBookURL(r.restaurant.ID, r.start(t, r.slot("20:00")))
	r.send(t, host, path, form).is(t, 429).has(t, `value="kim@example.com"`)
	r.book(t, host, "key-other", "", byPhone(r.slot("20:00"), 2, asked("lee@example.com"))).want(t, 201, "")
}

// Nobody pays in time: the seats are given back, and a letter says so.
func TestPaymentLink_NotPaidInTime(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host := r.staff(t, r.restaurant.ID)
	id, link := r.askFor(t, host, "key-1")
	if got := r.lettersOf(t, id); len(got) != 1 || got[0] != mail.PaymentLink {
		t.Errorf("letters: %v", got)
	}
	r.expire(t, id, time.Minute)
	if o := r.occupancy(t, r.slot("19:00")); o.Held != 0 {
		t.Errorf("%d seats are held", o.Held)
	}
	if got := r.lettersOf(t, id); len(got) != 1 || got[0] != mail.Unpaid {
		t.Errorf("letters: %v", got)
	}
	r.page(t, person{}, link).is(t, 409).has(t, "끝난 링크입니다")
	r.page(t, host, views.StaffReservationURL(id)).is(t, 200).has(t, "결제하지 않아 자리를 풀었습니다")
	r.balances(t)
}

// Staff cancel, or confirm without the deposit, while the guest is in the payment window: nothing is charged.
func TestPaymentLink_StaffDecideWhileTheWindowIsOpen(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{"cancelled": "cancelled", "confirmed": "confirmed"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			r, bank := newBank(t)
			host := r.staff(t, r.restaurant.ID)
			id, link := r.askFor(t, host, "key-1")
			who := r.follow(t, link, id)
			payment := r.beginPay(t, who, id, "pay-1")
			manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
			r.patchGuest(t, manager, id, map[string]any{"state": state}).want(t, 200, "")
			bank.decide(payment, payments.StandAuthorised)
			r.report(t, "bank", payment, "the bank's").want(t, 200, "")
			dbtest.Eventually(t, "the bank lets go of it", func() bool {
				bank.mu.Lock()
				defer bank.mu.Unlock()
				return bank.stands[payment] == payments.StandCancelled
			})
			if res := r.find(t, id); string(res.State) != want || res.PaidAmount != 0 ||
				want == "confirmed" && res.DepositAmount != 0 {
				t.Errorf("afterwards: %+v", res)
			}
			r.page(t, person{}, link).is(t, 409)
			r.balances(t)
		})
	}
}

// Staff give more time, never beyond the start, and the guest hears of it; what is paid, over, or never was asked for
// is not theirs to decide about.
func TestPaymentLink_StaffGiveMoreTime(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host := r.staff(t, r.restaurant.ID)
	id, link := r.askFor(t, host, "key-1")
	who := r.follow(t, link, id)
	payment := r.beginPay(t, who, id, "pay-1")
	before := r.find(t, id).HoldExpiresAt
	later := r.patchGuest(t, host, id, map[string]any{"payWithin": "noon"}).want(t, 200, "")
	until := r.find(t, id).HoldExpiresAt
	if !until.After(before) || later.text(t, "state") != "temporary" {
		t.Errorf("from %v to %v: %s", before, until, later.raw)
	}
	if open := r.get(t, who, "/api/payments/"+payment).text(t, "expiresAt"); open != later.text(t, "holdExpiresAt") {
		t.Errorf("the window is open until %s: %s", open, later.raw)
	}
	if got := r.lettersOf(t, id); len(got) != 2 || got[1] != mail.PaymentLink {
		t.Errorf("letters: %v", got)
	}
	r.patchGuest(t, host, id, map[string]any{"payWithin": "1h"}).want(t, 422, "invalid")
	r.patchGuest(t, host, id, map[string]any{"payWithin": "noon"}).want(t, 422, "invalid") // hardly later: another letter
	r.patchGuest(t, host, id, map[string]any{"payWithin": "1y"}).want(t, 422, "invalid")
	r.patchGuest(t, host, id, map[string]any{"payWithin": "3h", "state": "confirmed"}).want(t, 400, "bad_request")
	r.send(t, host, views.StaffPayByURL(id), url.Values{views.FieldPayWithin: {"1h"}}).is(t, 303)
	r.send(t, host, views.StaffWaiveURL(id), url.Values{}).is(t, 303)
	if res := r.find(t, id); res.State != "confirmed" {
		t.Errorf("confirmed without: %+v", res)
	}
	r.patchGuest(t, host, id, map[string]any{"payWithin": "noon"}).want(t, 409, "wrong_state")
	r.page(t, person{}, link).is(t, 409)
	plain := r.book(t, host, "key-2", "wait=20", byPhone(r.slot("20:00"), 2, nil)).want(t, 201, "").text(t, "id")
	r.patchGuest(t, host, plain, map[string]any{"payWithin": "noon"}).want(t, 409, "wrong_state")
	r.balances(t)
}

// A link that nobody signed, that is of something else, or too old, finds nothing; nor does one of a reservation for
// which nobody was asked.
func TestPaymentLink_OfNothing(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host, secrets := r.staff(t, r.restaurant.ID), r.Setup.Config.Secrets
	id, link := r.askFor(t, host, "key-1")
	own := r.seat(t, r.diner(t, 0), r.slot("18:00"), 2)
	plain := r.book(t, host, "key-2", "wait=20", byPhone(r.slot("20:00"), 2, nil)).want(t, 201, "").text(t, "id")
	links, others := reserve.NewPaymentLinks(secrets), reserve.NewPaymentLinks(token.Secrets{"another installation's"})
	for name, path := range map[string]string{
		"no token": "/pay/x", "a changed one": link + "x", "an id": views.PaymentLinkURL(id),
		"another kind's":        views.PaymentLinkURL(reserve.NewOfferLinks(secrets).Sign(id)),
		"another's":             views.PaymentLinkURL(others.Sign(id)),
		"of a diner's":          views.PaymentLinkURL(links.Sign(own)),
		"of one that is free":   views.PaymentLinkURL(links.Sign(plain)),
		"of an unknown booking": views.PaymentLinkURL(links.Sign("unknown")),
	} {
		r.page(t, person{}, path).is(t, 404)
		if a := r.pressLink(t, path); a.status != 404 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	r.pressLink(t, link).is(t, 303)
}

// A deposit is asked for only where it can be: by letter, to an address, of who called, where one is due and can be
// paid.
func TestPaymentLink_RefusedAtTheForm(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host := r.staff(t, r.restaurant.ID)
	refused := func(r *harness, host person, field string, party int, with map[string]any) {
		t.Helper()
		a := r.book(t, host, "key-"+field, "wait=20", byPhone(r.slot("19:00"), party, with)).want(t, 422, "invalid")
		if got := a.list(t, "fields")[0]["name"]; got != field {
			t.Errorf("%v: %s", with, a.raw)
		}
	}
	refused(r, host, "email", 2, asked(""))
	refused(r, host, "email", 2, asked("kim"))
	refused(r, host, "payWithin", 2, map[string]any{"payWithin": "1y", "email": "kim@example.com"})
	refused(r, host, "payWithin", 2, map[string]any{"payWithin": "3h", "email": "kim@example.com", "source": "walk_in"})
	form := url.Values{views.FieldSource: {views.SourcePhone}, views.FieldDate: {string(r.day(1))},
		views.FieldTime: {"19:00"}, views.FieldParty: {"2"}, views.FieldName: {"김하늘"},
		views.FieldPayWithin: {"3h"}, views.FieldIdempotencyKey: {"form-1"}}
	page, _, _ := strings.Cut(views.StaffBookURL(r.restaurant.ID, time.Time{}), "?")
	r.send(t, host, page, form).is(t, 422).has(t, "이메일 주소를 확인해 주세요.")
	if o := r.occupancy(t, r.slot("19:00")); o.Held != 0 {
		t.Errorf("%d seats are held", o.Held)
	}

	for _, where := range []struct {
		setup programtest.Setup
		says  string
	}{
		{programtest.Setup{}, "카드로 결제할 수 없어"},
		{programtest.Setup{NoDemo: true}, "메일을 보내지 않아"},
	} {
		r := newHarnessWith(t, where.setup)
		host := r.staff(t, r.restaurant.ID)
		refused(r, host, "payWithin", 2, asked("kim@example.com"))
		r.page(t, host, page+"?"+views.FieldSource+"="+views.SourcePhone).is(t, 200).has(t, where.says)
	}
}

// The guest's copy of their data has what they were asked for, and deleting the account takes name and number out of
// the reservation.
func TestPaymentLink_DataOfTheGuest(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	host := r.staff(t, r.restaurant.ID)
	id, link := r.askFor(t, host, "key-1")
	who := r.follow(t, link, id)
	var export strings.Builder
	dbtest.Must(t, r.Stores.Users.Export(t.Context(), who.id, &export))
	for _, want := range []string{"kim@example.com", "김하늘", "010-9876-5432", "payment_link", id} {
		if !strings.Contains(export.String(), want) {
			t.Errorf("the copy lacks %s", want)
		}
	}
	r.expire(t, id, time.Minute)
	ended := identity.EndedSessions{UserID: who.id, Until: time.Now()}
	if _, err := r.Stores.Users.DeleteAccount(t.Context(), ended); err != nil {
		t.Fatal(err)
	}
	if left := r.occurrences(t, "010-9876-5432"); len(left) > 0 {
		t.Errorf("the number is left in %v", left)
	}
	g, err := r.Stores.Reservations.FindGuest(t.Context(), id)
	if err != nil || g.Name != "" || g.Phone != "" {
		t.Errorf("after the account: %q %q, %v", g.Name, g.Phone, err)
	}
	r.page(t, host, views.StaffReservationURL(id)).is(t, 200).hasNot(t, "김하늘", "010-9876-5432")
	r.page(t, person{}, link).is(t, 409)
}

// Who presses links over and over is stopped for a while.
func TestPaymentLink_Limited(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	_, link := r.askFor(t, r.staff(t, r.restaurant.ID), "key-1")
	for n := range 200 {
		if a := r.pressLink(t, link); a.status == 429 {
			if a.header.Get("Retry-After") == "" {
				t.Error("nothing says when to come back")
			}
			return
		} else if a.status != 303 {
			t.Fatalf("press %d: %d", n, a.status)
		}
	}
	t.Error("nothing limits it")
}
