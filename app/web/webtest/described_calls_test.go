package webtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// A parameter that an operation does not have, such as a misspelt one, is refused on every operation, and what is no
// boolean where there has to be one.
func TestOpenAPI_UnknownParametersAreRefused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.get(t, owner, "/api/reservations?cursor=x").want(t, 422, "invalid")
	operations, previews := 0, 0
	theContract(t).eachOperation(func(path, method string, operation map[string]any) {
		operations++
		c := call{method: strings.ToUpper(method), as: owner, path: pathParam.ReplaceAllString(path, "1") + "?cursr=1"}
		got := r.do(t, c).want(t, 422, "invalid")
		if fields := got.fieldsOf(t); !slices.Equal(fields, []string{"cursr unknown_parameter"}) {
			t.Errorf("%s %s: %v", method, path, fields)
		}
		parameters, _ := operation["parameters"].([]any)
		for _, of := range parameters {
			if of.(map[string]any)["name"] == "preview" {
				previews++
				c.path = pathParam.ReplaceAllString(path, "1") + "?preview=yes"
				r.do(t, c).want(t, 422, "invalid")
			}
		}
	})
	if operations < 100 || previews < 5 {
		t.Errorf("%d operations, %d with a preview", operations, previews)
	}
}

// replacements are the bodies that each PUT takes.
func (r *harness) replacements(t *testing.T, owner person) map[string]map[string]any {
	t.Helper()
	at := fmt.Sprintf("/api/staff/restaurants/%d/", r.restaurant.ID)
	slot := fmt.Sprintf("slots/%s/19:00", r.day(3))
	all := map[string]map[string]any{
		at + slot + "/blocked-seats": {"seatIds": []int64{}, "reason": ""},
		at + "stop":                  {"stopped": false},
		at + fmt.Sprintf("stock/%s/%d", r.day(3), r.menu[0].ID): {"remaining": 5},
	}
	for _, name := range []string{"settings", "hours", "closures", "picture", "gallery", "deposits",
		"cancellation", "menu", "seats"} {
		var body map[string]any
		r.read(t, &document{path: at + name, as: owner}, &body)
		all[at+name] = body
	}
	return all
}

// A document that lacks a required member, at any depth, or has null in its place, replaces nothing: what is not there
// would be taken for zero.
func TestOpenAPI_ReplacementsLackNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	tried := 0
	for path, body := range r.replacements(t, owner) {
		d := document{path: path, as: owner}
		if !strings.Contains(path, "/slots/") && !strings.HasSuffix(path, "/stop") && !strings.Contains(path, "/stock/") {
			r.read(t, &d, &map[string]any{})
		}
		for what, damaged := range damages(t, body) {
			name := what.member
			if name == "reason" || name == "remaining" && what.now == "null" {
				continue // of a stop, or of blocked seats; any number of portions
			}
			if name == "freeCancelMinutes" || name == "slug" {
				continue // it stays as it is
			}
			tried++
			got := r.write(t, d, damaged).want(t, 422, "invalid")
			if fields := got.fieldsOf(t); !slices.Contains(fields, name+" required") {
				t.Errorf("%s: %s is %s: %v", path, name, what.now, fields)
			}
		}
	}
	if tried < 60 {
		t.Errorf("%d members were left out", tried)
	}
	var settings map[string]any
	d := document{path: fmt.Sprintf("/api/staff/restaurants/%d/settings", r.restaurant.ID), as: owner}
	r.read(t, &d, &settings)
	r.write(t, d, settings).want(t, http.StatusOK, "") // a whole one
}

// damage is what became of a member.
type damage struct{ member, now string }

// damages are copies of a document, each without one of its members, or with null in its place.
func damages(t *testing.T, whole map[string]any) map[damage]any {
	t.Helper()
	all := map[damage]any{}
	var visit func(at string, value any)
	visit = func(at string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				kept := value[name]
				if name != "id" && name != "uploaded" && kept != nil {
					delete(value, name)
					all[damage{at + name, "missing"}] = copied(t, whole)
					value[name] = nil
					all[damage{at + name, "null"}] = copied(t, whole)
					value[name] = kept
				}
				visit(at+name+".", kept)
			}
		case []any:
			if len(value) > 0 {
				visit(strings.TrimSuffix(at, ".")+"[0].", value[0])
			}
		}
	}
	visit("", whole)
	return all
}

func copied(t *testing.T, whole any) (copied any) {
	t.Helper()
	raw, err := json.Marshal(whole)
	if err == nil {
		err = json.Unmarshal(raw, &copied)
	}
	dbtest.Must(t, err)
	return copied
}
