package webtest

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/views"
)

// replace replaces a document by itself.
func (r *harness) replace(t *testing.T, by team.Staff, name setup.Name) error {
	t.Helper()
	is, err := r.Stores.Catalog.FindAtWork(t.Context(), r.restaurant.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Rules.Save(t.Context(), by, setup.Replacement{RestaurantID: r.restaurant.ID,
		Documents: []setup.Document{setup.Of(name, is)}, Tag: setup.TagOf(is, name)})
	return err
}

// writeOver replaces a document over the version of a tag.
func (r *harness) writeOver(t *testing.T, as person, path, tag string, body any) answer {
	t.Helper()
	c := call{method: http.MethodPut, path: path, as: as, body: body, headers: map[string]string{}}
	if tag != "" {
		c.headers["If-Match"] = tag
	}
	return r.do(t, c)
}

func (r *harness) setupPath(name setup.Name) string {
	return fmt.Sprintf("/api/staff/restaurants/%d/%s", r.restaurant.ID, name)
}

// Every document is read with a tag, and replaced only by who names it: a second writer over the same version learns
// that it has changed. Diners of this process see the change at once.
func TestSetupAPI_DocumentsAreReplacedAsAWhole(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	changes := map[setup.Name]map[string]any{
		setup.DocSettings:     {"partyMax": 6, "phone": "02-123-4567", "priceBand": 2},
		setup.DocHours:        {"weekly": []any{map[string]any{"weekday": 1, "from": "12:00", "last": "13:00"}}},
		setup.DocClosures:     {"closures": []any{closure("2031-01-01", "새해")}},
		setup.DocDeposits:     {"tiers": []any{map[string]any{"fromParty": 1, "kind": "per_party", "amount": 40_000}}},
		setup.DocCancellation: {"changeHours": 3, "freeCancelMinutes": 20},
		setup.DocGallery:      {"photos": []string{"table", "pub"}},
	}
	for _, name := range setup.Names() {
		path := r.setupPath(name)
		was := r.get(t, owner, path).want(t, 200, "")
		tag := was.header.Get("ETag")
		document := maps.Clone(was.json)
		maps.Copy(document, changes[name])
		r.writeOver(t, owner, path, "", document).want(t, 428, "precondition_required")
		preview := r.writeOver(t, owner, path+"?preview=true", tag, document).want(t, 200, "")
		if got := r.get(t, owner, path); got.header.Get("ETag") != tag {
			t.Errorf("%s: the preview has changed it to %s", name, got.raw)
		}
		saved := r.writeOver(t, owner, path, tag, document).want(t, 200, "")
		if saved.header.Get("ETag") == tag || saved.header.Get("ETag") != preview.header.Get("ETag") {
			t.Errorf("%s: the tag is %s, was %s", name, saved.header.Get("ETag"), tag)
		}
		r.writeOver(t, owner, path, tag, document).want(t, 409, "changed_meanwhile")
		if is := r.get(t, owner, path).want(t, 200, ""); is.header.Get("ETag") != saved.header.Get("ETag") {
			t.Errorf("%s is %s, answered %s", name, is.raw, saved.raw)
		}
	}
	shown := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d", r.restaurant.ID)).want(t, 200, "")
	if shown.number(t, "partyMax") != 6 || shown.number(t, "priceBand") != 2 || len(shown.list(t, "hours")) != 1 {
		t.Errorf("diners see %s", shown.raw)
	}
	if shown.number(t, "freeCancelMinutes") != 20 {
		t.Errorf("diners see %s", shown.raw)
	}
	rules := r.get(t, owner, r.setupPath(setup.DocCancellation))
	older := maps.Clone(rules.json)
	delete(older, "freeCancelMinutes") // as a program sends it that does not know the member
	tag := r.writeOver(t, owner, r.setupPath(setup.DocCancellation), rules.header.Get("ETag"), older).want(t, 200, "").
		header.Get("ETag")
	if rules = r.get(t, owner, r.setupPath(setup.DocCancellation)); rules.number(t, "freeCancelMinutes") != 20 {
		t.Errorf("without the member it became %s", rules.raw)
	}
	older["freeCancelMinutes"] = booking.MaxFreeCancel + 1
	r.writeOver(t, owner, r.setupPath(setup.DocCancellation), tag, older).want(t, 422, "invalid")
	settings := r.get(t, owner, r.setupPath(setup.DocSettings))
	dearer := maps.Clone(settings.json)
	dearer["priceBand"] = 5
	r.writeOver(t, owner, r.setupPath(setup.DocSettings), settings.header.Get("ETag"), dearer).want(t, 422, "invalid")
	r.writeOver(t, owner, r.setupPath(setup.DocSettings),
		r.get(t, owner, r.setupPath(setup.DocSettings)).header.Get("ETag"), map[string]any{}).want(t, 422, "invalid")
}

// closure is a closed date, as a document has it.
func closure(date booking.Date, reason string) map[string]any {
	return map[string]any{"from": date, "to": "", "reason": reason}
}

// A closure names the bookings that it would leave on a closed date. They stay as they are, before it and after.
func TestSetupAPI_ShowsTheBookingsItTouches(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	slot := r.slot("19:00")
	r.seat(t, r.diner(t, 0), slot, 3)
	_, id := r.confirm(t, slot, 2)
	r.book(t, owner, "key-phone", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "")
	path := r.setupPath(setup.DocClosures)
	tag := r.get(t, owner, path).header.Get("ETag")
	body := map[string]any{"closures": []any{closure(slot.Date, "")}}
	for _, query := range []string{"?preview=true", ""} {
		a, _ := r.writeOver(t, owner, path+query, tag, body).want(t, 200, "").json["affected"].(map[string]any)
		if a["reservations"] != 3.0 || a["holds"] != 1.0 || a["money"] != 20_000.0 || len(a["first"].([]any)) != 3 ||
			!strings.Contains(fmt.Sprint(a["first"]), "김하늘") {
			t.Errorf("%q: %v", query, a)
		}
	}
	if res, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || res.State != "confirmed" {
		t.Errorf("%+v, %v", res.State, err)
	}
	again := r.writeOver(t, owner, path, r.get(t, owner, path).header.Get("ETag"), map[string]any{"closures": []any{
		closure(slot.Date, ""), closure("2031-01-01", "")}}).want(t, 200, "")
	if a, _ := again.json["affected"].(map[string]any); a["reservations"] != 0.0 {
		t.Errorf("what was outside before counts again: %v", a)
	}
}

// A draft is published when its rules work: by its owner in a demonstration and where the owner is an operator, else by
// an operator after the owner has asked.
func TestSetupAPI_Publication(t *testing.T) {
	t.Parallel()
	for _, demo := range []bool{true, false} {
		t.Run(fmt.Sprintf("demo=%v", demo), func(t *testing.T) {
			t.Parallel()
			r := newHarnessWith(t, programtest.Setup{NoDemo: !demo})
			owner, operator := r.diner(t, 0), r.operator(t)
			id := r.openDraft(t, owner)
			path := fmt.Sprintf("/api/staff/restaurants/%d", id)
			r.post(t, owner, path+"/publication", "", nil).want(t, 409, "not_ready").has(t, "no_hours")
			r.opens(t, owner, path)
			state := r.post(t, owner, path+"/publication", "", nil).want(t, 200, "")
			if demo {
				if state.text(t, "state") != "published" {
					t.Errorf("%s", state.raw)
				}
				return
			}
			first := state.text(t, "submittedAt")
			if again := r.post(t, owner, path+"/publication", "", nil).want(t, 200, ""); again.text(t,
				"submittedAt") != first ||
				again.text(t, "state") != "draft" {
				t.Errorf("asked again: %s", again.raw)
			}
			r.openDraft(t, owner)
			r.openDraft(t, operator)
			if list := r.get(t, operator, "/api/operator/restaurants").want(t, 200, "").list(t,
				"restaurants"); len(list) != 3 ||
				int64(list[0]["id"].(float64)) != id || list[1]["submittedAt"] != nil {
				t.Errorf("operators see %v", list)
			}
			r.send(t, operator, views.OperatorPublishURL(id), nil).is(t, 303)
			if r.get(t, owner, path+"/checks").want(t, 200, "").text(t, "state") != "published" {
				t.Error("the operator has not published it")
			}
			own := r.openDraft(t, operator)
			path = fmt.Sprintf("/api/staff/restaurants/%d", own)
			r.opens(t, operator, path)
			if state := r.post(t, operator, path+"/publication", "", nil).want(t, 200, ""); state.text(t,
				"state") != "published" {
				t.Errorf("an operator's own: %s", state.raw)
			}
		})
	}
}

// openDraft opens a restaurant by the API.
func (r *harness) openDraft(t *testing.T, who person) int64 {
	t.Helper()
	return int64(r.post(t, who, "/api/staff/restaurants", "", aRestaurant()).want(t, 201, "").number(t, "id"))
}

// opens gives a restaurant hours on every day.
func (r *harness) opens(t *testing.T, owner person, path string) {
	t.Helper()
	var weekly []any
	for day := range 7 {
		weekly = append(weekly, map[string]any{"weekday": day, "from": "10:00", "last": "21:00"})
	}
	tag := r.get(t, owner, path+"/hours").header.Get("ETag")
	r.writeOver(t, owner, path+"/hours", tag, map[string]any{"weekly": weekly, "special": []any{}}).want(t, 200, "")
}
