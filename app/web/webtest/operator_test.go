package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

func (r *harness) invite(t *testing.T) string {
	t.Helper()
	token, err := r.Operators.InviteFirst(t.Context())
	if err != nil || token == "" {
		t.Fatal(token, err)
	}
	return token
}

// operator makes the installation's first operator.
func (r *harness) operator(t *testing.T) person {
	t.Helper()
	u, err := r.Operators.Accept(t.Context(), r.invite(t), identity.SignUp{Email: "operator@example.org", Name: "김운영",
		Phone: "010-1234-5678", Password: "quite a long password"})
	dbtest.Must(t, err)
	token, _ := r.Identity.Sessions.Issue(u.ID)
	return person{u.ID, token}
}

// The link makes an operator who is signed in at once; it tells what is wrong with the form, and works once.
func TestOperator_FirstOneByTheLink(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{NoDemo: true})
	old := r.invite(t)
	r.mustExec(t, `UPDATE operator_invitations SET expires_at = expires_at - interval '1 hour'`) // it started long before
	link := views.OperatorSetupURL(r.invite(t))
	for _, dead := range []string{views.OperatorSetupURL(old), views.OperatorSetupURL("made-up")} {
		r.page(t, person{}, dead).is(t, 404).has(t, "더 이상 쓸 수 없는 링크입니다")
		r.send(t, person{}, dead, url.Values{}).is(t, 404)
	}
	r.page(t, person{}, link).is(t, 200).has(t, `name="password"`, "운영자 계정 만들기")
	r.send(t, person{}, link, url.Values{"email": {"no address"}, "password": {"short"}}).is(t, 422).has(t,
		`aria-invalid="true"`)
	form := url.Values{"email": {"Kim@Example.org"}, "password": {"quite a long password"}, "name": {"김운영"},
		"phone": {"010-1234-5678"}}
	a := r.do(t, call{method: http.MethodPost, path: link, body: form.Encode(), headers: map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}}).is(t, 303)
	if a.header.Get("Location") != views.OperatorURL() {
		t.Errorf("it leads to %s", a.header.Get("Location"))
	}
	cookie, _, _ := strings.Cut(strings.TrimPrefix(a.header.Get("Set-Cookie"), "session="), ";")
	kim := person{token: cookie}
	r.page(t, kim, views.OperatorURL()).is(t, 200).has(t, "기다리는 식당이 없습니다", `href="/operator"`)
	r.page(t, person{}, link).is(t, 404)
	if token, err := r.Operators.InviteFirst(t.Context()); err != nil || token != "" {
		t.Errorf("with an operator a start prints %q, %v", token, err)
	}
	r.post(t, kim, "/api/staff/restaurants", "", aRestaurant()).want(t, 201, "") // the address counts as confirmed
}

// An operator invites another by a link that is shown once, and ends what another may do, but not what they may
// themselves.
func TestOperators_InviteAndEndOthers(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{NoDemo: true})
	first := r.operator(t)
	r.page(t, first, views.OperatorsURL()).is(t, 200).has(t, "김운영", "(나)").hasNot(t, "/end")
	invited := r.send(t, first, views.OperatorsURL(), url.Values{}).is(t, 201)
	_, link, found := strings.Cut(string(invited.raw), views.OperatorSetupURL(""))
	token, _, _ := strings.Cut(link, "<")
	if !found || invited.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("no link: %s", invited.raw)
	}
	second, err := r.Operators.Accept(t.Context(), token, identity.SignUp{Email: "second@example.org", Name: "이운영",
		Phone: "010-1234-5678", Password: "quite a long password"})
	dbtest.Must(t, err)
	signed, _ := r.Identity.Sessions.Issue(second.ID)
	other := person{second.ID, signed}
	r.page(t, other, views.OperatorsURL()).is(t, 200).has(t, "김운영", "이운영").hasNot(t, token)
	r.send(t, other, views.OperatorEndURL(other.id), url.Values{}).is(t, 404)
	r.send(t, r.diner(t, 0), views.OperatorEndURL(other.id), url.Values{}).is(t, 403)
	r.send(t, other, views.OperatorEndURL(first.id), url.Values{}).is(t, 303).has(t, "운영자 권한을 거두었습니다.")
	r.page(t, first, views.OperatorsURL()).is(t, 403)
	r.page(t, other, views.OperatorsURL()).is(t, 200).hasNot(t, "김운영")
}

func aRestaurant() map[string]any {
	return map[string]any{"name": "새 식당", "timeZone": "Asia/Seoul", "capacity": 12}
}

// A draft is nowhere for others: not in lists, not at its address, not for who has its id. Published, it is everywhere,
// at other servers within the age of their catalogue.
func TestDrafts_AreInvisibleUntilPublished(t *testing.T) {
	t.Parallel()
	setup := programtest.Setup{}
	setup.Config.CatalogMaxAge = 200 * time.Millisecond
	r := newHarnessWith(t, setup)
	second := r.twin(t)
	owner, other, operator := r.diner(t, 0), r.diner(t, 1_000_000), r.operator(t)
	opened := r.post(t, owner, "/api/staff/restaurants", "", aRestaurant()).want(t, 201, "")
	id, slug := int64(opened.number(t, "id")), opened.text(t, "slug")
	if opened.text(t, "state") != "draft" || opened.text(t, "role") != "owner" {
		t.Errorf("opened: %s", opened.raw)
	}
	r.get(t, owner, "/api/staff/restaurants").want(t, 200, "").has(t, slug)
	r.get(t, other, "/api/staff/restaurants").want(t, 200, "").hasNot(t, slug)
	r.page(t, owner, views.StaffURL()).is(t, 200).has(t, "새 식당", "공개 전")
	for _, who := range []person{{}, other, owner} {
		for _, server := range []*harness{r, second} {
			server.seesNoDraft(t, who, id, slug)
		}
	}
	r.get(t, other, "/api/operator/restaurants").want(t, 403, "forbidden")
	r.post(t, owner, fmt.Sprintf("/api/operator/restaurants/%d/publish", id), "", nil).want(t, 403, "forbidden")
	r.page(t, operator, views.OperatorURL()).is(t, 200).has(t, "새 식당", views.OperatorPublishURL(id), "+09:00")
	r.opens(t, owner, fmt.Sprintf("/api/staff/restaurants/%d", id))
	r.send(t, operator, views.OperatorPublishURL(id), url.Values{}).is(t, 303).has(t, "식당을 공개했습니다.")
	r.page(t, operator, views.OperatorURL()).is(t, 200).hasNot(t, "새 식당")
	for _, server := range []*harness{r, second} { // the control: the same requests find it then
		dbtest.Eventually(t, "it is published", func() bool {
			return server.page(t, other, views.RestaurantURL(slug)).status == 200 &&
				strings.Contains(string(server.get(t, other, "/api/restaurants").raw), slug)
		})
	}
	if n := r.audited(t, "restaurant.published"); n != 1 {
		t.Errorf("%d entries in the audit log", n)
	}
	r.post(t, operator, "/api/operator/restaurants/999999/publish", "", nil).want(t, 404, "not_found")
}

// A draft that nobody could book is published by no operator either: page and API name what is missing.
func TestDrafts_ArePublishedOnceTheyAreWhole(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{NoDemo: true})
	owner, operator := r.diner(t, 0), r.operator(t)
	id := r.openDraft(t, owner)
	publish, review := views.OperatorPublishURL(id), views.OperatorReviewURL(id)
	api := fmt.Sprintf("/api/operator/restaurants/%d/publish", id)
	r.page(t, operator, review).is(t, 200).has(t, "영업 시간이 없습니다").hasNot(t, publish)
	r.send(t, operator, publish, url.Values{}).is(t, 409).has(t, "영업 시간이 없습니다", "아직 공개할 수 없습니다")
	r.post(t, operator, api, "", nil).want(t, 409, "not_ready").has(t, "no_hours")
	if n := r.audited(t, "restaurant.published"); n != 0 {
		t.Errorf("%d entries in the audit log", n)
	}
	r.opens(t, owner, fmt.Sprintf("/api/staff/restaurants/%d", id))
	r.page(t, operator, review).is(t, 200).has(t, publish)
	r.post(t, operator, api, "", nil).want(t, 204, "") // the control: the same request, of a whole draft
	r.post(t, operator, api, "", nil).want(t, 204, "")
}

// seesNoDraft walks everything that could show a restaurant or book it.
func (r *harness) seesNoDraft(t *testing.T, who person, id int64, slug string) {
	t.Helper()
	slot := booking.SlotKey{RestaurantID: id, Date: r.day(1), Time: "19:00"}
	start := r.start(t, r.slot("19:00"))
	r.page(t, who, views.HomeURL()).is(t, 200).hasNot(t, slug)
	r.get(t, who, "/api/restaurants").want(t, 200, "").hasNot(t, slug)
	r.get(t, who, "/api/restaurants?q="+url.QueryEscape("새 식당")).want(t, 200, "").hasNot(t, slug)
	api := fmt.Sprintf("/api/restaurants/%d", id)
	for _, path := range []string{api, api + "/slots?date=" + string(slot.Date), api + "/menu", api + "/seats?date=" +
		string(slot.Date) + "&time=19:00"} {
		r.get(t, who, path).want(t, 404, "not_found")
	}
	paths := []string{views.RestaurantURL(slug), views.RestaurantURL(slug) + "/slots", views.RestaurantURL(slug) +
		"/dishes", views.RestaurantURL(slug) + "/seats/events?date=" + string(slot.Date) + "&time=19:00",
		views.RestaurantURL(slug) + "/waitlist?date=" + string(slot.Date) + "&time=19:00&party=2"}
	if who.id != "" {
		paths = append(paths, views.BookURL(slug, start, 2), views.StaffBoardURL(id, start),
			views.StaffMenuURL(id, start))
	}
	for _, path := range paths {
		if a := r.page(t, who, path); a.status != 404 && !(who.id == "" && a.status == 303) {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if who.id == "" {
		return
	}
	press := map[string]any{"restaurantId": id, "date": slot.Date, "time": "19:00", "partySize": 2}
	r.post(t, who, "/api/reservations", "press", press).want(t, 404, "not_found")
	r.post(t, who, "/api/waitlist", "wait", press).want(t, 404, "not_found")
	form := url.Values{views.FieldDate: {string(slot.Date)}, views.FieldTime: {"19:00"}, views.FieldParty: {"2"},
		views.FieldIdempotencyKey: {"form"}}
	r.send(t, who, views.RestaurantURL(slug)+"/reservations", form).is(t, 404)
	r.send(t, who, views.RestaurantURL(slug)+"/waitlist", form).is(t, 404)
}

func TestDrafts_OpenedByConfirmedPeopleUpToALimit(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.post(t, person{}, "/api/staff/restaurants", "", aRestaurant()).want(t, 401, "unauthenticated")
	newcomer := identity.User{ID: "newcomer", Email: "new@example.org", Name: "New", Phone: "010-1234-5678",
		PasswordHash: "!"}
	dbtest.Must(t, r.Stores.Users.CreateUser(t.Context(), newcomer))
	token, _ := r.Identity.Sessions.Issue(newcomer.ID)
	r.post(t, person{newcomer.ID, token}, "/api/staff/restaurants", "", aRestaurant()).want(t, 403, "unconfirmed")
	who := r.diner(t, 0)
	wrong := r.post(t, who, "/api/staff/restaurants", "",
		map[string]any{"name": "", "timeZone": "Mars", "capacity": 0}).want(t, 422, "invalid")
	if len(wrong.list(t, "fields")) != 3 {
		t.Errorf("the faults: %s", wrong.raw)
	}
	for range booking.MaxDrafts {
		r.post(t, who, "/api/staff/restaurants", "", aRestaurant()).want(t, 201, "")
	}
	r.post(t, who, "/api/staff/restaurants", "", aRestaurant()).want(t, 409, "too_many_drafts")
}

// The list has the times of the restaurants, wherever the server is.
func TestDrafts_ListedWithTheirOwnTimes(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	far := aRestaurant()
	far["timeZone"] = "Asia/Kathmandu"
	r.post(t, r.diner(t, 0), "/api/staff/restaurants", "", far).want(t, 201, "")
	r.page(t, r.operator(t), views.OperatorURL()).is(t, 200).has(t, "+05:45\"")
}

func TestDrafts_ListedInPages(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	operator := r.operator(t)
	for range 11 {
		who := r.diner(t, 0)
		for range booking.MaxDrafts {
			r.post(t, who, "/api/staff/restaurants", "", aRestaurant()).want(t, 201, "")
		}
	}
	first := r.get(t, operator, "/api/operator/restaurants").want(t, 200, "")
	rest := r.get(t, operator, "/api/operator/restaurants?after="+first.text(t, "next")).want(t, 200, "")
	if len(first.list(t, "restaurants")) != 50 || len(rest.list(t, "restaurants")) != 5 || rest.json["next"] != nil {
		t.Errorf("%d and %d drafts", len(first.list(t, "restaurants")), len(rest.list(t, "restaurants")))
	}
	r.page(t, operator, views.OperatorURL()).is(t, 200).has(t, views.OperatorURL()+"?after="+first.text(t, "next"))
	r.get(t, operator, "/api/operator/restaurants?after=x").want(t, 422, "invalid")
}
