package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/identity"
)

func (r *harness) teamPath(of string) string {
	return fmt.Sprintf("/api/staff/restaurants/%d/%s", r.restaurant.ID, of)
}

// The API lists, invites, changes and removes; a removed member loses access at once at another server, and everybody may leave.
func TestTeam_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other := r.twin(t)
	owner, host := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	leaver := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	members, invitations := r.teamPath("members"), r.teamPath("invitations")

	made := r.post(t, owner, invitations, "", map[string]any{"email": " New@Example.org ", "role": "host"}).want(t, 201, "")
	if made.text(t, "email") != "new@example.org" || strings.Contains(string(made.raw), "token") {
		t.Errorf("invited: %s", made.raw)
	}
	r.newcomer(t, "known@example.org")
	known := r.post(t, owner, invitations, "", map[string]any{"email": "known@example.org", "role": "host"})
	if got, want := shape(known.want(t, 201, "")), shape(made); len(got) != len(want) {
		t.Errorf("an address with an account: %q, without: %q", got, want)
	}
	for body, code := range map[string]string{`{"email": "no address", "role": "cook"}`: "invalid", `{"role": 5}`: "bad_request"} {
		want := map[string]int{"invalid": 422, "bad_request": 400}[code]
		r.post(t, owner, invitations, "", body).want(t, want, code)
	}
	list := r.get(t, owner, members).want(t, 200, "")
	if people, open := list.list(t, "members"), list.list(t, "invitations"); len(people) != 3 || len(open) != 2 ||
		people[0]["role"] != "owner" || people[0]["userId"] != owner.id {
		t.Errorf("%s", list.raw)
	}
	r.delete(t, owner, invitations+"/"+made.text(t, "id")).want(t, 204, "")
	r.delete(t, owner, invitations+"/"+made.text(t, "id")).want(t, 404, "not_found")

	r.do(t, call{method: http.MethodPatch, path: members + "/" + host.id, as: owner, body: map[string]any{"role": "manager"}}).want(t, 204, "")
	other.get(t, host, members).want(t, 200, "") // a manager sees the team
	r.do(t, call{method: http.MethodPatch, path: members + "/" + host.id, as: owner, body: map[string]any{"role": "king"}}).want(t, 422, "invalid")
	r.do(t, call{method: http.MethodPatch, path: members + "/" + owner.id, as: owner, body: map[string]any{"role": "host"}}).want(t, 409, "last_owner")
	r.delete(t, owner, members+"/"+owner.id).want(t, 409, "last_owner")
	r.delete(t, leaver, members+"/"+host.id).want(t, 403, "forbidden")
	r.delete(t, leaver, members+"/"+leaver.id).want(t, 204, "")
	r.delete(t, owner, members+"/"+host.id).want(t, 204, "")
	for _, gone := range []person{host, leaver} {
		other.get(t, gone, members).want(t, 404, "not_found")
	}
}

// The log is read page by page, and by what it can be filtered.
func TestAudit_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	for i := range 3 {
		body := map[string]any{"email": fmt.Sprintf("new%d@example.org", i), "role": "host"}
		r.post(t, owner, r.teamPath("invitations"), "", body).want(t, 201, "")
	}
	first := r.get(t, owner, r.teamPath("audit?limit=2")).want(t, 200, "")
	entries := first.list(t, "entries")
	if len(entries) != 2 || entries[0]["action"] != "team.invite" || entries[0]["userId"] != owner.id {
		t.Fatalf("%s", first.raw)
	}
	rest := r.get(t, owner, r.teamPath("audit?limit=2&after="+first.text(t, "next"))).want(t, 200, "")
	if last := rest.list(t, "entries"); len(last) != 1 || rest.json["next"] != nil || last[0]["id"].(float64) >= entries[1]["id"].(float64) {
		t.Errorf("%s", rest.raw)
	}
	if none := r.get(t, owner, r.teamPath("audit?area=slot")).want(t, 200, ""); len(none.list(t, "entries")) != 0 {
		t.Errorf("%s", none.raw)
	}
	r.get(t, owner, r.teamPath("audit?date=yesterday")).want(t, 422, "invalid")
	r.get(t, owner, r.teamPath("audit?after=x")).want(t, 422, "invalid")
}
