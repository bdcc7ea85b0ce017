package webtest

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// A manager looks back at what really happened, as a page, as JSON and as a file: a no-show, a cancellation, the
// sold-out slot and those who were refused. The money is the ledger's, which the auditor holds to the reservations.
func TestReports_ShowWhatHappened(t *testing.T) {
	t.Parallel()
	setup := programtest.Setup{}
	setup.Config.Room.TallyEvery = 100 * time.Millisecond
	r := newHarnessWith(t, setup)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	begun, full := r.begun(), r.slot("19:00")
	_, missing := r.confirm(t, begun, 2)
	by, err := r.Bookings.Staff(t.Context(), manager.id, r.restaurant.ID)
	dbtest.Must(t, err)
	if _, err := r.Bookings.Mark(t.Context(), by, missing, booking.NoShow); err != nil {
		t.Fatal(err)
	}
	r.confirm(t, full, 8)
	r.sellTheLast(t, full)

	path := views.StaffSectionURL(r.restaurant.ID, views.SectionReports)
	query := "?from=" + string(r.day(0)) + "&to=" + string(r.day(1))
	var totals map[string]any
	dbtest.Eventually(t, "who was refused is counted", func() bool {
		a := r.get(t, manager, "/api"+path+query).want(t, 200, "")
		totals, _ = a.json["totals"].(map[string]any)
		line, _ := totals["line"].(map[string]any)
		return line["soldOut"] == 1.0
	})
	for name, want := range map[string]float64{"parties": 2, "covers": 10, "noShowParties": 1, "noShowCovers": 2,
		"soldOutSlots": 1, "deposits": 120_000, "revenue": 120_000} {
		if totals[name] != want {
			t.Errorf("%s %v, want %v", name, totals[name], want)
		}
	}
	if totals["seatMinutesTaken"] != 10.0*60 || totals["revenuePerSeatHour"] == nil {
		t.Errorf("seat-minutes %v, revenue per seat-hour %v", totals["seatMinutesTaken"], totals["revenuePerSeatHour"])
	}
	whole := r.get(t, manager, "/api"+path+query)
	if payments, _ := whole.json["payments"].([]any); len(payments) != 1 || payments[0].(map[string]any)["noShows"] != 1.0 {
		t.Errorf("no-shows by payment: %v", whole.json["payments"])
	}
	if whole.json["comparable"] != false {
		t.Errorf("compared with a time before the first booking: %v", whole.json["comparable"])
	}
	r.balances(t)
	page := r.page(t, manager, path+query)
	page.has(t, "과는 비교하지 않습니다").hasNot(t, "report-change")
	page.has(t, "<svg", "온 손님과 올 손님", "좌석·시간당 받은 금액", "다시 온 손님", "예약금과 노쇼", "온라인")
	if page.status != 200 {
		t.Errorf("page %d", page.status)
	}
	if wrong := r.page(t, manager, path+"?from=2030-02-02&to=2030-02-01"); wrong.status != 422 ||
		!strings.Contains(string(wrong.raw), `value="2030-02-02"`) {
		t.Errorf("a period that ends before it begins: %d", wrong.status)
	}
	r.get(t, manager, "/api"+path+"?weekday=9").want(t, 422, "invalid")
	r.csv(t, manager, "/api"+path+query, "restaurant,date,weekday,time,capacity,parties")
	r.csv(t, manager, path+"/file.csv"+query, "식당,날짜,요일,시간")
}

// Parties of days that are over whom nobody marked count as before, and apart too; those of today and of days to come
// may still be marked.
func TestReports_CountWhomNobodyMarked(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	manager, slot := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.slot("19:00")
	r.confirm(t, slot, 2)
	_, came := r.confirm(t, slot, 3)
	path := views.StaffSectionURL(r.restaurant.ID, views.SectionReports)
	query := "?from=" + string(r.day(-1)) + "&to=" + string(r.day(1))
	count := func(name string, want float64) {
		t.Helper()
		totals, _ := r.get(t, manager, "/api"+path+query).want(t, 200, "").json["totals"].(map[string]any)
		if totals[name] != want {
			t.Errorf("%s is %v, want %v", name, totals[name], want)
		}
	}
	count("notMarkedParties", 0)
	r.page(t, manager, path+query).is(t, 200).hasNot(t, "표시하지 않은")
	r.change(t, `UPDATE reservations SET state = 'arrived', arrived_at = now() WHERE id = $1`, came)
	r.change(t, `UPDATE slots SET service_date = $1`, r.day(-1))
	count("notMarkedParties", 1)
	count("parties", 2)
	r.page(t, manager, path+query).is(t, 200).has(t, "이 가운데 1팀은 왔는지 표시하지 않은 팀입니다")
}

// sellTheLast has two parties of two stand in the line of a slot with two seats left: the first confirms, the second is
// refused there. Who presses once it is sold out does not ask for it as they do.
func (r *harness) sellTheLast(t *testing.T, slot booking.SlotKey) {
	t.Helper()
	release := r.rival(t, slot)
	first, second := r.diner(t, 1_000_000), r.diner(t, 0)
	var tickets []string
	for _, who := range []person{first, second} {
		a := r.press(t, who, "last", "respond-async", r.requestFor(slot, 2)).want(t, 202, "")
		tickets = append(tickets, a.text(t, "ticket"))
	}
	release()
	r.ended(t, first, tickets[0])
	r.ended(t, second, tickets[1])
	r.get(t, second, "/api/tickets/"+tickets[1]).want(t, 200, "sold_out")
	_, err := r.Stores.Reservations.Pay(t.Context(), booking.PaymentOrder{UserID: first.id, Kind: booking.Deposit, IdempotencyKey: "k",
		ReservationID: r.get(t, first, "/api/tickets/"+tickets[0]).text(t, "reservationId")})
	dbtest.Must(t, err)
}

// csv asks for a report's file and holds its heading and its name to what they should be.
func (r *harness) csv(t *testing.T, as person, path, heading string) {
	t.Helper()
	response, err := agent.Do(r.request(t,
		call{method: http.MethodGet, path: path, as: as, headers: map[string]string{"Accept": "text/csv"}}))
	dbtest.Must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	dbtest.Must(t, err)
	name := response.Header.Get("Content-Disposition")
	if response.StatusCode != 200 || !strings.HasPrefix(string(text), "\ufeff"+heading) ||
		strings.Count(string(text), "\r\n") != 3 ||
		!strings.Contains(name, r.restaurant.Slug+"-"+string(r.day(0))) {
		t.Errorf("%s: %d %s\n%.300s", path, response.StatusCode, name, text)
	}
}

// Nobody sees the figures of another restaurant, nor those of a draft, which has none.
func TestReports_AreOfTheReadersRestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, _ := r.newRestaurant(t, "another")
	r.confirm(t, r.slot("19:00"), 4)
	foreign := r.staffAs(t, other.ID, identity.RoleOwner)
	query := "?to=" + string(r.day(1))
	r.get(t, foreign, "/api"+views.StaffSectionURL(r.restaurant.ID, views.SectionReports)+query).want(t, 404,
		"not_found")
	a := r.get(t, foreign, "/api"+views.StaffSectionURL(other.ID, views.SectionReports)+query).want(t, 200, "")
	if totals := a.json["totals"].(map[string]any); totals["parties"] != 0.0 {
		t.Errorf("another restaurant's figures: %v", totals)
	}
	owner := r.diner(t, 0)
	draft := r.post(t, owner, "/api/staff/restaurants", "",
		map[string]any{"name": "New", "timeZone": "Asia/Seoul", "capacity": 10})
	if draft.status == 201 {
		id := int64(draft.number(t, "id"))
		r.get(t, owner, "/api"+views.StaffSectionURL(id, views.SectionReports)).want(t, 404, "not_found")
	}
}
