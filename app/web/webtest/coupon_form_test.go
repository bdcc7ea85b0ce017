package webtest

import (
	"fmt"
	"html"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// bookingForm are the answers of the booking form for two.
func bookingForm(slot booking.SlotKey, key, couponID string) url.Values {
	return url.Values{"date": {string(slot.Date)}, "time": {string(slot.Time)}, "party": {"2"}, "coupon": {couponID},
		views.FieldIdempotencyKey: {key}}
}

var payLink = regexp.MustCompile(`action="(/reservations/[^"]+/pay)"`)

func TestCouponForm_ChoosesACoupon(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, slot := r.diner(t, 100_000), r.slot("19:00")
	id := r.campaign(t, "deposit", 5, time.Minute)
	other, _ := r.newRestaurant(t, "another")
	elsewhere := r.put(t, coupon.Campaign{Slug: "elsewhere", Use: coupon.ForDeposit, Amount: 1, Total: 5,
		RestaurantID: other.ID}, time.Minute)
	book, reserve := views.BookURL("damdam", r.start(t, slot), 2), views.ReserveURL("damdam")
	r.page(t, who, book).is(t, 200).hasNot(t, `name="coupon"`)
	r.give(t, id, who)
	r.give(t, elsewhere, who)
	dbtest.Eventually(t, "the coupon is offered", func() bool {
		return regexp.MustCompile(fmt.Sprintf(`name="coupon" value="%d"`, id)).Match(r.page(t, who, book).raw)
	})
	r.page(t, who, book).hasNot(t, fmt.Sprintf(`name="coupon" value="%d"`, elsewhere))

	chosen := fmt.Sprint(id)
	refresh := bookingForm(slot, "key-1", chosen)
	refresh.Set(views.FieldAction, views.ActionRefresh)
	r.send(t, who, reserve, refresh).is(t, 200).has(t, "쿠폰 (예약금)", "−5,000원", "15,000원")
	payment := r.send(t, who, reserve, bookingForm(slot, "key-1", chosen)).is(t, 303)
	payment.has(t, "쿠폰으로 예약금 5,000원을 덜었습니다.", "15,000원")
	pay := string(payLink.FindSubmatch(payment.raw)[1])
	paid := r.send(t, who, pay, url.Values{views.FieldIdempotencyKey: {"pay"}, views.FieldKind: {"deposit"}}).is(t, 303)
	paid.has(t, "예약이 확정되었습니다", "쿠폰 (예약금)", "−5,000원", "15,000원")
	paid.has(t, "쓴 쿠폰은 돌아옵니다.")
	r.page(t, who, "/coupons").has(t, "사용함", "담담반상 · ")
	r.page(t, r.staff(t, r.restaurant.ID), views.StaffSlotURL(r.restaurant.ID, r.start(t, slot))).has(t,
		"쿠폰 (예약금): −5,000원")
	dbtest.Eventually(t, "it is not offered again", func() bool {
		return !regexp.MustCompile(`name="coupon"`).Match(r.page(t, who, book).raw)
	})
	r.checkBooks(t)
}

func TestCouponForm_RefusalLeavesItToBeSentAgain(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, slot := r.diner(t, 100_000), r.slot("19:00")
	id := r.campaign(t, "deposit", 5, time.Minute)
	foreign := r.campaign(t, "foreign", 5, time.Minute)
	r.give(t, id, who)
	reserve := views.ReserveURL("damdam")
	for _, typed := range []string{"x", "-1", "0", "1.5", "1e3", "99999999999999999999", "<script>"} {
		a := r.send(t, who, reserve, bookingForm(slot, "key-"+typed, typed)).is(t, 422)
		a.has(t, "가지고 있지 않은 쿠폰입니다", `id="field-coupon"`)
		a.hasNot(t, "<script>")
	}
	for _, unknown := range []int64{foreign, foreign + 100} {
		a := r.send(t, who, reserve, bookingForm(slot, fmt.Sprint("key-", unknown), fmt.Sprint(unknown))).is(t, 409)
		a.has(t, "가지고 있지 않은 쿠폰입니다", fmt.Sprintf(`name="coupon" value="%d"`, id))
	}
	r.send(t, who, reserve, bookingForm(r.slot("12:00"), "early", fmt.Sprint(id))).is(t, 303)
	dbtest.Eventually(t, "the form says that the coupon is used", func() bool {
		a := r.send(t, who, reserve, bookingForm(slot, "late", fmt.Sprint(id)))
		return a.status == 409 && regexp.MustCompile("이미 다른 예약에 쓴 쿠폰입니다").Match(a.raw)
	})
	release := r.rival(t, slot)
	defer release()
	var waits answer
	dbtest.Eventually(t, "another press is another press", func() bool {
		waits = r.send(t, who, reserve, bookingForm(slot, "later", fmt.Sprint(id)))
		return waits.status == 303
	})
	ticket := regexp.MustCompile(`action="(/tickets/[^"]+)/leave"`).FindSubmatch(waits.raw)
	release()
	dbtest.Eventually(t, "the ticket says why", func() bool {
		return regexp.MustCompile("고른 쿠폰을 쓸 수 없습니다").Match(r.page(t, who, string(ticket[1])).raw)
	})
	if all, err := r.Bookings.List(t.Context(), who.id, keyset.Request{}); err != nil || len(all.Items) != 1 {
		t.Errorf("%d reservations, %v", len(all.Items), err)
	}
	r.checkBooks(t)
}

// A press whose session has ended returns the form with every answer, whether strangers book there or nobody does
// without an account, and leads to a sign-in that comes back to that time.
func TestBookingForm_OutlivesItsSession(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	form := bookingForm(slot, "key-1", "7")
	form.Set(views.FieldNote, "창가 자리")
	form.Set(views.FieldAllergies, "땅콩")
	form.Set(views.FieldSeat, fmt.Sprint(seats["T1"]))
	for _, c := range []struct {
		of     *harness
		status int
		who    int // fields of a person
	}{{r, 422, 1}, {r.realTwin(t), 401, 0}} {
		again := c.of.sendAsStranger(t, views.ReserveURL("salon"), form).is(t, c.status)
		again.has(t, "창가 자리</textarea>", "땅콩</textarea>", `type="hidden" name="coupon" value="7"`, "data-keeps-form",
			fmt.Sprintf(`value="%d" checked`, seats["T1"]),
			html.EscapeString(views.SignInURL(views.BookURL("salon", r.start(t, slot), 2))))
		if got := strings.Count(string(again.raw), `id="field-name"`); got != c.who {
			t.Errorf("%d fields ask for a name, want %d", got, c.who)
		}
		without := maps.Clone(form)
		without.Del(views.FieldTime)
		c.of.sendAsStranger(t, views.ReserveURL("salon"), without).is(t, c.status).
			has(t, html.EscapeString(views.SignInURL(views.RestaurantDayURL("salon", r.start(t, slot), 2))))
	}
}
