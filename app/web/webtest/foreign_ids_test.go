package webtest

import (
	"fmt"
	"image/color"
	"net/http"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/setup"
)

// room gives a restaurant two tables that one party can have together.
func (r *harness) room(t *testing.T, restaurantID int64, owner person) setup.Room {
	t.Helper()
	d := document{path: r.api(restaurantID, "seats"), as: owner}
	var room setup.Room
	r.read(t, &d, &room)
	room.Floor = setup.Floor{Width: 600, Height: 400, Fixtures: []booking.Fixture{}}
	name := fmt.Sprint(restaurantID)
	room.Seats = []setup.Seat{aTable("A"+name, 50, 4, "B"+name), aTable("B"+name, 200, 4, "A"+name)}
	r.write(t, d, room).want(t, http.StatusOK, "")
	r.read(t, &d, &room)
	return room
}

// A document that names what is another restaurant's is refused with the field that does, and nothing changes, neither
// here nor there.
func TestDocuments_NamingThingsOfAnotherRestaurant(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	other, foreignMenu := r.newRestaurant(t, "another")
	owner, chef := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.staffAs(t, other.ID, identity.RoleOwner)
	picture := r.do(t, call{method: http.MethodPost, path: r.api(other.ID, "pictures"), as: chef,
		body: photo(t, color.Gray{7}), headers: map[string]string{"Content-Type": "image/jpeg"}}).want(t,
		http.StatusCreated, "").text(t, "picture")
	own, foreign := r.room(t, r.restaurant.ID, owner), r.room(t, other.ID, chef)
	blocked := fmt.Sprintf("slots/%s/19:00/blocked-seats", r.day(1))
	names := []string{"menu", "seats", "settings", "picture", "gallery", blocked}
	stored := func() (all string) {
		for _, name := range names {
			all += string(r.get(t, owner, r.api(r.restaurant.ID, name)).raw) + string(r.get(t, chef,
				r.api(other.ID, name)).raw)
		}
		return all
	}
	was := stored()
	type body = map[string]any
	first := func(of body, list string) body { return of[list].([]any)[0].(body) }
	for name, c := range map[string]struct {
		document string
		edit     func(b body)
		want     string
	}{
		"a dish":      {"menu", func(b body) { first(b, "items")["id"] = foreignMenu[0].ID }, "items[0].id unknown"},
		"its picture": {"menu", func(b body) { first(b, "items")["picture"] = picture }, "items[0].picture unknown"},
		"a seat":      {"seats", func(b body) { first(b, "seats")["id"] = foreign.Seats[0].ID }, "seats[0].id unknown"},
		"a partner":   {"seats", func(b body) { first(b, "seats")["partners"] = []string{foreign.Seats[1].Label} }, "seats[0].partners unknown"},
		"settings":    {"settings", func(b body) { b["picture"] = picture }, "picture unknown"},
		"a picture":   {"picture", func(b body) { b["picture"] = picture }, "picture unknown"},
		"a gallery":   {"gallery", func(b body) { b["photos"] = []string{"table", picture} }, "photos[1] unknown"},
		"blocked":     {blocked, func(b body) { b["seatIds"] = []int64{own.Seats[0].ID, foreign.Seats[0].ID} }, "seatIds[1] unknown"},
	} {
		path := r.api(r.restaurant.ID, c.document)
		read := r.get(t, owner, path).want(t, http.StatusOK, "")
		c.edit(read.json)
		send := call{method: http.MethodPut, path: path, as: owner, body: read.json,
			headers: map[string]string{"If-Match": read.header.Get("ETag")}}
		if got := r.do(t, send).want(t, http.StatusUnprocessableEntity, "invalid").fieldsOf(t); !slices.Contains(got,
			c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if is := stored(); is != was {
		t.Errorf("stored\n%s\nwas\n%s", is, was)
	}
}
