package webtest

import (
	"database/sql"
	"fmt"
	"net/url"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// change changes the database behind the server's back, where time would have to pass.
func (r *harness) change(t *testing.T, statement string, args ...any) {
	t.Helper()
	raw, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// expire ends a hold, some time ago.
func (r *harness) expire(t *testing.T, id string, ago time.Duration) {
	t.Helper()
	r.change(t, `UPDATE reservations SET hold_expires_at = now() - $2 * interval '1 second' WHERE id = $1`, id,
		ago.Seconds())
	if _, err := r.Stores.Reservations.ExpireHolds(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
}

var deposit = map[string]any{"kind": "deposit"}

func TestTerms_DepositFollowsThePartySize(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	place := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d", r.restaurant.ID)).want(t, 200, "")
	tiers := place.list(t, "deposits")
	if len(tiers) != 3 || tiers[0]["amount"] != 10_000.0 || tiers[1]["kind"] != "per_party" ||
		tiers[2]["fromParty"] != 7.0 {
		t.Errorf("deposits: %v", tiers)
	}
	for party, want := range map[int]int{1: 10_000, 3: 30_000, 4: 50_000, 6: 50_000, 7: 0} {
		who := r.diner(t, 100_000)
		slot := r.slot(booking.TimeOfDay(fmt.Sprintf("%02d:00", 10+party)))
		made := r.press(t, who, "key-1", "wait=10", r.requestFor(slot, party)).want(t, 201, "")
		if got := made.number(t, "depositAmount"); got != want {
			t.Errorf("a party of %d: %d, want %d", party, got, want)
		}
		paid := r.post(t, who, "/api/reservations/"+made.text(t, "id")+"/payment", "key-1", deposit).want(t, 200, "")
		if paid.text(t, "state") != "confirmed" || paid.number(t, "paidAmount") != want {
			t.Errorf("a party of %d: %s", party, paid.raw)
		}
	}
}

func TestTerms_AreFrozenInTheReservation(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	id := r.seat(t, r.diner(t, 0), r.slot("19:00"), 5)
	before, err := r.Stores.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	place := r.restaurant
	place.Policy, place.DepositTiers, place.HoldMinutes, place.ExtensionMinutes = booking.Policy{}, nil, 1, 0
	if _, err := r.Stores.Seeds.PutRestaurant(t.Context(), place, nil); err != nil {
		t.Fatal(err)
	}
	own := r.get(t, person{before.UserID, r.token(t, before.UserID)}, "/api/reservations/"+id).want(t, 200, "")
	terms, _ := own.json["terms"].(map[string]any)
	agreed, _ := terms["deposit"].(map[string]any)
	refunds, _ := terms["refunds"].([]any)
	if terms["holdMinutes"] != 7.0 || terms["extensionMinutes"] != 5.0 || agreed["kind"] != "per_party" ||
		len(refunds) != 1 {
		t.Errorf("the terms: %s", own.raw)
	}
}

func (r *harness) token(t *testing.T, userID string) string {
	t.Helper()
	token, _ := r.Identity.Sessions.Issue(userID)
	return token
}

func TestTerms_HoldIsProlongedOnce(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 100_000)
	id := r.seat(t, who, r.slot("19:00"), 2)
	path := "/api/reservations/" + id + "/extension"
	until := func(a answer) time.Time {
		at, err := time.Parse(time.RFC3339, a.text(t, "holdExpiresAt"))
		dbtest.Must(t, err)
		return at
	}
	before := until(r.get(t, who, "/api/reservations/"+id))
	r.post(t, person{}, path, "", nil).want(t, 401, "unauthenticated")
	r.post(t, r.diner(t, 0), path, "", nil).want(t, 404, "not_found")
	longer := r.post(t, who, path, "", nil).want(t, 200, "")
	if longer.json["extended"] != true || !until(longer).Equal(before.Add(5*time.Minute)) {
		t.Errorf("prolonged: %s", longer.raw)
	}
	r.post(t, who, path, "", nil).want(t, 409, "already_extended")
	r.post(t, who, "/api/reservations/"+id+"/payment", "key-1", deposit).want(t, 200, "")
	r.post(t, who, path, "", nil).want(t, 409, "already_paid")
	for _, unknown := range []string{"x", "0", "%01"} {
		r.post(t, who, "/api/reservations/"+unknown+"/extension", "", nil).want(t, 404, "not_found")
	}

	late := r.seat(t, who, r.slot("20:00"), 2)
	r.expire(t, late, time.Second)
	r.post(t, who, "/api/reservations/"+late+"/extension", "", nil).want(t, 409, "hold_expired")
	strict := r.seat(t, who, r.slot("21:00"), 2)
	r.change(t, `UPDATE reservations SET policy = policy - 'extensionMinutes' WHERE id = $1`, strict)
	r.post(t, who, "/api/reservations/"+strict+"/extension", "", nil).want(t, 409, "no_extension")
}

func TestTerms_RefundIsQuotedAndKept(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, id := r.confirm(t, r.slot("19:00"), 2)
	path := "/api/reservations/" + id
	quote := r.get(t, who, path+"/cancellation").want(t, 200, "")
	if quote.number(t, "refund") != 20_000 || quote.text(t, "state") != "refund_pending" {
		t.Errorf("the quote: %s", quote.raw)
	}
	r.get(t, r.diner(t, 0), path+"/cancellation").want(t, 404, "not_found")
	r.get(t, person{}, path+"/cancellation").want(t, 401, "unauthenticated")
	for _, nonsense := range []string{"-1", "all", "1e4", "99999999999999999999"} {
		r.delete(t, who, path+"?refund="+nonsense).want(t, 422, "invalid")
	}
	r.change(t, `UPDATE reservations SET policy = '{"tiers": [{"hoursBefore": 1, "percent": 30}]}'`)
	if less := r.delete(t, who, path+"?refund=20000").want(t, 409, "refund_changed"); less.number(t,
		"refund") != 6_000 {
		t.Errorf("less by now: %s", less.raw)
	}
	if still := r.get(t, who, path); still.text(t, "state") != "confirmed" {
		t.Errorf("afterwards: %s", still.raw)
	}
	r.delete(t, who, path+"?refund=6000").want(t, 200, "")
	r.get(t, who, path+"/cancellation").want(t, 409, "wrong_state")
}

func TestPay_LateTakesTheSeatsOrComesBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	lucky, unlucky := r.diner(t, 100_000), r.diner(t, 100_000)
	id := r.seat(t, lucky, slot, 2)
	r.expire(t, id, time.Second)
	if a := r.get(t, lucky, "/api/reservations/"+id); a.text(t, "state") != "expired" {
		t.Errorf("expired: %s", a.raw)
	}
	if paid := r.post(t, lucky, "/api/reservations/"+id+"/payment", "key-1", deposit).want(t, 200, ""); paid.text(t,
		"state") != "confirmed" {
		t.Errorf("a little late: %s", paid.raw)
	}

	gone := r.seat(t, unlucky, slot, 2)
	r.expire(t, gone, time.Second)
	r.confirm(t, slot, 8)
	for range 2 {
		r.post(t, unlucky, "/api/reservations/"+gone+"/payment", "key-1", deposit).want(t, 409, "payment_returned")
	}
	r.post(t, unlucky, "/api/reservations/"+gone+"/payment", "key-2", deposit).want(t, 409, "hold_expired")
	late := r.get(t, unlucky, "/api/reservations/"+gone)
	wallet := r.get(t, unlucky, "/api/wallet")
	if late.text(t, "state") != "expired" || late.number(t, "paidAmount") != 20_000 ||
		late.number(t, "refundAmount") != 20_000 ||
		wallet.number(t, "balance") != 100_000 || len(wallet.list(t, "entries")) != 3 {
		t.Errorf("too late: %s\n%s", late.raw, wallet.raw)
	}
	r.page(t, unlucky, views.ReservationURL(gone)).is(t, 200)

	forgotten := r.seat(t, unlucky, r.slot("20:00"), 2)
	r.expire(t, forgotten, booking.LatePayment+time.Second)
	r.post(t, unlucky, "/api/reservations/"+forgotten+"/payment", "key-3", deposit).want(t, 409, "hold_expired")
	if o := r.occupancy(t, slot); o.Held != 10 {
		t.Errorf("%d seats are held, want 10", o.Held)
	}
}

// Shortly after its confirmation a reservation is free to cancel: pages and programs say until when, and a diner who
// presses too late is asked again.
func TestTerms_FreeToCancelAfterConfirmation(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 100_000)
	id := r.seat(t, who, r.slot("19:00"), 2)
	r.change(t, `UPDATE reservations SET policy = '{"tiers": [], "freeCancelMinutes": 15}'`)
	r.page(t, who, views.PayURL(id)).is(t, 200).has(t, "확정 후 15분 안에 취소하면 전액 환불")
	path := "/api/reservations/" + id
	if hold := r.get(t, who, path); hold.json["confirmedAt"] != nil {
		t.Errorf("not confirmed yet: %s", hold.raw)
	}
	r.post(t, who, path+"/payment", "key-1", deposit).want(t, 200, "")
	own := r.get(t, who, path).want(t, 200, "")
	confirmed, err := time.Parse(time.RFC3339, own.text(t, "confirmedAt"))
	if terms, _ := own.json["terms"].(map[string]any); err != nil || terms["freeCancelMinutes"] != 15.0 {
		t.Errorf("%v in %s", err, own.raw)
	}
	until := confirmed.Add(15 * time.Minute)
	quote := r.get(t, who, path+"/cancellation").want(t, 200, "")
	if at, err := time.Parse(time.RFC3339, quote.text(t, "freeUntil")); err != nil || !at.Equal(until) ||
		quote.number(t, "refund") != 20_000 {
		t.Errorf("the quote: %s, want %v", quote.raw, until)
	}
	says := i18n.Time(i18n.Korean, until.In(r.restaurant.Location)) + "까지 취소하면 20,000원을 모두"
	for _, page := range []string{views.ReservationURL(id), views.CancelURL(id)} {
		r.page(t, who, page).is(t, 200).has(t, says)
	}
	r.change(t, `UPDATE reservations SET confirmed_at = confirmed_at - interval '16 minutes'`)
	r.send(t, who, views.CancelURL(id), url.Values{views.FieldRefund: {"20000"}}).is(t, 409).
		has(t, "돌려받는 금액이 바뀌었습니다").hasNot(t, "까지 취소하면")
	if late := r.get(t, who, path+"/cancellation"); late.number(t, "refund") != 0 || late.json["freeUntil"] != nil {
		t.Errorf("afterwards: %s", late.raw)
	}
	if still := r.get(t, who, path); still.text(t, "state") != "confirmed" {
		t.Errorf("afterwards: %s", still.raw)
	}
}
