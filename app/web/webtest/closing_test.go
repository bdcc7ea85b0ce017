package webtest

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/closing"
	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// closingOf is the address of a day's closing for programs.
func (r *harness) closingOf(slot booking.SlotKey) string {
	return fmt.Sprintf("/api/staff/restaurants/%d/days/%s/closing", r.restaurant.ID, slot.Date)
}

// A manager closes a day and cancels all of its reservations in one go: everything comes back, each guest reads why,
// nobody gets the seats that come free, and a repeat changes nothing. Other days stay.
func TestClosing_CancelsAllOfADay(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, other := r.slot("19:00"), r.slot("19:00")
	other.Date = other.Date.AddDays(1)
	who, id := r.confirm(t, slot, 2)
	_, late := r.confirm(t, r.slot("20:00"), 3)
	_, stays := r.confirm(t, other, 2)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	phoned := r.book(t, manager, "key-0", "wait=20", byPhone(slot, 3, nil)).want(t, 201, "").text(t, "id")
	page := views.StaffClosingURL(r.restaurant.ID, respond.Midnight(slot.Date, r.restaurant.Location))
	host := r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	r.get(t, host, r.closingOf(slot)).want(t, 403, "forbidden")
	r.page(t, host, page).is(t, 403)
	before := r.get(t, manager, r.closingOf(slot)).want(t, 200, "")
	if before.number(t, "coming") != 3 || before.number(t, "money") != 50_000 || before.json["closed"] == true {
		t.Errorf("before: %s", before.raw)
	}
	r.page(t, manager, page).is(t, 200).has(t, "예약 3건", "010-9876-5432", "50,000원", `value="cancel"`,
		"예약 3건 취소 · 50,000원 환불")

	form := url.Values{views.FieldReason: {"내부 수리"}, views.FieldReservations: {views.ReservationsCancel},
		views.FieldMessage: {"죄송합니다. <다음에> 뵙겠습니다."}, views.FieldConfirmed: {id + "," + late + ",GONE"}}
	r.send(t, manager, page, form).is(t, 409).has(t, "예약이 더 들어왔습니다", "내부 수리")
	r.do(t, call{method: "PUT", path: r.closingOf(slot), as: manager, body: map[string]any{"reservations": "cancel",
		"reservationIds": []string{id, late, "GONE"}}}).want(t, 409, "changed_meanwhile")
	if o := r.occupancy(t, slot); o.Closed || r.audited(t, "reservation.cancelled") != 0 {
		t.Errorf("a day of which not all were named: %+v", o)
	}
	form.Set(views.FieldConfirmed, strings.Join([]string{id, late, phoned}, ","))
	for range 2 {
		r.send(t, manager, page, form).is(t, 303).has(t, "예약 3건을 취소했습니다.", "이날 오시는 손님이 없습니다.")
	}
	for range 2 {
		closed := r.do(t, call{method: "PUT", path: r.closingOf(slot), as: manager,
			body: map[string]any{"reservations": "cancel", "reason": "내부 수리"}}).want(t, 200, "")
		if closed.number(t, "done") != 3 || closed.number(t, "coming")+closed.number(t, "failed")+closed.number(t,
			"pending") != 0 ||
			closed.json["closed"] != true {
			t.Errorf("closed: %s", closed.raw)
		}
	}
	for _, gone := range []string{id, late} {
		res, err := r.Stores.Reservations.Find(t.Context(), gone)
		if err != nil || res.State.IsConfirmed() || res.RefundAmount != res.PaidAmount ||
			res.CancelReason != "죄송합니다. <다음에> 뵙겠습니다." {
			t.Errorf("cancelled: %+v, %v", res, err)
		}
	}
	if res, err := r.Stores.Reservations.Find(t.Context(), stays); err != nil || !res.State.IsConfirmed() {
		t.Errorf("the other day's is %s, %v", res.State, err)
	}
	if n := r.audited(t, "reservation.cancelled"); n != 3 {
		t.Errorf("%d cancellations are written down, want 3", n)
	}
	if o := r.occupancy(t, slot); !o.Closed || o.Reason != "내부 수리" {
		t.Errorf("the slot: %+v", o)
	}
	r.press(t, who, "key-again", "wait=20", r.requestFor(slot, 2)).want(t, 422, "invalid")
	r.balances(t)
}

// A host closes some slots of an evening: the form names who comes in them and nobody else, cancels those alone in one go,
// and the day stays open. A reservation that moves to an open slot before its cancellation is made stays.
func TestClosing_OfSomeSlots(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, first, second, later := r.staff(t, r.restaurant.ID), r.slot("18:00"), r.slot("19:00"), r.slot("20:00")
	_, id := r.confirm(t, first, 2)
	_, other := r.confirm(t, second, 3)
	_, stays := r.confirm(t, later, 2)
	page := views.StaffSlotClosingURL(r.restaurant.ID, r.start(t, first), string(second.Time))
	r.page(t, host, page).is(t, 200).has(t, "예약 2건", "오후 6:00", "이 시간 닫기", "예약 2건 취소 · ",
		views.StaffReservationURL(id), views.StaffReservationURL(other)).hasNot(t, views.StaffReservationURL(stays))
	form := url.Values{views.FieldReason: {"정전"}, views.FieldReservations: {views.ReservationsCancel},
		views.FieldConfirmed: {id}}
	r.send(t, host, page, form).is(t, 409).has(t, "예약이 더 들어왔습니다")
	if o := r.occupancy(t, first); o.Closed {
		t.Error("a slot of which not all were named is closed")
	}
	form.Set(views.FieldConfirmed, strings.Join([]string{id, other, stays}, ",")) // the last is in none of the slots
	r.send(t, host, page, form).is(t, 303).has(t, "예약 2건을 취소했습니다.", "이 시간에 오시는 손님이 없습니다.")
	for gone, want := range map[string]bool{id: false, other: false, stays: true} { // in any order
		if res, err := r.Stores.Reservations.Find(t.Context(), gone); err != nil || res.State.IsConfirmed() != want {
			t.Errorf("%s is %s, %v", gone, res.State, err)
		}
	}
	for slot, want := range map[booking.SlotKey]bool{first: true, second: true, later: false} { // in any order
		if o := r.occupancy(t, slot); o.Closed != want {
			t.Errorf("%s: %+v", slot.Time, o)
		}
	}
	api := fmt.Sprintf("/api/staff/restaurants/%d/slots/%s/20:00/closing", r.restaurant.ID, first.Date)
	if now := r.get(t, host, api).want(t, 200, ""); now.number(t, "coming") != 1 || now.json["closed"] == true {
		t.Errorf("the slot that is open: %s", now.raw)
	}
	dbtest.Must(t, r.Stores.Closings.Note(t.Context(), closing.Order{RestaurantID: first.RestaurantID,
		Hours:   closing.Hours{Date: later.Date, First: later.Time, Last: later.Time},
		StaffID: host.id, Reason: "fire", Named: []string{stays}, Now: r.now()}))
	if tasks, err := r.Stores.Closings.Take(t.Context(), 0, r.now(), 10); err != nil || len(tasks) != 0 {
		t.Errorf("taken of an open slot: %+v, %v", tasks, err)
	}
	r.do(t, call{method: "PUT", path: api + "?last=21:00", as: host,
		body: map[string]any{"reservations": "cancel"}}).want(t, 200, "")
	if res, err := r.Stores.Reservations.Find(t.Context(), stays); err != nil || res.State.IsConfirmed() {
		t.Errorf("it is %s, %v", res.State, err)
	}
	r.get(t, host, api+"?last=19:00").want(t, 404, "not_found")
	r.balances(t)
}

// Slots are closed with one message to all who keep their reservations; a repeat writes to nobody twice.
func TestClosing_WritesToAll(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, first, second := r.staff(t, r.restaurant.ID), r.slot("18:00"), r.slot("19:00")
	_, id := r.confirm(t, first, 2)
	r.confirm(t, second, 2)
	page := views.StaffSlotClosingURL(r.restaurant.ID, r.start(t, first), string(second.Time))
	form := url.Values{views.FieldReservations: {views.ReservationsWrite}}
	r.send(t, host, page, form).is(t, 422)
	if o := r.occupancy(t, first); o.Closed {
		t.Error("a slot is closed without the message")
	}
	form.Set(views.FieldMessage, "30분 늦게 열겠습니다.")
	for range 2 {
		r.send(t, host, page, form).is(t, 303).has(t, "모두에게 보냈습니다.", "예약 2건", "닫힘")
		if n := r.audited(t, "message.guests"); n != 2 {
			t.Errorf("%d messages, want one a slot", n)
		}
	}
	if res, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || !res.State.IsConfirmed() {
		t.Errorf("it is %s, %v", res.State, err)
	}
	write := views.StaffWriteSlotURL(r.restaurant.ID, r.start(t, first))
	r.page(t, host, write).is(t, 200).has(t, "취소하거나 옮기기", views.StaffSlotClosingURL(r.restaurant.ID, r.start(t, first), ""))
}

// A day that is closed in the set-up leads to the guests whom that touches; who are kept stay, and can be called.
func TestClosing_KeepsReservations(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	_, id := r.confirm(t, slot, 2)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	page := views.StaffClosingURL(r.restaurant.ID, respond.Midnight(slot.Date, r.restaurant.Location))
	r.send(t, manager, page, url.Values{views.FieldReservations: {views.ReservationsKeep}}).is(t, 303).
		has(t, "예약 1건", "tel:010-1234-5678", views.StaffReservationURL(id))
	if res, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || !res.State.IsConfirmed() {
		t.Errorf("it is %s, %v", res.State, err)
	}
	if o := r.occupancy(t, slot); !o.Closed {
		t.Error("the slot is open")
	}
	past := slot
	past.Date = r.day(-1)
	r.do(t, call{method: "PUT", path: r.closingOf(past), as: manager, body: map[string]any{"reservations": "keep"}}).
		want(t, 409, "past")
	r.do(t, call{method: "PUT", path: r.closingOf(slot), as: manager, body: map[string]any{"reservations": "some"}}).
		want(t, 422, "invalid")
}

// notes closes a day, and notes that its reservations are to be cancelled, as a server does that dies then.
func (r *harness) notes(t *testing.T, slot booking.SlotKey, manager person) {
	t.Helper()
	r.change(t, `INSERT INTO closures (restaurant_id, closed_on) VALUES ($1, $2)`, slot.RestaurantID, slot.Date)
	dbtest.Must(t, r.Stores.Closings.Note(t.Context(), closing.Order{RestaurantID: slot.RestaurantID, Hours: closing.Hours{Date: slot.Date},
		StaffID: manager.id, Reason: "fire", Now: r.now()}))
}

// A cancellation that could not be made at once is forgotten when the reservation has moved to another day meanwhile,
// has begun, or the day is open again.
func TestClosing_ForgetsWhatIsNoLongerSo(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, other := r.slot("19:00"), r.slot("19:00")
	other.Date = r.day(9)
	_, moved := r.confirm(t, slot, 2)
	_, stays := r.confirm(t, slot, 2)
	r.confirm(t, other, 2)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	r.notes(t, slot, manager)
	r.change(t, `UPDATE reservations SET slot_id = (SELECT id FROM slots WHERE service_date = $2) WHERE id = $1`, moved,
		other.Date)
	take := func(now time.Time) (ids []string) {
		t.Helper()
		r.change(t, `UPDATE day_cancellations SET due_at = now()`)
		tasks, err := r.Stores.Closings.Take(t.Context(), 0, now, 10)
		dbtest.Must(t, err)
		for _, task := range tasks {
			ids = append(ids, task.ReservationID)
		}
		return ids
	}
	if got := take(r.now()); !slices.Equal(got, []string{stays}) {
		t.Errorf("taken: %q, want %s", got, stays)
	}
	if got := take(r.start(t, slot)); len(got) != 0 {
		t.Errorf("taken of what has begun: %q", got)
	}
	r.notes(t, other, manager)
	if got := take(r.now()); len(got) != 2 { // the control: both are of that day now
		t.Errorf("taken: %q", got)
	}
	r.change(t, `DELETE FROM closures`)
	if got := take(r.now()); len(got) != 0 {
		t.Errorf("taken of an open day: %q", got)
	}
}

// What a server had taken when it died is done by another: a cancellation that it had made already is not made again,
// and one that staff cannot make any more says why.
func TestClosing_GoesOnAfterACrash(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	_, made := r.confirm(t, slot, 2)
	_, taken := r.confirm(t, slot, 2)
	_, there := r.confirm(t, slot, 2)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	store := r.Stores.Closings
	r.notes(t, slot, manager)
	tasks, err := store.Take(t.Context(), 0, r.now(), 10)
	if again, _ := store.Take(t.Context(), 0, r.now(), 10); err != nil || len(tasks) != 3 || len(again) != 0 {
		t.Fatalf("taken: %+v, and again %+v, %v", tasks, again, err)
	}
	if _, err := r.Stores.Reservations.CancelByStaff(t.Context(), made, manager.id, "fire"); err != nil {
		t.Fatal(err)
	}
	r.change(t, `UPDATE reservations SET state = 'arrived', arrived_at = now() WHERE id = $1`, there)
	r.change(t, `UPDATE day_cancellations SET due_at = now()`)
	for _, job := range r.Closings.Jobs(time.Hour) {
		if _, err := job.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	day := r.get(t, manager, r.closingOf(slot)).want(t, 200, "")
	if day.number(t, "done") != 2 || day.number(t, "failed") != 1 || day.number(t, "pending") != 0 {
		t.Errorf("the day: %s", day.raw)
	}
	for id, want := range map[string]booking.State{taken: booking.RefundPending, there: booking.Arrived} {
		if res, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || res.State != want &&
			res.State != booking.Refunded {
			t.Errorf("it is %s, want %s, %v", res.State, want, err)
		}
	}
	if n := r.audited(t, "reservation.cancelled"); n != 2 {
		t.Errorf("%d cancellations are written down, want 2", n)
	}
	page := views.StaffClosingURL(r.restaurant.ID, respond.Midnight(slot.Date, r.restaurant.Location))
	r.page(t, manager, page).is(t, 200).has(t, "예약 2건을 취소했습니다.", "취소하지 못한 예약 1건")
	r.balances(t)
}

// A cancellation that cannot be made at the moment, because somebody holds the reservation, is made later.
func TestClosing_TriesAgainWhatCannotBeDoneNow(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.confirm(t, slot, 2)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	raw, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer raw.Close()
	holder, err := raw.BeginTx(t.Context(), nil)
	dbtest.Must(t, err)
	if _, err := holder.ExecContext(t.Context(), `SELECT FROM reservations FOR NO KEY UPDATE`); err != nil {
		t.Fatal(err)
	}
	r.notes(t, slot, manager)
	job := r.Closings.Jobs(time.Hour)[0]
	if _, err := job.Run(t.Context()); err == nil {
		t.Error("it is cancelled while somebody holds it")
	}
	day := r.get(t, manager, r.closingOf(slot)).want(t, 200, "")
	if day.number(t, "pending") != 1 || day.number(t, "failed") != 0 {
		t.Errorf("while somebody holds it: %s", day.raw)
	}
	dbtest.Must(t, holder.Rollback())
	r.change(t, `UPDATE day_cancellations SET due_at = now()`)
	if _, err := job.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if day := r.get(t, manager, r.closingOf(slot)).want(t, 200, ""); day.number(t, "done") != 1 {
		t.Errorf("afterwards: %s", day.raw)
	}
}

// Two managers close a day at the same moment: each reservation is cancelled once. A hold goes too, and who waits for
// seats of the day is offered none of those that come free.
func TestClosing_ByTwoManagersAtOnce(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	holder, waits := r.diner(t, 1_000_000), r.diner(t, 0)
	hold := r.seat(t, holder, r.slot("20:00"), 2)
	entry := r.wait(t, waits, slot, 2).want(t, 201, "").text(t, "id")
	body := map[string]any{"reservations": "cancel"}
	var managers sync.WaitGroup
	for range 2 {
		manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
		managers.Go(func() {
			for t.Context().Err() == nil { // the other may write the set-up at the moment
				if r.do(t, call{method: "PUT", path: r.closingOf(slot), as: manager, body: body}).status == 200 {
					return
				}
			}
		})
	}
	managers.Wait()
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	r.change(t, `UPDATE day_cancellations SET due_at = now() WHERE progress = 'pending'`)
	_, err := r.Closings.Jobs(time.Hour)[0].Run(t.Context())
	dbtest.Must(t, err)
	day := r.get(t, manager, r.closingOf(slot)).want(t, 200, "")
	if n := len(sitting) + 1; day.number(t, "done") != n || day.number(t, "coming") != 0 ||
		r.audited(t, "reservation.cancelled") != n {
		t.Errorf("of %d: %s, %d are written down", n, day.raw, r.audited(t, "reservation.cancelled"))
	}
	_, err = r.Stores.Reservations.Pay(t.Context(), booking.PaymentOrder{ReservationID: hold, UserID: holder.id,
		Kind: booking.Deposit, IdempotencyKey: "pay"})
	if !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("the hold is paid for: %v", err)
	}
	if now := r.get(t, waits, "/api/waitlist/"+entry).want(t, 200,
		""); now.json["state"] == string(booking.EntryOffered) {
		t.Errorf("seats of a closed day are offered: %s", now.raw)
	}
	r.balances(t)
}

// Whoever ordered the cancellations and has left the team makes none of them any more: the page says so, and another
// manager goes on.
func TestClosing_OfSomebodyWhoLeft(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	_, id := r.confirm(t, slot, 2)
	left, manager := r.diner(t, 0), r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	r.notes(t, slot, left)
	_, err := r.Closings.Jobs(time.Hour)[0].Run(t.Context())
	dbtest.Must(t, err)
	page := views.StaffClosingURL(r.restaurant.ID, respond.Midnight(slot.Date, r.restaurant.Location))
	r.page(t, manager, page).is(t, 200).has(t, "취소하지 못한 예약 1건", "취소를 시작한 직원이")
	r.send(t, manager, page, url.Values{views.FieldReservations: {views.ReservationsCancel},
		views.FieldConfirmed: {id}}).
		is(t, 303).has(t, "예약 1건을 취소했습니다.")
}
