package webtest

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

func (r *harness) teamPath(of string) string {
	return fmt.Sprintf("/api/staff/restaurants/%d/%s", r.restaurant.ID, of)
}

// The API lists, invites, changes and removes; a removed member loses access at once at another server, and everybody
// may leave.
func TestTeam_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other := r.twin(t)
	owner, host := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	leaver := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	members, invitations := r.teamPath("members"), r.teamPath("invitations")

	made := r.post(t, owner, invitations, "", map[string]any{"email": " New@Example.org ", "role": "host"}).
		want(t, 201, "")
	if made.text(t, "email") != "new@example.org" || strings.Contains(string(made.raw), "token") {
		t.Errorf("invited: %s", made.raw)
	}
	r.newcomer(t, "known@example.org")
	known := r.post(t, owner, invitations, "", map[string]any{"email": "known@example.org", "role": "host"})
	if got, want := shape(known.want(t, 201, "")), shape(made); len(got) != len(want) {
		t.Errorf("an address with an account: %q, without: %q", got, want)
	}
	for body, code := range map[string]string{`{"email": "no address", "role": "cook"}`: "invalid",
		`{"role": 5}`: "bad_request"} {
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

	r.do(t, call{method: http.MethodPatch, path: members + "/" + host.id, as: owner,
		body: map[string]any{"role": "manager"}}).want(t, 204, "")
	other.get(t, host, members).want(t, 200, "") // a manager sees the team
	r.do(t, call{method: http.MethodPatch, path: members + "/" + host.id, as: owner,
		body: map[string]any{"role": "king"}}).want(t, 422, "invalid")
	r.do(t, call{method: http.MethodPatch, path: members + "/" + owner.id, as: owner,
		body: map[string]any{"role": "host"}}).want(t, 409, "last_owner")
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
	if last := rest.list(t, "entries"); len(last) != 1 || rest.json["next"] != nil ||
		last[0]["id"].(float64) >= entries[1]["id"].(float64) {
		t.Errorf("%s", rest.raw)
	}
	if none := r.get(t, owner, r.teamPath("audit?area=slot")).want(t, 200, ""); len(none.list(t, "entries")) != 0 {
		t.Errorf("%s", none.raw)
	}
	r.get(t, owner, r.teamPath("audit?date=yesterday")).want(t, 422, "invalid")
	r.get(t, owner, r.teamPath("audit?after=x")).want(t, 422, "invalid")
}

var invitationIn = regexp.MustCompile(`/invitation\?token=([^"]+)"`)

// invitedTo is the token of the newest invitation in somebody's letters.
func (r *harness) invitedTo(t *testing.T, who person) string {
	t.Helper()
	match := invitationIn.FindStringSubmatch(string(r.page(t, who, views.MailboxURL()).raw))
	if match == nil {
		t.Fatal("no invitation by mail")
	}
	token, err := url.QueryUnescape(match[1])
	dbtest.Must(t, err)
	return token
}

// An owner invites on the team's page; whoever has the letter and the address accepts by the button only, once, and
// works there.
func TestInvitation_FromThePageToTheTeam(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner, stranger := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.diner(t, 0)
	page := views.TeamURL(r.restaurant.ID)
	invite := func(email, role string) answer {
		return r.send(t, owner, views.TeamInviteURL(r.restaurant.ID), url.Values{"email": {email}, "role": {role}})
	}
	invite("no address", "host").is(t, 422).has(t, `value="no address"`, "aria-invalid")
	invite("haneul@example.org", "cook").is(t, 422).has(t, `value="haneul@example.org"`)
	invite("haneul@example.org", "host").is(t, 303)
	invite("haneul@example.org", "manager").is(t, 303) // replaces the first
	r.page(t, owner, page).is(t, 200).has(t, "haneul@example.org", "매니저")

	who := r.newcomer(t, "haneul@example.org")
	token := r.invitedTo(t, who)
	r.page(t, person{}, views.InvitationURL(token)).is(t, 200).has(t, r.restaurant.Name.Ko, "haneul@example.org",
		views.SignUpURL(views.InvitationURL(token)))
	r.page(t, stranger, views.InvitationURL(token)).is(t, 200).has(t, "haneul@example.org", views.SignOutURL())
	accept := func(as person, token string) answer {
		return r.do(t, call{method: http.MethodPost, path: views.AcceptInvitationURL(),
			body: url.Values{"token": {token}}.Encode(), headers: map[string]string{"Cookie": "session=" + as.token,
				"Content-Type":   "application/x-www-form-urlencoded",
				"Sec-Fetch-Site": "same-origin"}})
	}
	accept(stranger, token).is(t, 403)
	accept(who, token+"x").is(t, 409)
	for range 2 { // scanners of mail look at links
		r.page(t, who, views.InvitationURL(token)).is(t, 200).has(t, r.restaurant.Name.Ko, "매니저", "수락")
	}
	r.page(t, who, page).is(t, 404)
	accept(who, token).is(t, 303)
	accept(who, token).is(t, 409)
	r.page(t, who, page).is(t, 200).hasNot(t, views.TeamInviteURL(r.restaurant.ID))
	r.page(t, who, views.EmailURL()).is(t, 200).has(t, "확인됨")
	r.page(t, owner, views.TeamLogURL(r.restaurant.ID)+"?area=team").is(t, 200).has(t, "하늘: 팀에 들어옴", "매니저")
}

// The page shows the table of rights as it is, and asks before somebody is removed or leaves.
func TestTeamPages_ShowRightsAndAsk(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner, host := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	page := r.page(t, owner, views.TeamURL(r.restaurant.ID)).is(t, 200)
	may := 0
	for _, action := range team.Actions() {
		page.has(t, html.EscapeString(i18n.T("ko", "right."+string(action))))
		for _, role := range team.Roles() {
			if team.May(role, action) {
				may++
			}
		}
	}
	if got := strings.Count(string(page.raw), ">"+i18n.T("ko", "team.may")+"<"); got != may {
		t.Errorf("%d rights are shown, want %d", got, may)
	}
	remove, role := views.TeamRemoveURL(r.restaurant.ID, host.id), views.TeamRoleURL(r.restaurant.ID, host.id)
	r.page(t, owner, remove).is(t, 200).has(t, `action="`+remove+`"`)
	r.page(t, owner, views.TeamRemoveURL(r.restaurant.ID, "nobody")).is(t, 404)
	r.page(t, host, remove).is(t, 403)
	way := `href="` + views.TeamLeaveURL(r.restaurant.ID) + `"` // who sees no page of the team finds it in their menu
	r.page(t, host, views.StaffSectionURL(r.restaurant.ID, views.SectionTonight)).is(t, 200).has(t, way)
	r.page(t, owner, views.StaffSectionURL(r.restaurant.ID, views.SectionTonight)).is(t, 200).hasNot(t, way)
	r.send(t, owner, role, url.Values{"role": {"manager"}}).is(t, 303)
	r.page(t, host, views.TeamURL(r.restaurant.ID)).is(t, 200).hasNot(t, remove)
	r.send(t, owner, views.TeamLeaveURL(r.restaurant.ID), url.Values{}).is(t, 409).has(t, "마지막 주인")
	r.page(t, host, views.TeamLeaveURL(r.restaurant.ID)).is(t, 200)
	r.send(t, host, views.TeamLeaveURL(r.restaurant.ID), url.Values{}).is(t, 303)
	r.page(t, host, views.TeamLeaveURL(r.restaurant.ID)).is(t, 404)
	r.send(t, owner, remove, url.Values{}).is(t, 404)
	r.page(t, owner, views.TeamLogURL(r.restaurant.ID)+"?date=gestern").is(t, 422).has(t, "gestern")
}
