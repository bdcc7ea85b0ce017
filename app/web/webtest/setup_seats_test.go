package webtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/setup"
)

func aTable(label string, x, places int, partners ...string) setup.Seat {
	return setup.Seat{Label: label, Kind: booking.TableSeat, Places: places, MinParty: 1,
		Area: booking.Area{X: x, Y: 50, Width: 100, Height: 80}, Partners: append([]string{}, partners...)}
}

// What an owner draws, diners see on the map; a seat that a coming reservation holds stays, and stays large enough.
func TestRoomDocument_KeepsWhatReservationsHold(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	d := document{path: r.api(r.restaurant.ID, "seats"), as: r.staffAs(t, r.restaurant.ID, identity.RoleOwner)}
	var room setup.Room
	r.read(t, &d, &room)
	room.Floor = setup.Floor{Width: 600, Height: 400,
		Fixtures: []booking.Fixture{{Kind: "window", Area: booking.Area{Width: 400, Height: 20}}}}
	room.Seats = []setup.Seat{aTable("A", 50, 4, "B"), aTable("B", 200, 4, "A"), aTable("C", 400, 2)}
	r.write(t, d, room).want(t, 200, "")
	r.read(t, &d, &room)
	shown := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/seats?date=%s&time=19:00", r.restaurant.ID,
		r.day(1))).list(t, "seats")
	if len(shown) != 3 || shown[0]["label"] != "A" || len(shown[0]["partnerIds"].([]any)) != 1 {
		t.Fatalf("diners see %v", shown)
	}
	guest := r.diner(t, 1_000_000)
	r.post(t, guest, "/api/reservations", "one", map[string]any{"restaurantId": r.restaurant.ID, "date": r.day(1),
		"time": "19:00", "partySize": 4, "seatIds": []int64{room.Seats[0].ID}}).want(t, 201, "")
	edited := func(edit func(*setup.Room)) answer {
		next := setup.Room{Floor: room.Floor, Seats: append([]setup.Seat{}, room.Seats...)}
		edit(&next)
		return r.write(t, d, next)
	}
	for name, edit := range map[string]func(*setup.Room){
		"without it": func(n *setup.Room) { n.Seats = n.Seats[2:] },
		"smaller":    func(n *setup.Room) { n.Seats[0].Places = 3 },
	} {
		a := edited(edit).want(t, 409, "seats_held")
		if held := a.list(t, "heldSeats"); len(held) != 1 || held[0]["label"] != "A" || held[0]["partySize"] != 4.0 {
			t.Errorf("%s: %v", name, held)
		}
	}
	// Moved, renamed and with a label that another had, it is the same seat; the others go.
	edited(func(n *setup.Room) {
		n.Seats = n.Seats[:1]
		n.Seats[0].Label, n.Seats[0].Area.X, n.Seats[0].Partners = "B", 300, []string{}
	}).want(t, 200, "")
	var after setup.Room
	if r.read(t, &d, &after); len(after.Seats) != 1 || after.Seats[0].ID != room.Seats[0].ID ||
		after.Seats[0].Label != "B" {
		t.Errorf("the room is %+v", after.Seats)
	}
	r.balances(t)
}

func TestRoomDocument_RefusesWithFields(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	d := document{path: r.api(r.restaurant.ID, "seats"), as: r.staffAs(t, r.restaurant.ID, identity.RoleOwner)}
	var room setup.Room
	r.read(t, &d, &room)
	room.Floor = setup.Floor{Width: 600, Height: 400,
		Fixtures: []booking.Fixture{{Kind: "piano", Area: booking.Area{Width: 100, Height: 50}}}}
	room.Seats = []setup.Seat{aTable("A", 50, 4, "B"), aTable("B", 200, 0), aTable("A", 250, 2),
		aTable("D", 550, 2, "Z")}
	room.Seats[1].Kind = booking.CounterSeat
	fields := strings.Join(r.write(t, d, room).want(t, 422, "invalid").fieldsOf(t), "\n")
	for _, want := range []string{"floor.fixtures[0].kind unknown", "seats[0].partners not_mutual",
		"seats[1].places out_of_range", "seats[2].label duplicate", "seats[2].area overlaps",
		"seats[3].area outside_room", "seats[3].partners unknown"} {
		if !strings.Contains(fields, want) {
			t.Errorf("no %s in\n%s", want, fields)
		}
	}
	r.get(t, r.staff(t, r.restaurant.ID), d.path).want(t, 403, "forbidden")
}

// An owner's campaign gives coupons to diners until it ends; they are good at the restaurant.
func TestOwnCampaigns_OpenedAndEnded(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner, guest := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.diner(t, 0)
	path, now := r.api(r.restaurant.ID, "coupons"), time.Now().UTC().Truncate(time.Second)
	body := map[string]any{"name": booking.Text{Ko: "단골 쿠폰"}, "use": "menu", "amount": 3_000, "total": 2,
		"opensAt": now.Add(-time.Minute), "closesAt": now.Add(time.Hour), "validUntil": now.Add(48 * time.Hour)}
	made := r.post(t, owner, path, "", body).want(t, 201, "")
	id := made.number(t, "id")
	claims := fmt.Sprintf("/api/coupons/%d/claims", id)
	r.post(t, guest, claims, "one", nil).want(t, 201, "")
	if list := r.get(t, owner, path).list(t, "coupons"); len(list) != 1 || list[0]["issued"] != 1.0 ||
		list[0]["state"] != "open" {
		t.Errorf("%v", list)
	}
	one := fmt.Sprintf("%s/%d", path, id)
	for range 2 {
		if ended := r.delete(t, owner, one).want(t, 200, ""); ended.text(t, "state") != "over" {
			t.Errorf("%s", ended.raw)
		}
	}
	r.post(t, r.diner(t, 0), claims, "two", nil).want(t, 409, "over")
	if n := r.audited(t, "setup.coupon") + r.audited(t, "setup.coupon_ended"); n != 2 {
		t.Errorf("%d entries in the audit log", n)
	}
	other, _ := r.newRestaurant(t, "another")
	r.delete(t, r.staffAs(t, other.ID, identity.RoleOwner),
		fmt.Sprintf("%s/%d", r.api(other.ID, "coupons"), id)).want(t, 404, "not_found")
	body["amount"], body["closesAt"], body["validUntil"], body["use"] = 0, now.Add(-time.Hour),
		now.Add(1000*24*time.Hour), "all"
	if got := r.post(t, owner, path, "", body).want(t, 422, "invalid").fieldsOf(t); len(got) != 4 {
		t.Errorf("%v", got)
	}
}
